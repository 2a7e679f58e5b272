"""What the table asks the dealer, and the one answer that the shell has to decrypt first."""

from typing import final

import msgspec

from services.table.core.state import Table
from shared.contracts.dealer import DealtIn, SeatSeed, Street
from shared.contracts.hand import BoardAwaited, DealAwaited, OpeningAwaited


@final
class AwaitPromise(msgspec.Struct, frozen=True):
    """What binds the dealer before the players hand in their seeds."""

    hand: str
    table: str


@final
class AwaitDeal(msgspec.Struct, frozen=True):
    """Hole cards for this roster, in dealing order; with player entropy, of promise and seeds."""

    hand: str
    table: str
    roster: tuple[DealtIn, ...]
    promise: bytes = b""
    seeds: tuple[SeatSeed, ...] = ()


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


Question = AwaitPromise | AwaitDeal | AwaitBoard | AwaitView | AwaitOpening


def awaiting(table: Table) -> Question | None:
    """Return the question that is open; nobody acts and no clock runs meanwhile."""
    hand, facts = table.hand, table.opened
    if facts is None:
        return None
    if hand is None:
        return promise_awaited(table, facts.table)
    if hand.asked is None:
        return None
    asked, name = hand.asked, hand.started.hand
    if isinstance(asked, DealAwaited):
        return AwaitDeal(name, facts.table, asked.roster, asked.promise, asked.seeds)
    if isinstance(asked, BoardAwaited):
        return AwaitBoard(name, hand.root, asked.street)
    if isinstance(asked, OpeningAwaited):
        return AwaitOpening(name, hand.root, asked.seats)
    return AwaitView(name, hand.root, asked.seat)


def promise_awaited(table: Table, name: str) -> AwaitPromise | None:
    """Ask for the promise of the scheduled hand, once no other hand runs."""
    if table.scheduled is None or table.seeding is None or table.seeding.promise:
        return None
    return AwaitPromise(table.scheduled.hand, name)
