"""Which facts of tables, wallet and ranking reach which tournament."""

from collections.abc import Mapping
from typing import Any

from services.director.core import HaltReported, HandReported
from shared.contracts.hand import HandEnded
from shared.contracts.ranking import EntryRated
from shared.contracts.table import HandVoided, SeatVacated, TableHalted
from shared.contracts.wallet import EntryHeld, EntryRefused, PoolCarried
from shared.runtime.aggregate import Origin, Reaction


def reported(fact: HandEnded, origin: Origin) -> HandReported:
    """A table's report keeps where it stands in that table's log: the cut of any later sheet."""
    return HandReported(fact, origin.line, origin.number)


def halted(fact: TableHalted, origin: Origin) -> HaltReported:
    """So does what it has when it halts."""
    return HaltReported(fact, origin.line, origin.number)


REACTIONS: Mapping[type[Any], Reaction] = {
    EntryHeld: Reaction(stream=lambda fact: fact.tournament),
    EntryRefused: Reaction(stream=lambda fact: fact.tournament),
    PoolCarried: Reaction(stream=lambda fact: fact.tournament),
    EntryRated: Reaction(stream=lambda fact: fact.tournament),
    HandEnded: Reaction(stream=lambda fact: fact.tournament, command=reported),
    SeatVacated: Reaction(stream=lambda fact: fact.tournament),
    HandVoided: Reaction(stream=lambda fact: fact.tournament),
    TableHalted: Reaction(stream=lambda fact: fact.tournament, command=halted),
}
