"""Where button and blinds go next (PP-NEXT, PP-DEADBUTTON).

The big blind moves to the next live seat, always; the small blind and the button follow it one
hand later each, to a seat that may be empty by then.
"""

import msgspec

from services.table.core.state import Positions
from shared.poker.rule_sets import RuleSet

Seats = tuple[int, ...]


class Assigned(msgspec.Struct, frozen=True):
    """The positions of one hand; `order` is the dealing order, first left of the button.

    With the marker left at the previous dealer the button's own seat is empty, so the order
    does not follow from `button_seat` alone.
    """

    button_seat: int
    small_blind_seat: int | None
    big_blind_seat: int
    order: Seats


def next_positions(rules: RuleSet, last: Positions, live: Seats) -> Assigned:
    """Assign the next hand's positions to the live seats, given ascending."""
    if last.played == "none":
        return first_positions(last.button_seat, live)
    big = seat_after(live, last.big_blind_seat)
    if len(live) == 2:
        return heads_up(live, big)
    if last.played == "heads_up":
        small = seat_before(live, big)
        button = seat_before(live, small)
        return Assigned(button, small, big, clockwise(live, button))
    small_due = last.big_blind_seat
    button = button_before(live, last.small_due_seat, small_due, big)
    small_seat = small_due if small_due in live else None
    marker = button_marker(rules, last, button, live)
    return Assigned(marker, small_seat, big, clockwise(live, button))


def first_positions(button: int, live: Seats) -> Assigned:
    """The first hand's button is told; an empty seat there is a dead button."""
    order = clockwise(live, button)
    if len(live) == 2:
        return heads_up(live, order[0] if button in live else order[1])
    return Assigned(button, order[0], order[1], order)


def heads_up(live: Seats, big: int) -> Assigned:
    """The one who is not the big blind has the button and the small blind (PP-BLINDS)."""
    button = seat_after(live, big)
    return Assigned(button, button, big, (big, button))


def button_before(live: Seats, due: int, small_due: int, big: int) -> int:
    """The button is due where the last small blind was due.

    Newcomers between the last blinds can bring the big blind round to there: then the button is
    the live seat before the small blind, so that button, small and big still follow each other.
    """
    around = clockwise(tuple(sorted((small_due, big))), due)
    return due if big != due and around[0] == small_due else seat_before(live, small_due)


def button_marker(rules: RuleSet, last: Positions, button: int, live: Seats) -> int:
    """PP leaves the marker of a dead button with the previous dealer, if still in."""
    previous = rules.dead_button_marker == "previous_dealer" and last.button_seat in live
    return last.button_seat if previous and button not in live else button


def clockwise(live: Seats, after: int) -> Seats:
    """Return the live seats in order, beginning after this seat."""
    later = tuple([seat for seat in live if seat > after])
    return later + live[: len(live) - len(later)]


def seat_after(live: Seats, seat: int) -> int:
    """Return the first live seat clockwise of this one."""
    return clockwise(live, seat)[0]


def seat_before(live: Seats, seat: int) -> int:
    """Return the first live seat counter-clockwise of this one."""
    return clockwise(live, seat)[-2 if seat in live else -1]
