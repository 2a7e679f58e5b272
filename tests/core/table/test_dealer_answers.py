"""The dealer's answers: taken once, for what was asked; refused in this order otherwise."""

import pytest
from msgspec.structs import replace

from services.table.core import (
    AwaitBoard,
    AwaitDeal,
    AwaitOpening,
    AwaitView,
    SeatSeen,
    awaiting,
)
from shared.contracts.dealer import DealtHands, DealtIn, SealedCards
from shared.contracts.hand import HandMucked, HandShown, OpeningAwaited
from shared.contracts.table import Call, Check, RaiseTo
from tests.core.table.table_play import TABLE, Play

STACKS = {1: 1_000, 4: 1_000, 6: 1_000}
# Dealt to seats 1, 4, 6: kings, aces, queens; the board helps nobody.
DECK = ("Ks", "As", "Qs", "Kh", "Ah", "Qh", "2c", "7d", "9h", "3s", "4c")


def at_deal():
    play = Play(STACKS, button=6)
    play.deck = DECK
    play.begin()
    return play


def at_flop():
    play = at_deal()
    play.answer()
    play.play("call", "call")
    play.tell(play.action(Check))
    return play


def at_showdown():
    """Nobody bet: seat 1, left of the button, is the first to show."""
    play = at_flop()
    play.answer()
    play.play(*["check"] * 8)
    play.tell(play.action(Check))
    return play


def at_view():
    play = at_showdown()
    play.tell(play.reply())
    return play


def spoilt(openings, place, **changes):
    """The same openings, one of them changed."""
    changed = replace(openings[place], **changes)
    return (*openings[:place], changed, *openings[place + 1 :])


def spoilt_seats(reply, **changes):
    """The same opened seat with its second card changed."""
    (seat,) = reply.seats
    return replace(reply, seats=(replace(seat, openings=spoilt(seat.openings, 1, **changes)),))


def test_each_question_is_one_struct_with_what_the_dealer_needs():
    play = at_deal()
    roster = tuple(DealtIn(seat, f"ply_{seat}") for seat in (1, 4, 6))
    assert awaiting(play.table) == AwaitDeal("hnd_1", TABLE, roster)
    play = at_flop()
    assert awaiting(play.table) == AwaitBoard("hnd_1", b"root", "flop")
    play = at_showdown()
    assert awaiting(play.table) == AwaitOpening("hnd_1", b"root", (1,))
    play.tell(play.reply())
    assert awaiting(play.table) == AwaitView("hnd_1", b"root", 4)


ROWS = [
    # question, what the dealer should have said → what it says, refusal
    (at_deal, lambda reply: replace(reply, hand="hnd_2"), "unknown_hand"),
    (at_deal, lambda _: SeatSeen("hnd_1", 1, ("Ks", "Kh")), "not_awaited"),
    (at_deal, lambda reply: replace(reply, sealed=reply.sealed[::-1], root=b""), "wrong_seats"),
    (at_deal, lambda reply: replace(reply, sealed=reply.sealed[:2]), "wrong_seats"),
    (at_deal, lambda reply: replace(reply, root=b""), "no_root"),
    (at_flop, lambda reply: replace(reply, hand="hnd_2"), "unknown_hand"),
    (at_flop, lambda _: DealtHands(hand="hnd_1", root=b"root", sealed=()), "not_awaited"),
    (at_flop, lambda reply: replace(reply, street="turn"), "wrong_street"),
    (at_flop, lambda reply: replace(reply, openings=()), "wrong_number_of_cards"),
    (at_flop, lambda r: replace(r, openings=r.openings * 2), "wrong_number_of_cards"),
    (at_flop, lambda r: replace(r, openings=spoilt(r.openings, 2, card="1h")), "no_such_card"),
    (at_flop, lambda r: replace(r, openings=spoilt(r.openings, 2, card="2c")), "card_twice"),
    (at_flop, lambda r: replace(r, openings=spoilt(r.openings, 2, position=9)), "wrong_positions"),
    (at_showdown, lambda reply: replace(reply, hand="hnd_2"), "unknown_hand"),
    (at_showdown, lambda _: SeatSeen("hnd_1", 1, ("Ks", "Kh")), "not_awaited"),
    (at_showdown, lambda reply: replace(reply, seats=()), "wrong_seats"),
    (at_showdown, lambda r: replace(r, seats=(replace(r.seats[0], seat=4),)), "wrong_seats"),
    (
        at_showdown,
        lambda r: replace(r, seats=(replace(r.seats[0], openings=r.seats[0].openings[:1]),)),
        "wrong_number_of_cards",
    ),
    (at_showdown, lambda reply: spoilt_seats(reply, card="Kx"), "no_such_card"),
    (at_showdown, lambda reply: spoilt_seats(reply, card="Ks"), "card_twice"),
    (at_showdown, lambda reply: spoilt_seats(reply, card="7d"), "card_twice"),
    (at_showdown, lambda reply: spoilt_seats(reply, position=4), "wrong_positions"),
    (at_view, lambda reply: replace(reply, hand="hnd_2"), "unknown_hand"),
    (at_view, lambda reply: replace(reply, seat=6), "wrong_seats"),
    (at_view, lambda reply: replace(reply, cards=("As",)), "wrong_number_of_cards"),
    (at_view, lambda reply: replace(reply, cards=("As", "A")), "no_such_card"),
    (at_view, lambda reply: replace(reply, cards=("As", "Kh")), "card_twice"),
]


@pytest.mark.parametrize(("question", "spoil", "reason"), ROWS)
def test_a_wrong_answer_is_refused_and_the_question_stays_open(question, spoil, reason):
    play = question()
    asked = awaiting(play.table)
    assert play.refused(spoil(play.reply())) == reason
    assert awaiting(play.table) == asked
    play.tell(play.reply())


@pytest.mark.parametrize("question", [at_deal, at_flop, at_showdown, at_view])
def test_an_answer_is_taken_once(question):
    play = question()
    reply = play.reply()
    play.tell(reply)
    assert play.refused(reply) in {"not_awaited", "wrong_seats"}


def test_an_answer_after_the_hand_is_too_late():
    play = at_view()
    reply = play.reply()
    play.answer()
    assert play.refused(reply) == "unknown_hand"
    assert play.refused(DealtHands(hand="hnd_1", root=b"r", sealed=())) == "unknown_hand"


def test_no_card_is_in_two_hands_opened_together():
    play = Play({1: 300, 4: 300}, button=4)
    play.start()
    play.tell(play.action(RaiseTo, to=300))
    play.tell(play.action(Call))
    reply = play.reply()
    first, second = reply.seats
    shared = replace(second.openings[0], card=first.openings[1].card)
    twice = replace(second, openings=(shared, second.openings[1]))
    assert play.refused(replace(reply, seats=(first, twice))) == "card_twice"
    play.tell(reply)


def test_a_better_hand_is_opened_and_a_worse_one_mucks_at_once():
    play = at_view()
    (opening,) = play.tell(play.reply())
    assert opening == OpeningAwaited(hand="hnd_1", seats=(4,))
    shown, view = play.tell(play.reply())
    assert shown == HandShown(seat=4, cards=("As", "Ah"))
    assert view.seat == 6
    assert play.tell(play.reply())[0] == HandMucked(seat=6)
    assert play.stacks == {1: 990, 4: 1_020, 6: 990}


def test_the_boxes_are_kept_as_they_came():
    play = at_deal()
    sealed = tuple(SealedCards(seat, bytes([seat])) for seat in (1, 4, 6))
    dealt, _turn = play.tell(DealtHands(hand="hnd_1", root=b"root", sealed=sealed))
    assert dealt.sealed == sealed
