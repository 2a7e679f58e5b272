"""Seats in order."""

from shared.contracts.hand import SeatStack


def by_seat(seats: tuple[SeatStack, ...]) -> tuple[SeatStack, ...]:
    """Order by the number of the seat."""
    return tuple(sorted(seats, key=lambda held: held.seat))
