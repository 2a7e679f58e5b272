"""What the table asks the dealer, and the one answer that the shell has to decrypt first."""

from typing import final

import msgspec

from services.table.core.state import Table
from shared.contracts.dealer import DealtIn, Street
from shared.contracts.hand import BoardAwaited, DealAwaited, OpeningAwaited


@final
class AwaitDeal(msgspec.Struct, frozen=True):
    """Hole cards for this roster, in dealing order."""

    hand: str
    table: str
    roster: tuple[DealtIn, ...]


@final
class AwaitBoard(msgspec.Struct, frozen=True):
    """The cards of the next street."""

    hand: str
    root: bytes
    street: Street


@final
class AwaitView(msgspec.Struct, frozen=True):
    """One hand, for the table alone; answered by `SeatSeen`."""

    hand: str
    root: bytes
    seat: int


@final
class AwaitOpening(msgspec.Struct, frozen=True):
    """The hands that are shown to everybody."""

    hand: str
    root: bytes
    seats: tuple[int, ...]


@final
class SeatSeen(msgspec.Struct, frozen=True):
    """What the table alone sees of one seat; never recorded, and never printed either."""

    hand: str
    seat: int
    cards: tuple[str, ...]

    def __repr__(self) -> str:
        return f"SeatSeen(hand={self.hand!r}, seat={self.seat}, cards=hidden)"


Question = AwaitDeal | AwaitBoard | AwaitView | AwaitOpening


def awaiting(table: Table) -> Question | None:
    """Return the question that is open; nobody acts and no clock runs meanwhile."""
    hand, facts = table.hand, table.opened
    if hand is None or facts is None or hand.asked is None:
        return None
    asked, name = hand.asked, hand.started.hand
    if isinstance(asked, DealAwaited):
        return AwaitDeal(name, facts.table, asked.roster)
    if isinstance(asked, BoardAwaited):
        return AwaitBoard(name, hand.root, asked.street)
    if isinstance(asked, OpeningAwaited):
        return AwaitOpening(name, hand.root, asked.seats)
    return AwaitView(name, hand.root, asked.seat)
