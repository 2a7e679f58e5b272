"""Which of the director's facts reach which table."""

from collections.abc import Mapping
from typing import Any

from shared.contracts.director import (
    ChipsAssigned,
    HandCleared,
    MoveDecided,
    SeatAssigned,
    TableBroken,
    TableFormed,
    TableHalting,
    TableReleased,
)
from shared.runtime.aggregate import Reaction

REACTIONS: Mapping[type[Any], Reaction] = {
    TableFormed: Reaction(stream=lambda fact: fact.table),
    HandCleared: Reaction(stream=lambda fact: fact.table),
    MoveDecided: Reaction(stream=lambda fact: fact.from_table),
    SeatAssigned: Reaction(stream=lambda fact: fact.table),
    ChipsAssigned: Reaction(stream=lambda fact: fact.table),
    TableBroken: Reaction(stream=lambda fact: fact.table),
    TableHalting: Reaction(stream=lambda fact: fact.table),
    TableReleased: Reaction(stream=lambda fact: fact.table),
}
