"""What is to be done about a request: refuse it, answer it from the record, or make something.

The shell asks this before it touches a secret, and `decide` asks it again. A request that says
the same as a recorded fact is `recorded`: the first answer counts, and no rule that came later
can refuse it. Precedence of refusals after that:

`PromiseDeck` exists_with_different_content, dealt_already, then as in `requests`
`DealHands`  exists_with_different_content, then as in `requests`, unknown_promise
`DealBoard`  unknown_hand, unknown_root, street_out_of_order
`ViewSeat`   unknown_hand, unknown_root, not_dealt_in, wrong_table, bad_statement, then as in
             `requests`
`OpenSeats`  unknown_hand, unknown_root, then as in `requests`, not_dealt_in, wrong_table,
             bad_statement
`AskSeatKey` unknown_hand, not_dealt_in, wrong_player, then as in `requests`
`Draw`       exists_with_different_content, then as in `requests`
"""

from typing import Final, Literal, assert_never

from services.dealer.core.requests import (
    bad_deal,
    bad_draw,
    bad_names,
    bad_opening,
    bad_reply_key,
    bad_view,
)
from services.dealer.core.state import Dealings
from shared.contracts.dealer import (
    AskSeatKey,
    CommitRef,
    DealBoard,
    DealerRequest,
    DealHands,
    DeckCommitted,
    Draw,
    OpenSeats,
    PromiseDeck,
    ViewSeat,
)
from shared.kernel.decider import Refused
from shared.poker.deck import STREETS

COMMIT_NUMBER_MAX: Final = 2**63 - 1

Verdict = Refused | Literal["recorded", "due"]


def verdict_on(dealings: Dealings, request: DealerRequest) -> Verdict:
    """Branch once, here; a seat key is never recorded, so it is answered or refused."""
    match request:
        case PromiseDeck():
            return on_promise(dealings, request)
        case DealHands():
            return on_deal(dealings, request)
        case Draw():
            return on_draw(dealings, request)
        case DealBoard() | ViewSeat() | OpenSeats() | AskSeatKey():
            deck = dealings.deck
            if deck is None or deck.hand != request.hand:
                return Refused("unknown_hand")
            if isinstance(request, AskSeatKey):
                return on_seat_key(deck, request)
            if deck.root != request.root:
                return Refused("unknown_root")
            return on_dealt(dealings, deck, request)
        case _:
            assert_never(request)


def on_promise(dealings: Dealings, request: PromiseDeck) -> Verdict:
    """One hand id is one promise, for ever; a deck that was made without one has none."""
    promised = dealings.promise
    if promised is not None:
        first = (promised.hand, promised.table)
        return same_or_refused(first == (request.hand, request.table))
    if dealings.deck is not None:
        return Refused("dealt_already")
    return bad_names(request) or "due"


def on_deal(dealings: Dealings, request: DealHands) -> Verdict:
    """One hand id is one deck, for ever."""
    deck = dealings.deck
    if deck is not None:
        first = (deck.hand, deck.table, deck.roster, deck.promise, deck.seeds)
        asked = (request.hand, request.table, request.roster, request.promise, request.seeds)
        return same_or_refused(first == asked)
    return bad_deal(request) or unknown_promise(dealings, request) or "due"


def unknown_promise(dealings: Dealings, request: DealHands) -> Refused | None:
    """A promised deck is made of its promise, and no other deck says that it was promised."""
    promised = dealings.promise
    known = ("", b"") if promised is None else (promised.table, promised.promise)
    asked = (request.table if request.promise else "", request.promise)
    return None if known == asked else Refused("unknown_promise")


def on_draw(dealings: Dealings, request: Draw) -> Verdict:
    """One draw id is one order, for ever."""
    made = dealings.draw
    if made is not None:
        first = (made.draw, made.purpose, len(made.order))
        return same_or_refused(first == (request.draw, request.purpose, request.count))
    return bad_draw(request) or "due"


def same_or_refused(same: bool) -> Verdict:
    """A question that was answered before is the same one, or another under its name."""
    return "recorded" if same else Refused("exists_with_different_content")


def on_dealt(
    dealings: Dealings, deck: DeckCommitted, request: DealBoard | ViewSeat | OpenSeats
) -> Verdict:
    """Questions about a deck that exists and that the asker knows by its root."""
    match request:
        case DealBoard():
            return on_board(dealings, request)
        case ViewSeat():
            return on_view(dealings, deck, request)
        case OpenSeats():
            return on_opening(dealings, deck, request)
        case _:
            assert_never(request)


def on_board(dealings: Dealings, request: DealBoard) -> Verdict:
    """Flop, turn, river: each once, none before the one before it."""
    if any(board.street == request.street for board in dealings.boards):
        return "recorded"
    if STREETS[len(dealings.boards)] != request.street:
        return Refused("street_out_of_order", f"next is the {STREETS[len(dealings.boards)]}")
    return "due"


def on_view(dealings: Dealings, deck: DeckCommitted, request: ViewSeat) -> Verdict:
    """The same look may come with a new one-time key: the asker may have crashed meanwhile."""
    looked = (request.seat, request.reason, request.stated)
    if any((view.seat, view.reason, view.stated) == looked for view in dealings.views):
        return bad_reply_key(request) or "recorded"
    return (
        not_dealt_in(deck, (request.seat,))
        or bad_statement(deck, request.stated)
        or bad_view(request)
        or "due"
    )


def on_opening(dealings: Dealings, deck: DeckCommitted, request: OpenSeats) -> Verdict:
    """A seat may be opened again by another statement; the cards are the same."""
    asked = (request.seats, request.stated)
    if any((tuple(s.seat for s in shown.seats), shown.stated) == asked for shown in dealings.shown):
        return "recorded"
    return (
        bad_opening(request)
        or not_dealt_in(deck, request.seats)
        or bad_statement(deck, request.stated)
        or "due"
    )


def on_seat_key(deck: DeckCommitted, request: AskSeatKey) -> Verdict:
    """A seat's key is for the player who was dealt in there, and for nobody else."""
    owner = next((dealt.player for dealt in deck.roster if dealt.seat == request.seat), None)
    if owner is None:
        return Refused("not_dealt_in", f"seat {request.seat}")
    if owner != request.player:
        return Refused("wrong_player")
    return bad_reply_key(request) or "recorded"


def not_dealt_in(deck: DeckCommitted, seats: tuple[int, ...]) -> Refused | None:
    """Name the first seat that holds no cards of this hand."""
    dealt = [dealt.seat for dealt in deck.roster]
    stranger = next((seat for seat in seats if seat not in dealt), None)
    return None if stranger is None else Refused("not_dealt_in", f"seat {stranger}")


def bad_statement(deck: DeckCommitted, stated: CommitRef) -> Refused | None:
    """Cards are shown only on the recorded word of the table that plays the hand."""
    if stated.stream != deck.table:
        return Refused("wrong_table")
    if not 0 < stated.n <= COMMIT_NUMBER_MAX:
        return Refused("bad_statement", "a commit's number is positive")
    return None
