"""The dealer's rules, told as given/when/then rows: refusals in precedence, repeats, streets."""

import pytest
from msgspec.structs import replace

from services.dealer.core import DECIDER, WrongMaterial, verdict_on
from services.dealer.core.commands import CommitDeck, OpenBoard, RecordDraw, RecordOpenings
from services.dealer.shell.sealing import unseal_deck
from services.dealer.shell.vault import vault_of
from shared.contracts.dealer import (
    AskSeatKey,
    BoardOpened,
    CommitRef,
    DealBoard,
    DealHands,
    DealtHands,
    DealtIn,
    DeckCommitted,
    DeckRepeated,
    Draw,
    DrawMade,
    OpenSeats,
    SeatsOpened,
    SeatViewed,
    ViewSeat,
)
from shared.kernel.decider import Refused
from shared.runtime.sealed import new_reply_key
from tests.core.dealer.dealer_play import (
    HAND,
    STATED,
    STREETS,
    TABLE,
    VAULT_KEY,
    Dealer,
    deal,
    roster_of,
)
from tests.used_decks import finished

ROOT = Dealer().ask(deal()).root
KEY = b"\x09" + bytes(31)
LOW_ORDER_KEY = bytes(32)
DRAW = Draw(draw="drw_1", purpose="seats", count=3)
BOARD = DealBoard(hand=HAND, root=ROOT, street="flop")
VIEW = ViewSeat(hand=HAND, root=ROOT, seat=2, reason="showdown", stated=STATED, to_key=KEY)
OPEN = OpenSeats(hand=HAND, root=ROOT, seats=(3, 1), stated=STATED)
ASK = AskSeatKey(hand=HAND, seat=2, player="ply_2", to_key=KEY)

FRESH = ()
DEALT = (deal(),)
FLOPPED = (*DEALT, BOARD)
DRAWN = (DRAW,)
SOURCE = b"\xff\x01\x01"  # Thrown away, as 255 of 3 · 85; 1 of 3; 1 of 2.
ORDER = (0, 2, 1)


def but(request, **changes):
    return replace(request, **changes)


def twice_in(seats=(1, 2), players=("ply_1", "ply_2")):
    return tuple(DealtIn(seat=s, player=p) for s, p in zip(seats, players, strict=True))


NO_ROSTER = but(deal(), roster=())
OTHER_TABLE = CommitRef(stream="tbl_2", n=0)

REFUSALS = [
    # given, when, reason: each row also breaks a rule that comes later, where there is one
    (FRESH, but(NO_ROSTER, hand="trn_1", table=""), "bad_hand_id"),
    (FRESH, but(NO_ROSTER, hand="hnd_A"), "bad_hand_id"),
    (FRESH, but(NO_ROSTER, hand="hnd_1/2"), "bad_hand_id"),
    (FRESH, but(NO_ROSTER, hand="hnd_" + "x" * 80), "bad_hand_id"),
    (FRESH, but(NO_ROSTER, table="hnd_1"), "bad_table_id"),
    (FRESH, NO_ROSTER, "empty_roster"),
    (FRESH, but(deal(), roster=roster_of(24, first_seat=0)), "roster_too_long"),
    (FRESH, but(deal(), roster=twice_in(seats=(0, 0))), "bad_seat"),
    (FRESH, but(deal(), roster=twice_in(seats=(256, 256))), "bad_seat"),
    (FRESH, but(deal(), roster=twice_in((1, 1), ("ply_1", "ply 2"))), "bad_player_id"),
    (FRESH, but(deal(), roster=twice_in((1, 1), ("ply_1", "ply_1"))), "seat_twice"),
    (FRESH, but(deal(), roster=twice_in(players=("ply_1", "ply_1"))), "player_twice"),
    (DEALT, NO_ROSTER, "exists_with_different_content"),
    (DEALT, but(deal(), table="tbl_2"), "exists_with_different_content"),
    (DEALT, but(deal(), roster=roster_of(3)[::-1]), "exists_with_different_content"),
    (FRESH, but(BOARD, root=b"", street="river"), "unknown_hand"),
    (DRAWN, BOARD, "unknown_hand"),
    (DEALT, but(BOARD, hand="hnd_2"), "unknown_hand"),
    (DEALT, but(BOARD, root=bytes(32), street="river"), "unknown_root"),
    (DEALT, but(BOARD, root=b""), "unknown_root"),
    (DEALT, but(BOARD, street="turn"), "street_out_of_order"),
    (DEALT, but(BOARD, street="river"), "street_out_of_order"),
    (FLOPPED, but(BOARD, street="river"), "street_out_of_order"),
    (FLOPPED, but(BOARD, root=bytes(32)), "unknown_root"),
    (FRESH, VIEW, "unknown_hand"),
    (DEALT, but(VIEW, root=bytes(32), seat=9), "unknown_root"),
    (DEALT, but(VIEW, seat=9, stated=OTHER_TABLE), "not_dealt_in"),
    (DEALT, but(VIEW, stated=OTHER_TABLE, reason=""), "wrong_table"),
    (DEALT, but(VIEW, stated=but(STATED, n=0), reason=""), "bad_statement"),
    (DEALT, but(VIEW, stated=but(STATED, n=-5)), "bad_statement"),
    (DEALT, but(VIEW, stated=but(STATED, n=2**63)), "bad_statement"),
    (DEALT, but(VIEW, reason="", to_key=b""), "bad_reason"),
    (DEALT, but(VIEW, reason="a\nb"), "bad_reason"),
    (DEALT, but(VIEW, reason="x" * 201), "bad_reason"),
    (DEALT, but(VIEW, to_key=KEY[:31]), "bad_key"),
    (DEALT, but(VIEW, to_key=LOW_ORDER_KEY), "bad_key"),
    ((*DEALT, VIEW), but(VIEW, to_key=LOW_ORDER_KEY), "bad_key"),
    ((*DEALT, VIEW), but(VIEW, to_key=b""), "bad_key"),
    (FRESH, OPEN, "unknown_hand"),
    (DEALT, but(OPEN, root=bytes(32), seats=()), "unknown_root"),
    (DEALT, but(OPEN, seats=(), stated=OTHER_TABLE), "no_seats"),
    (DEALT, but(OPEN, seats=(9, 9)), "seat_twice"),
    (DEALT, but(OPEN, seats=(1, 9), stated=OTHER_TABLE), "not_dealt_in"),
    (DEALT, but(OPEN, stated=OTHER_TABLE), "wrong_table"),
    (DEALT, but(OPEN, stated=but(STATED, n=0)), "bad_statement"),
    (FRESH, ASK, "unknown_hand"),
    (DEALT, but(ASK, seat=9, player="ply_9"), "not_dealt_in"),
    (DEALT, but(ASK, player="ply_1", to_key=b""), "wrong_player"),
    (DEALT, but(ASK, to_key=KEY + b"\x00"), "bad_key"),
    (DEALT, but(ASK, to_key=LOW_ORDER_KEY), "bad_key"),
    (FRESH, but(DRAW, draw="hnd_1", purpose=""), "bad_draw_id"),
    (FRESH, but(DRAW, purpose="", count=0), "bad_purpose"),
    (FRESH, but(DRAW, purpose="é"), "bad_purpose"),
    (FRESH, but(DRAW, purpose='b"'), "bad_purpose"),
    (FRESH, but(DRAW, count=0), "empty_candidates"),
    (FRESH, but(DRAW, count=-1), "empty_candidates"),
    (FRESH, but(DRAW, count=10_001), "too_many_candidates"),
    (DRAWN, but(DRAW, draw="drw_2", count=0), "exists_with_different_content"),
    (DRAWN, but(DRAW, purpose="movers"), "exists_with_different_content"),
    (DRAWN, but(DRAW, count=4), "exists_with_different_content"),
]


def dealer_after(requests):
    dealer = Dealer()
    for request in requests:
        assert not isinstance(dealer.ask(request), Refused)
    return dealer


@pytest.mark.parametrize(
    ("given", "when", "reason"), REFUSALS, ids=[f"{n}-{row[2]}" for n, row in enumerate(REFUSALS)]
)
def test_refusals(given, when, reason):
    dealer = dealer_after(given)
    before, told = dealer.state, dealer.ask(when)
    assert isinstance(told, Refused)
    assert told.reason == reason
    assert dealer.state == before


@pytest.mark.parametrize(
    ("given", "when", "then"),
    [
        (FRESH, deal(), DeckCommitted),
        (FRESH, deal(players=1), DeckCommitted),
        (FRESH, deal(players=23), DeckCommitted),
        (DEALT, BOARD, BoardOpened),
        (FLOPPED, but(BOARD, street="turn"), BoardOpened),
        (DEALT, VIEW, SeatViewed),
        ((*DEALT, VIEW), but(VIEW, reason="again"), SeatViewed),
        (DEALT, OPEN, SeatsOpened),
        ((*DEALT, OPEN), but(OPEN, stated=but(STATED, n=18)), SeatsOpened),
        (FRESH, DRAW, DrawMade),
    ],
)
def test_each_question_records_one_fact(given, when, then):
    dealer = dealer_after(given)
    told = dealer.ask(when)
    assert not isinstance(told, Refused)
    assert [type(event) for event in dealer.log[len(given) :]] == [then]


@pytest.mark.parametrize("street", STREETS)
def test_streets_come_in_order_and_each_once(street):
    dealer = dealer_after(DEALT)
    first = {name: dealer.board(name) for name in STREETS}
    recorded = tuple(dealer.log)
    assert dealer.board(street) == first[street]
    assert tuple(dealer.log) == recorded


@pytest.mark.parametrize(
    ("given", "when"), [(FRESH, deal()), (DEALT, BOARD), (DEALT, OPEN), (FRESH, DRAW)]
)
def test_a_repeat_gets_the_first_answer_and_records_nothing(given, when):
    dealer = dealer_after(given)
    first, recorded = dealer.ask(when), list(dealer.log)
    dealer_after_crash = Dealer(seed=99)
    dealer_after_crash.state = DECIDER.fold(recorded)
    for again in (dealer, dealer_after_crash):
        assert again.ask(when) == first
    assert dealer.log == recorded
    assert dealer_after_crash.log == []


def test_a_repeated_look_may_bring_a_new_key_and_is_recorded_once():
    dealer = dealer_after((*DEALT, VIEW))
    key = new_reply_key(dealer.entropy)
    assert not isinstance(dealer.ask(but(VIEW, to_key=key.public)), Refused)
    assert [type(event) for event in dealer.log] == [DeckCommitted, SeatViewed]


def test_a_look_records_who_asked_why_and_where_but_not_what():
    dealer = dealer_after((*DEALT, VIEW))
    assert dealer.log[-1] == SeatViewed(
        hand=HAND, seat=2, positions=(1, 4), reason="showdown", stated=STATED
    )


def test_asking_for_a_seat_key_commits_nothing():
    dealer = dealer_after(DEALT)
    assert dealer.decider.step(dealer.state, ASK, 0) == ((), dealer.state)


def prepared(dealer, *requests):
    """Make decks for these requests ready, as the runtime does before it decides."""
    finished(dealer.shuffles.prepare([(dealer.state, request) for request in requests]))


def test_dealing_again_in_the_same_state_makes_another_deck():
    dealer, roots = Dealer(), set()
    for _ in range(5):
        prepared(dealer, deal())
        (event,), _ = dealer.decider.step(dealer.state, deal(), 0)
        roots.add(event.root)
    assert len(roots) == 5


def test_a_deck_goes_into_one_decision_only_and_without_one_the_question_stays_open():
    dealer = Dealer()
    prepared(dealer, deal())
    assert not isinstance(dealer.decider.step(dealer.state, deal(), 0), Refused)
    told = dealer.decider.step(dealer.state, deal(), 0)
    assert isinstance(told, Refused)
    assert told.reason == "unavailable"


def test_pp_rng_a_deck_that_was_used_is_made_anew_and_on_record():
    first = Dealer(seed=1)
    first.ask(deal(hand="hnd_1"))
    second = Dealer(seed=1)
    second.shuffles._registry = first.shuffles._registry
    second.ask(deal(hand="hnd_2"))
    alarm, committed = second.log
    assert alarm == DeckRepeated(hand="hnd_2", times=1)
    decks = [unseal_deck(VAULT_KEY, deck) for deck in (first.log[0], committed)]
    assert decks[0].cards != decks[1].cards
    assert DECIDER.fold(second.log) == DECIDER.fold([committed])


def test_cards_go_round_one_at_a_time_then_the_board_without_burns():
    dealer = dealer_after((*DEALT, OPEN))
    (third, first) = dealer.log[-1].seats
    assert [opening.position for opening in third.openings] == [2, 5]
    assert [opening.position for opening in first.openings] == [0, 3]
    boards = [dealer.board(street).openings for street in STREETS]
    assert [[opening.position for opening in board] for board in boards] == [
        [6, 7, 8],
        [9],
        [10],
    ]


def test_a_key_that_is_no_longer_in_the_vault_is_said_and_answers_stay():
    given = dealer_after((*FLOPPED, OPEN))
    keyless = Dealer(vault=vault_of([bytes(32)]))
    keyless.state = given.state
    for request in (but(BOARD, street="turn"), but(OPEN, seats=(2,)), VIEW, ASK):
        assert keyless.ask(request) == Refused("vault_key_missing", given.state.deck.vault_key)
    for request in (deal(), BOARD, OPEN):
        assert keyless.ask(request) == given.ask(request)


def stolen(request, positions):
    """Material that the core must not record: true openings, of other positions."""
    dealer = dealer_after(DEALT)
    return dealer.state, unseal_deck(VAULT_KEY, dealer.state.deck).opened(positions)


def test_the_core_records_no_material_that_does_not_answer_the_question():
    dealt, of_hole = stolen(BOARD, (0, 1, 2))
    _, of_flop = stolen(BOARD, (6, 7, 8))
    forged = (replace(of_flop[0], card=of_flop[1].card), *of_flop[1:])
    commands = [
        (dealt, OpenBoard(BOARD, of_hole)),
        (dealt, OpenBoard(BOARD, of_flop[:2])),
        (dealt, OpenBoard(BOARD, forged)),
        (dealt, RecordOpenings(OPEN, ())),
        (DECIDER.initial, RecordDraw(DRAW, (0, 1, 1), SOURCE)),
        (DECIDER.initial, RecordDraw(DRAW, (0, 1), SOURCE)),
        (DECIDER.initial, RecordDraw(DRAW, ORDER[::-1], SOURCE)),
        (DECIDER.initial, RecordDraw(DRAW, ORDER, SOURCE[:-1])),
        (DECIDER.initial, RecordDraw(DRAW, ORDER, SOURCE + b"\x00")),
        (DECIDER.initial, RecordDraw(DRAW, (0, 1), SOURCE[1:])),
        (DECIDER.initial, CommitDeck(deal(), ROOT, "vk", b"", ())),
    ]
    for state, command in commands:
        assert verdict_on(state, command.request) == "due"
        with pytest.raises(WrongMaterial):
            DECIDER.step(state, command, 0)


def test_the_core_records_the_order_that_its_source_makes():
    (event,), _ = DECIDER.step(DECIDER.initial, RecordDraw(DRAW, ORDER, SOURCE), 0)
    assert event == DrawMade(draw="drw_1", purpose="seats", order=ORDER, source=SOURCE)


def test_replies_carry_what_was_committed():
    dealer = dealer_after(DEALT)
    deck = dealer.log[0]
    assert dealer.ask(deal()) == DealtHands(hand=HAND, root=deck.root, sealed=deck.sealed)
    assert deck.table == TABLE
    assert deck.roster == deal().roster


def test_nothing_is_answered_that_is_not_on_record():
    dealer = dealer_after(DEALT)
    for request in (BOARD, VIEW, OPEN, DRAW, but(ASK, player="ply_1")):
        assert dealer.respond(dealer.state, request) is None
    assert dealer.respond(DECIDER.initial, DealHands(hand=HAND, table=TABLE, roster=())) is None
