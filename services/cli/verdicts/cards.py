"""*Shown cards = commitments*: every card on a table was promised before the first one was dealt.

For each hand the table's facts are compared with the dealer's: one deck, made for this roster;
the same root and the same sealed cards; cards go round from the left of the button; every board
card and every shown hand opened from the positions that the roster's order gives, and each opening
leads to the root; no hole card was shown or looked at before the betting was over. With player
entropy (`seeds.py`), the deck has the promise that came first and the seeds that came since.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from services.cli.verdicts.history import History, PlayedHand, hands_of
from services.cli.verdicts.openings import opens
from services.cli.verdicts.seeds import wrong_seeds
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.dealer import (
    BoardOpened,
    CommitRef,
    DeckCommitted,
    Opening,
    SeatsOpened,
    SeatViewed,
)
from shared.contracts.hand import (
    ActionEvent,
    BoardDealt,
    HandsDealt,
    HandShown,
    OpeningAwaited,
    ViewAwaited,
)

NAME = "shown cards = commitments"
STREETS = ("flop", "turn", "river")
BOARD_OFFSETS = {"flop": (0, 1, 2), "turn": (3,), "river": (4,)}

Stated = Mapping[tuple[str, int], list[object]]
Event = TypeVar("Event")
T = TypeVar("T")


class Deck(NamedTuple):
    """What the dealer's log says about one hand."""

    committed: list[DeckCommitted]
    boards: list[BoardOpened]
    shown: list[SeatsOpened]
    viewed: list[SeatViewed]


def shown_cards_are_committed(history: History) -> Verdict:
    """Compare every hand with its deck."""
    hands, decks = hands_of(history), decks_of(history)
    stated = statements_of(history)
    found = [
        *history.unreadable,
        *(
            f"{hand.name}: {what}"
            for hand in hands
            if not (may_go_on(hand, history) and waits_for_deck(hand, decks))
            for what in wrong_hand(hand, decks, stated, may_go_on(hand, history))
        ),
        *wrong_decks(hands, decks),
        *(f"{hand}: {what}" for hand, what in wrong_seeds(history)),
    ]
    if not hands and history.at_rest:
        found.append("no hand was dealt")
    opened = sum(len(openings_in(deck)) for deck in decks.values())
    return judged(NAME, found, f"{opened:,} cards opened from {len(decks):,} committed decks")


def decks_of(history: History) -> dict[str, Deck]:
    """Collect the dealer's facts by hand."""
    decks: defaultdict[str, Deck] = defaultdict(lambda: Deck([], [], [], []))
    for fact in history.of("dealer"):
        match fact.event:
            case DeckCommitted() as event:
                decks[event.hand].committed.append(event)
            case BoardOpened() as event:
                decks[event.hand].boards.append(event)
            case SeatsOpened() as event:
                decks[event.hand].shown.append(event)
            case SeatViewed() as event:
                decks[event.hand].viewed.append(event)
            case _:
                pass
    return decks


def statements_of(history: History) -> Stated:
    """Index the tables' recorded questions by the commit that states them."""
    stated: defaultdict[tuple[str, int], list[object]] = defaultdict(list)
    for fact in history.of("table"):
        if isinstance(fact.event, OpeningAwaited | ViewAwaited):
            stated[fact.stream, fact.n].append(fact.event)
    return stated


def openings_in(deck: Deck) -> list[Opening]:
    """Return every opening of a deck."""
    boards = [opening for board in deck.boards for opening in board.openings]
    seats = [opening for shown in deck.shown for seat in shown.seats for opening in seat.openings]
    return boards + seats


def wrong_decks(hands: Iterable[PlayedHand], decks: Mapping[str, Deck]) -> Iterator[str]:
    """No deck twice, and none without a hand."""
    committed = [deck for found in decks.values() for deck in found.committed]
    roots = Counter(deck.root for deck in committed)
    sealed = Counter(deck.sealed_deck for deck in committed)
    for deck in committed:
        if roots[deck.root] > 1 or sealed[deck.sealed_deck] > 1:
            yield f"{deck.hand}: its deck was used for another hand"
    played = {hand.name for hand in hands}
    yield from (f"{name}: a deck without a hand" for name in decks if name not in played)


def waits_for_deck(hand: PlayedHand, decks: Mapping[str, Deck]) -> bool:
    """Say whether a hand has begun and nothing was dealt yet."""
    return hand.name not in decks and not events_of(hand, HandsDealt) and hand.ended is None


def may_go_on(hand: PlayedHand, history: History) -> bool:
    """Say whether the dealer may have opened what the table has not recorded, or never will."""
    return hand.ended is None and (hand.is_void or not history.at_rest)


def same_so_far(recorded: list[T], opened: list[T], *, going_on: bool) -> bool:
    """Compare what the table recorded with what the dealer opened, which comes first."""
    return recorded == (opened[: len(recorded)] if going_on else opened)


def wrong_hand(
    hand: PlayedHand, decks: Mapping[str, Deck], stated: Stated, going_on: bool
) -> Iterator[str]:
    """Compare one hand with its deck."""
    deck = decks.get(hand.name)
    if deck is None or len(deck.committed) != 1:
        yield f"has {len(deck.committed) if deck else 0} decks"
        return
    (committed,) = deck.committed
    roster = [(dealt.seat, dealt.player) for dealt in committed.roster]
    dealt_to = [(dealt.seat, dealt.player) for dealt in hand.started.seats]
    if (committed.table, roster) != (hand.table, dealt_to):
        yield "the deck was made for another table or roster"
    if not goes_round([seat for seat, _ in dealt_to], hand.started.button_seat):
        yield "the cards do not go round from the left of the button"
    for opening in openings_in(deck):
        if not opens(committed.root, hand.name, opening):
            yield f"the opening of position {opening.position} does not lead to the root"
    seen = [opening.card for opening in openings_in(deck)]
    if len(set(seen)) < len(seen):
        yield "a card was opened twice"
    yield from wrong_deal(hand, committed)
    yield from wrong_board(hand, deck, len(roster), going_on)
    yield from wrong_shown(hand, deck, [seat for seat, _ in dealt_to], going_on)
    yield from wrong_statements(hand, deck, stated)


def goes_round(seats: list[int], button: int) -> bool:
    """Say whether these seats come one after the other, the first left of the button."""
    return seats == sorted(set(seats), key=lambda seat: (seat <= button, seat))


def wrong_deal(hand: PlayedHand, committed: DeckCommitted) -> Iterator[str]:
    """The table has the dealer's root and the dealer's sealed cards."""
    dealt = events_of(hand, HandsDealt)
    if len(dealt) > 1 or (hand.ended is not None and not dealt):
        yield f"was dealt {len(dealt)} times"
    for event in dealt:
        if event.root != committed.root:
            yield "the table was dealt under another root"
        if event.sealed != committed.sealed:
            yield "the table has other sealed cards"
    boxes = [box.seat for box in committed.sealed]
    if boxes != [dealt.seat for dealt in committed.roster]:
        yield "the sealed cards are not one box a seat"


def wrong_board(hand: PlayedHand, deck: Deck, players: int, going_on: bool) -> Iterator[str]:
    """Flop, turn and river come in order, from their positions, as the dealer opened them."""
    dealt = [(event.street, event.cards) for event in events_of(hand, BoardDealt)]
    opened = [(b.street, tuple(opening.card for opening in b.openings)) for b in deck.boards]
    if not same_so_far(dealt, opened, going_on=going_on):
        yield "the board is not what the dealer opened"
    streets = tuple(street for street, _ in opened)
    if streets != STREETS[: len(streets)]:
        yield f"the streets were opened as {streets}"
    for board in deck.boards:
        due = [2 * players + offset for offset in BOARD_OFFSETS[board.street]]
        if [opening.position for opening in board.openings] != due:
            yield f"the {board.street} was opened from other positions"


def wrong_shown(hand: PlayedHand, deck: Deck, order: list[int], going_on: bool) -> Iterator[str]:
    """A shown hand is that seat's two cards, one from each round of the deal."""
    shown = [(event.seat, event.cards) for event in events_of(hand, HandShown)]
    seats = [seat for opened in deck.shown for seat in opened.seats]
    opened = [(seat.seat, tuple(o.card for o in seat.openings)) for seat in seats]
    if not same_so_far(shown, opened, going_on=going_on):
        yield "the hands shown are not those the dealer opened"
    places = {seat: place for place, seat in enumerate(order)}
    taken = [(seat.seat, tuple(o.position for o in seat.openings)) for seat in seats]
    taken += [(viewed.seat, viewed.positions) for viewed in deck.viewed]
    for number, positions in taken:
        place = places.get(number)
        if place is None or positions != (place, place + len(order)):
            yield f"seat {number} was opened or viewed at other positions"


def wrong_statements(hand: PlayedHand, deck: Deck, stated: Stated) -> Iterator[str]:
    """Nothing was shown or looked at that the table had not asked for on record, in its time."""
    for opened in deck.shown:
        question = OpeningAwaited(hand=hand.name, seats=tuple(s.seat for s in opened.seats))
        if not is_stated(question, opened.stated, hand, stated):
            yield f"seats {question.seats} were opened without a recorded question"
        elif was_bet_after(question, opened.stated, hand):
            yield f"seats {question.seats} were opened before the betting was over"
    for viewed in deck.viewed:
        view = ViewAwaited(hand=hand.name, seat=viewed.seat)
        if not is_stated(view, viewed.stated, hand, stated):
            yield f"seat {viewed.seat} was viewed without a recorded question"
        elif was_bet_after(view, viewed.stated, hand):
            yield f"seat {viewed.seat} was viewed before the betting was over"


def is_stated(question: object, at: CommitRef, hand: PlayedHand, stated: Stated) -> bool:
    """Say whether the table asked this in the commit that the dealer names, during the hand."""
    if at.stream != hand.table or at.n not in {fact.n for fact in hand.facts}:
        return False
    return question in stated.get((at.stream, at.n), [])


def was_bet_after(question: object, at: CommitRef, hand: PlayedHand) -> bool:
    """Say whether anybody folded, checked, called or raised after this question."""
    asked = False
    for fact in hand.facts:
        if fact.n == at.n and fact.event == question:
            asked = True
        elif asked and isinstance(fact.event, ActionEvent):
            return True
    return False


def events_of(hand: PlayedHand, kind: type[Event]) -> list[Event]:
    """Return a hand's events of one type."""
    return [fact.event for fact in hand.facts if isinstance(fact.event, kind)]
