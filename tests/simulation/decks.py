"""The port `UsedDecks` as one node reaches it: the database may be away, before or after."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from shared.runtime.decks import KeyUse, SealedKey
from shared.runtime.ports import StoreUnavailable

if TYPE_CHECKING:
    from tests.simulation.node import Node

T = TypeVar("T")


class SimDecks:
    """What the whole world knows of used decks, over this node's way to the store."""

    def __init__(self, node: "Node") -> None:
        self._node = node
        self._used = node.world.used_decks

    async def vault_keys(self) -> list[KeyUse]:
        return await at_the_store(self._node, self._used.vault_keys)

    async def use_key(self, key: str) -> None:
        await at_the_store(self._node, lambda: self._used.use_key(key))

    async def registry_key(self, offered: SealedKey) -> SealedKey:
        return await at_the_store(self._node, lambda: self._used.registry_key(offered))

    async def seal_again(self, before: SealedKey, after: SealedKey) -> None:
        await at_the_store(self._node, lambda: self._used.seal_again(before, after))

    async def enter(self, decks: Sequence[bytes]) -> set[bytes]:
        return await at_the_store(self._node, lambda: self._used.enter(decks))

    async def claim(self, decks: Sequence[bytes], claims: Sequence[bytes]) -> set[bytes]:
        return await at_the_store(self._node, lambda: self._used.claim(decks, claims))


async def at_the_store(node: "Node", work: Callable[[], Awaitable[T]]) -> T:
    """Go there, and come back or not: then nobody knows whether it was done."""
    world = node.world
    world.trouble.at_the_store(node)
    if node.stopped:
        await node.gate()
    await world.loop.pause(0.0005 + 0.002 * world.chance.random())
    if node.stopped:
        await node.gate()
    if world.is_away("store", node) or world.chance.random() < world.faults.store_before:
        raise StoreUnavailable("away")
    found = await work()
    if world.chance.random() < world.faults.store_after:
        raise StoreUnavailable("went away before the answer")
    return found
