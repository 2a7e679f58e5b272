"""The dealer's rules: which fact a command records, once `verdicts` has nothing against it.

The material in a command is the shell's own work. Material that does not fit the request, or
does not verify, is a fault of this program: it raises, and nothing is recorded.
"""

from collections.abc import Sequence
from typing import assert_never

from services.dealer.core.commands import (
    CommitDeck,
    DealerCommand,
    OpenBoard,
    RecordDraw,
    RecordOpenings,
    RecordPromise,
    RecordView,
)
from services.dealer.core.commitment import verify_opening
from services.dealer.core.evolve import evolve
from services.dealer.core.shuffle import order_of
from services.dealer.core.state import Dealings
from services.dealer.core.verdicts import verdict_on
from shared.contracts.dealer import (
    BoardOpened,
    DealerEvent,
    DeckCommitted,
    DeckPromised,
    DeckRepeated,
    DrawMade,
    Opening,
    SeatsOpened,
    SeatViewed,
)
from shared.kernel.decider import Refused
from shared.poker.deck import board_positions, seat_positions

Stepped = tuple[tuple[DealerEvent, ...], Dealings] | Refused


class WrongMaterial(ValueError):
    """What the shell made does not answer what was asked."""


def step(dealings: Dealings, command: DealerCommand, _at_ms: int) -> Stepped:
    """Refuse, accept a repeat with nothing new, or record what was asked for."""
    verdict = verdict_on(dealings, command.request)
    if isinstance(verdict, Refused):
        return verdict
    if verdict == "recorded":
        return (), dealings
    event = fact_of(dealings, command)
    return (*alarms_of(command), event), evolve(dealings, event)


def alarms_of(command: DealerCommand) -> tuple[DealerEvent, ...]:
    """A deck that came twice is on record with the deck that was made in its place (PP-RNG)."""
    if isinstance(command, CommitDeck) and command.repeats:
        return (DeckRepeated(hand=command.request.hand, times=command.repeats),)
    return ()


def fact_of(dealings: Dealings, command: DealerCommand) -> DealerEvent:
    """Branch once, here; each helper below is straight-line."""
    match command:
        case RecordPromise():
            return deck_promised(command)
        case CommitDeck():
            return deck_committed(command)
        case OpenBoard():
            return board_opened(deck_of(dealings), command)
        case RecordView():
            return seat_viewed(deck_of(dealings), command)
        case RecordOpenings():
            return seats_opened(deck_of(dealings), command)
        case RecordDraw():
            return draw_made(command)
        case _:
            assert_never(command)


def deck_of(dealings: Dealings) -> DeckCommitted:
    """Return the committed deck; no verdict but a refusal comes without one."""
    if dealings.deck is None:
        raise WrongMaterial("no deck is committed")
    return dealings.deck


def deck_promised(command: RecordPromise) -> DeckPromised:
    request = command.request
    return DeckPromised(
        hand=request.hand,
        table=request.table,
        promise=command.promise,
        vault_key=command.vault_key,
        sealed_secret=command.sealed_secret,
    )


def deck_committed(command: CommitDeck) -> DeckCommitted:
    request = command.request
    if [box.seat for box in command.sealed] != [dealt.seat for dealt in request.roster]:
        raise WrongMaterial("the sealed cards are not those of the roster")
    return DeckCommitted(
        hand=request.hand,
        table=request.table,
        roster=request.roster,
        root=command.root,
        vault_key=command.vault_key,
        sealed_deck=command.sealed_deck,
        sealed=command.sealed,
        promise=request.promise,
        seeds=request.seeds,
    )


def board_opened(deck: DeckCommitted, command: OpenBoard) -> BoardOpened:
    street = command.request.street
    check_openings(deck, command.openings, board_positions(street, len(deck.roster)))
    return BoardOpened(hand=deck.hand, street=street, openings=command.openings)


def seat_viewed(deck: DeckCommitted, command: RecordView) -> SeatViewed:
    request = command.request
    return SeatViewed(
        hand=deck.hand,
        seat=request.seat,
        positions=seat_positions(seats_of(deck), request.seat),
        reason=request.reason,
        stated=request.stated,
    )


def seats_of(deck: DeckCommitted) -> list[int]:
    """Return who was dealt in, in dealing order."""
    return [dealt.seat for dealt in deck.roster]


def seats_opened(deck: DeckCommitted, command: RecordOpenings) -> SeatsOpened:
    if tuple(shown.seat for shown in command.seats) != command.request.seats:
        raise WrongMaterial("the opened seats are not those asked for")
    for shown in command.seats:
        check_openings(deck, shown.openings, seat_positions(seats_of(deck), shown.seat))
    return SeatsOpened(hand=deck.hand, seats=command.seats, stated=command.request.stated)


def check_openings(
    deck: DeckCommitted, openings: tuple[Opening, ...], positions: Sequence[int]
) -> None:
    """Let nothing out that the asker could not verify, and no position that was not asked."""
    if tuple(opening.position for opening in openings) != tuple(positions):
        raise WrongMaterial("the openings are of other positions")
    if not all(verify_opening(deck.root, deck.hand, opening) for opening in openings):
        raise WrongMaterial("an opening does not verify against the root")


def draw_made(command: RecordDraw) -> DrawMade:
    """Record no order but the one that follows from the bytes recorded with it."""
    request = command.request
    if command.order != order_from_source(command):
        raise WrongMaterial("the order does not follow from its source")
    return DrawMade(
        draw=request.draw,
        purpose=request.purpose,
        order=command.order,
        source=command.source,
    )


def order_from_source(command: RecordDraw) -> tuple[int, ...]:
    """Make the order again, as anybody can who reads the log."""
    try:
        return order_of(command.request.count, command.source)
    except ValueError as error:
        raise WrongMaterial(str(error)) from None
