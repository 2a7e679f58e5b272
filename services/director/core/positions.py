"""Places around a table relative to the blinds of its last ended hand."""

from collections.abc import Iterable

from services.director.core.hall import Table
from shared.contracts.hand import SeatStack


def clockwise(seats: Iterable[int], start: int, seats_max: int) -> tuple[int, ...]:
    """Order seats clockwise, beginning at `start` itself."""
    return tuple(sorted(seats, key=lambda seat: (seat - start) % seats_max))


def nearest_to_next_big_blind(table: Table, seats: Iterable[int]) -> tuple[int, ...]:
    """Order seats by how soon the big blind comes to them; the last one's seat is the last."""
    return clockwise(seats, table.last.big_blind_seat % table.seats_max + 1, table.seats_max)


def mover_in_same_position(donor: Table, short: Table, vacated_seat: int) -> SeatStack:
    """Return the donor's player in the position of the vacated seat (BH-BALANCE).

    The big blind answers to the big blind, the small to the small, else the k-th left of the
    big blind to the k-th; where nobody is, the next clockwise.
    """
    start = seat_in_position(donor, steps_from_big_blind(short, vacated_seat))
    seated = {held.seat: held for held in donor.seats}
    return seated[clockwise(seated, start, donor.seats_max)[0]]


def steps_from_big_blind(table: Table, seat: int) -> int | None:
    """Count a seat's place left of the big blind, 0 being the big blind; None: small blind."""
    last = table.last
    if seat == last.small_blind_seat:
        return None
    others = (dealt for dealt in last.dealt if dealt != seat)
    ring = clockwise((*others, seat), last.big_blind_seat, table.seats_max)
    return ring.index(seat)


def seat_in_position(table: Table, steps: int | None) -> int:
    """Find the seat so many places left of the big blind, past the last one the big blind."""
    last = table.last
    if steps is None:
        return last.big_blind_seat if last.small_blind_seat is None else last.small_blind_seat
    ring = clockwise(last.dealt, last.big_blind_seat, table.seats_max)
    return ring[steps] if steps < len(ring) else last.big_blind_seat
