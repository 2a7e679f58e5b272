"""Who sits at which table with how many chips, by the tables' own facts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from services.cli.verdicts.history import Fact, History
from shared.contracts.hand import HandEnded, HandStarted, SeatStack
from shared.contracts.table import ChipsAdded, SeatTaken, SeatVacated, TableOpened

Stays = defaultdict[tuple[str, str], list[tuple[int, int]]]


class Movements(msgspec.Struct, frozen=True):
    """For each player and table, in order: seat and chips of each leaving and each arrival.

    `added` has the chips that an entry brought to a seat.
    """

    left: Stays
    came: Stays
    added: dict[str, ChipsAdded]


def movements_of(history: History) -> Movements:
    """Collect every seat vacated and every seat taken."""
    left: Stays = defaultdict(list)
    came: Stays = defaultdict(list)
    added: dict[str, ChipsAdded] = {}
    for fact in history.of("table"):
        event = fact.event
        if isinstance(event, SeatVacated):
            left[event.player, event.table].append((event.seat, event.stack_chips))
        elif isinstance(event, SeatTaken):
            came[event.player, event.table].append((event.seat, event.stack_chips))
        elif isinstance(event, ChipsAdded):
            added[event.entry] = event
    return Movements(left, came, added)


def wrong_tables(history: History) -> Iterator[str]:
    """Follow every table from its opening on."""
    for facts in history.streams("table").values():
        yield from wrong_table(facts)


def wrong_table(facts: Iterable[Fact]) -> Iterator[str]:
    """Chips change in a hand or when some were bought, and each hand starts with what is there."""
    held: dict[tuple[int, str], int] = {}
    for fact in facts:
        event = fact.event
        match event:
            case TableOpened():
                held = {(s.seat, s.player): s.stack_chips for s in event.seats}
            case SeatTaken() | SeatVacated() | ChipsAdded():
                yield from changed(fact, event, held)
            case HandStarted():
                yield from not_as_held(fact, event.seats, held)
            case HandEnded():
                held |= {(end.seat, end.player): end.stack_chips for end in event.seats}
                held = {seat: chips for seat, chips in held.items() if chips}
            case _:
                pass


def changed(
    fact: Fact, event: SeatTaken | SeatVacated | ChipsAdded, held: dict[tuple[int, str], int]
) -> Iterator[str]:
    """Follow who comes, goes, or has bought chips."""
    here = event.seat, event.player
    match event:
        case SeatTaken():
            if any(seat == event.seat or player == event.player for seat, player in held):
                yield f"{fact.where}: {event.player} sits down in seat {event.seat} as well"
            held[here] = event.stack_chips
        case SeatVacated():
            stack = held.pop(here, None)
            if stack != event.stack_chips:
                yield f"{fact.where}: {event.player} leaves with {event.stack_chips} of {stack}"
        case ChipsAdded():
            if here not in held:
                yield f"{fact.where}: {event.player} gets chips in seat {event.seat} of another"
            held[here] = held.get(here, 0) + event.chips


def not_as_held(
    fact: Fact, seats: Iterable[SeatStack], held: dict[tuple[int, str], int]
) -> Iterator[str]:
    """Complain about stacks that a hand starts with and the table does not have."""
    for dealt in seats:
        stack = held.get((dealt.seat, dealt.player))
        if stack != dealt.stack_chips:
            yield f"{fact.where}: {dealt.player} starts a hand with {dealt.stack_chips} of {stack}"
