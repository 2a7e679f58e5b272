"""The port `PersonKeys` as one node reaches it: the database may be away, before or after."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shared.runtime.person_keys import PersonKey
from tests.simulation.decks import at_the_store

if TYPE_CHECKING:
    from tests.simulation.node import Node


class SimPersonKeys:
    """The keys of the whole world's persons, over this node's way to the store."""

    def __init__(self, node: "Node") -> None:
        self._node = node
        self._keys = node.world.person_keys

    async def find(self, players: Sequence[str]) -> dict[str, PersonKey]:
        return await at_the_store(self._node, lambda: self._keys.find(players))

    async def obtain(self, offered: Mapping[str, bytes]) -> dict[str, PersonKey]:
        return await at_the_store(self._node, lambda: self._keys.obtain(offered))

    async def destroy(self, players: Sequence[str]) -> None:
        await at_the_store(self._node, lambda: self._keys.destroy(players))
