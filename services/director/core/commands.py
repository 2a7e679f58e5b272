"""Everything that one tournament decides on, and the question that it asks."""

from typing import final

import msgspec

from shared.contracts.dealer import Drawn
from shared.contracts.director import DirectorRequest
from shared.contracts.hand import HandEnded
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.ranking import EntryRated
from shared.contracts.table import HandVoided, SeatVacated, TableHalted
from shared.contracts.wallet import EntryHeld, EntryRefused, PoolCarried


@final
class HandReported(msgspec.Struct, frozen=True):
    """A table's hand has ended: commit `number` of the line `upstream`, such as `table-2`."""

    fact: HandEnded
    upstream: str
    number: int


@final
class HaltReported(msgspec.Struct, frozen=True):
    """A table has halted: commit `number` of the line `upstream`."""

    fact: TableHalted
    upstream: str
    number: int


@final
class AwaitDraw(msgspec.Struct, frozen=True):
    """The draw that the dealer has to be asked for; `Drawn` is the answer.

    Of more candidates than fit into an event only the `count` is known here.
    """

    purpose: str
    candidates: tuple[str, ...]
    count: int


DirectorFact = (
    EntryHeld
    | EntryRefused
    | PoolCarried
    | EntryRated
    | HandReported
    | HandVoided
    | HaltReported
    | SeatVacated
)
DirectorCommand = DirectorRequest | DirectorFact | Drawn | TimerFired | OutageOver
