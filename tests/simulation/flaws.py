"""A build that cannot decide some upstream facts, and the operator who mends what it has parked.

Facts that a decision falls over are parked, with all that comes behind them; once another build
runs, a retry takes them in, in order and once each (law 8).
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from services.director.core import HandReported
from services.ranking.core import ResultsReported
from shared.contracts.director import (
    EntryRequested,
    HandCleared,
    PlayerRegistered,
    PrizeDue,
    SeatAssigned,
    TableFormed,
)
from shared.contracts.edge import RetryInbox, encode
from shared.contracts.table import SeatVacated
from shared.contracts.wallet import EntryHeld
from shared.runtime.aggregate import Aggregate
from shared.runtime.ports import BrokerUnavailable

if TYPE_CHECKING:
    from tests.simulation.world import World

FALLS = 0.5
MEND_SECONDS = 1.5
RETRY = encode(RetryInbox())
FACTS: Mapping[str, tuple[type[Any], ...]] = {
    "wallet": (EntryRequested, PlayerRegistered, PrizeDue),
    "director": (EntryHeld, HandReported, SeatVacated),
    "table": (TableFormed, HandCleared, SeatAssigned),
    "dealer": (),
    "ranking": (ResultsReported,),
}


class Flaw(Exception):
    """What a flawed build raises."""


def flawed(service: str, aggregate: Aggregate, chance: Random) -> Aggregate:
    """The same aggregate, but for a decision that falls over some facts now and then."""
    decider = aggregate.decider
    kinds = FACTS[service]

    def step(state: Any, command: Any, at_ms: int) -> Any:
        if type(command) in kinds and chance.random() < FALLS:
            raise Flaw(type(command).__name__)
        return decider.step(state, command, at_ms)

    return msgspec.structs.replace(aggregate, decider=msgspec.structs.replace(decider, step=step))


async def mend(world: "World") -> None:
    """Have whatever is parked tried again, now and then, for ever."""
    while True:
        await world.loop.pause(MEND_SECONDS)
        for line, disk in world.disks.items():
            if disk.parked:
                try:
                    await world.desk.broker.request(line.request("inbox-retry"), RETRY, 2.0)
                except BrokerUnavailable:
                    continue
