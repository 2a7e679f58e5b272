"""Runs of consecutive tournament hands: who sat where, and what was bought in between.

Some sites number their seats, others name them. Named seats are numbered here, two apart, in
an order around the table that every hand of the run agrees with.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from services.cli.hands.neutral import NeutralHand, numbers, recorded
from services.cli.hands.recorded import Broken, RecordedHand, Skipped, sound

Slot = tuple[str, int]


class Run(msgspec.Struct, frozen=True):
    """The hands of one table, in order."""

    id: str
    hands: tuple[str, ...]


class Seating(NeutralHand, frozen=True):
    """A hand with the names of its players, and what they did after it."""

    who: tuple[str, ...] = ()
    after: tuple[tuple[Any, ...], ...] = ()


class SeatedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at a table; seats and names are in the order of the record's players.

    `button_seat` is None where the record does not name the empty seat of a dead button.
    `bought` are the chips that a player added after the hand.
    """

    recorded: RecordedHand
    seats: tuple[int, ...]
    names: tuple[str, ...]
    button_seat: int | None
    bought: dict[str, int]


class SeatedRead(msgspec.Struct, frozen=True):
    """One hand of a run, or why there is none."""

    name: str
    hand: SeatedHand | Broken | Skipped


DECODE_RUN = msgspec.json.Decoder(Run).decode
DECODE_SEATING = msgspec.json.Decoder(Seating).decode
SEATS_MAX = 10
PURCHASES = ("rebuy", "addon")


def read_runs(lines: Iterable[bytes]) -> Iterator[Run]:
    for number, line in enumerate(lines, 1):
        try:
            yield DECODE_RUN(line)
        except msgspec.DecodeError as error:
            raise Broken(f"line {number}: {error}") from None


def read_seatings(lines: Iterable[bytes], wanted: frozenset[str]) -> dict[str, Seating]:
    """Return the hands that runs ask for; broken hands of others are not looked at."""
    seatings: dict[str, Seating] = {}
    for line in lines:
        try:
            seating = DECODE_SEATING(line)
        except msgspec.DecodeError:
            continue
        if seating.id in wanted:
            seatings[seating.id] = seating
    return seatings


def seated_hands(run: Run, seatings: dict[str, Seating]) -> tuple[SeatedRead, ...]:
    """Put a run's hands around one table, or say of each why it cannot be played."""
    missing = [hand for hand in run.hands if hand not in seatings]
    if missing:
        raise Broken(f"no record of {missing[0]}")
    hands = [seatings[hand] for hand in run.hands]
    return tuple([read(hand, seats) for hand, seats in zip(hands, numbered(hands), strict=True)])


def read(hand: Seating, seats: tuple[int, ...]) -> SeatedRead:
    try:
        return SeatedRead(hand.id, seated(hand, seats))
    except (Broken, Skipped) as outcome:
        return SeatedRead(hand.id, outcome)


def seated(hand: Seating, seats: tuple[int, ...]) -> SeatedHand:
    record = sound(recorded(hand))
    for field in (hand.seats, hand.who):
        if len(field) != len(record.stacks) or len(set(field)) != len(field):
            raise Broken("`seats` and `who` must name each player once")
    return SeatedHand(
        recorded=record,
        seats=seats,
        names=hand.who,
        button_seat=button_of(hand, seats),
        bought=bought_after(hand),
    )


def bought_after(hand: Seating) -> dict[str, int]:
    """Add up the rebuys and add-ons of each player."""
    bought: Counter[str] = Counter()
    for number, act in enumerate(hand.after, 1):
        if act and act[0] in PURCHASES:
            _, player, chips = numbers(number, act, 3)
            if not 1 <= player <= len(hand.who):
                raise Broken(f"there is no player {player}", number)
            bought[hand.who[player - 1]] += chips
    return bought


def button_of(hand: Seating, seats: tuple[int, ...]) -> int | None:
    if hand.button_seat in hand.seats:
        return seats[hand.seats.index(hand.button_seat)]
    return hand.button_seat if seats == hand.seats else None


def numbered(hands: Sequence[Seating]) -> list[tuple[int, ...]]:
    """Return the seats of every hand as numbers that ascend clockwise."""
    if all(are_numbers(hand.seats) for hand in hands):
        return [hand.seats for hand in hands]
    slots = slots_of([hand.who for hand in hands])
    around = circle(slots)
    return [tuple([2 * around.index(slot) + 2 for slot in hand]) for hand in slots]


def are_numbers(seats: tuple[int, ...]) -> bool:
    """Tell whether these are seats of a table: going round it goes up, but for one step."""
    if not seats or not 1 <= min(seats) <= max(seats) <= SEATS_MAX:
        return False
    lowest = seats.index(min(seats))
    return list(seats[lowest:] + seats[:lowest]) == sorted(seats)


def slots_of(hands: Sequence[tuple[str, ...]]) -> list[tuple[Slot, ...]]:
    """Give a seat to each stay of a player: who was away may come back elsewhere."""
    stays: Counter[str] = Counter()
    before: tuple[str, ...] = ()
    slots = []
    for names in hands:
        stays.update([name for name in names if name not in before])
        slots.append(tuple([(name, stays[name]) for name in names]))
        before = names
    return slots


def circle(hands: Sequence[tuple[Slot, ...]]) -> list[Slot]:
    """Put all seats of a run in one circle, newcomers just before their next neighbour."""
    around: list[Slot] = []
    for slots in hands:
        known = next((at for at, slot in enumerate(slots) if slot in around), None)
        if known is None:
            around += slots
            continue
        turned = slots[known:] + slots[: known + 1]
        for after, slot in pairwise(reversed(turned)):
            if slot not in around:
                around.insert(around.index(after), slot)
    return around
