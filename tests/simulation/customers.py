"""Customers: who comes has an account since a minute ago, money in it, and is known by name.

They signed up in a world of their own, in calm weather, once for all worlds; what its wallet
wrote is the beginning of every other one's log. Where people are strangers, they sign up while
everything else happens.
"""

import asyncio
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from shared.runtime.ports import Line
from tests.person_keys import KeysInMemory
from tests.simulation import loop as loops, shortcuts
from tests.simulation.faults import NONE, Weather
from tests.simulation.hearing import heard
from tests.simulation.players import Bot
from tests.simulation.store import Disk

if TYPE_CHECKING:
    from tests.simulation.world import World

WALLET = Line("wallet", 0)
AGO_SECONDS = 60.0
ITS_SEED = -1
CALM = Weather(faults=NONE, accidents=(), pause_s=1.0, skew_ms=0, shuffle=False, strangers=True)


class SignedUp(NamedTuple):
    """What a wallet keeps of its customers."""

    disk: Disk
    person_keys: KeysInMemory


def settle(world: "World") -> None:
    """Let everybody who will come be a customer already."""
    disk, keys = signed_up(type(world), tuple(world.crowd.bots))
    world.disks[WALLET] = disk.copied()
    world.person_keys = keys.copied()
    world.backups.note(WALLET, disk.rows)
    world.see(WALLET, disk.rows)


@cache
def signed_up(world_of: type["World"], names: tuple[str, ...]) -> SignedUp:
    """Let these people sign up and pay in."""
    world = world_of(ITS_SEED, weather=CALM)
    world.loop.now = -AGO_SECONDS
    bots = [Bot(world.crowd, name) for name in names]

    async def coming() -> None:
        world.start_all()
        await asyncio.gather(*[bot.sign_up() for bot in bots])

    with heard(world.loop, ()), shortcuts.taken():
        loops.run(world.loop, coming())
    return SignedUp(world.disks[WALLET], world.person_keys)
