"""Bugs that other poker servers have had, with the right answers (`cases.jsonl` of the data)."""

import json
from itertools import chain

import pytest
from msgspec.structs import replace

from services.table.core import legal_actions
from services.table.core.hand.evolve import new_hand
from services.table.core.hand.limits import max_raise_to
from services.table.core.hand.pots import side_pots
from services.table.core.positions import next_positions
from services.table.core.state import Positions
from shared.contracts.hand import HandStarted, PotAwarded, SeatStack, TurnStarted, UncalledReturned
from shared.poker.hand_rank import hand_rank
from shared.poker.rule_sets import BIG_HOLDEM, TDA
from tests.core.table.table_play import Play, shuffled
from tests.data import data_file

SETTLED_AS_SITES_DO = replace(TDA, raise_nobody_can_pay="accepted")


def cases(kind):
    lines = data_file("cases.jsonl").read_text().splitlines()
    found = [case for case in map(json.loads, lines) if case["input"].get("kind") == kind]
    assert found
    return found


def by_seat(chips):
    return {int(seat): value for seat, value in chips.items()}


def order_of(case):
    """Seats in dealing order."""
    seats = sorted(by_seat(case["seats"]))
    return [seat for seat in seats if seat > case["button"]] + [
        seat for seat in seats if seat <= case["button"]
    ]


def deck_of(case):
    if "holes" not in case:
        return shuffled(1)
    holes = [case["holes"][str(seat)] for seat in order_of(case)]
    return (*chain.from_iterable(zip(*holes, strict=True)), *case["board"])


def played(case, rules):
    """The case's table after its actions, each by the seat that the case names."""
    play = Play(dict(sorted(by_seat(case["seats"]).items())), button=case["button"], rules=rules)
    play.deck = deck_of(case)
    play.start(small=case["small_blind"], big=case["big_blind"], ante=case["ante"])
    for action in case["actions"]:
        if "street" not in action:
            assert legal_actions(play.table).seat == action["seat"]
            play.act(action.get("to", action["action"]))
    return play


def test_hands_settle_to_the_last_chip():
    for case in cases("hand"):
        play = played(case["input"], SETTLED_AS_SITES_DO)
        expected = case["expected"]
        stacks = {seat.seat: seat.stack_chips for seat in play.ended().seats}
        assert stacks == by_seat(expected["final_stacks"]), case["id"]
        returned = {e.seat: e.by_chips for e in play.log if isinstance(e, UncalledReturned)}
        assert returned == by_seat(expected["uncalled_returned"]), case["id"]
        pots = [sum(s.chips for s in e.shares) for e in play.log if isinstance(e, PotAwarded)]
        assert sorted(pots) == sorted(pot["amount"] for pot in expected["pots"]), case["id"]
        if "asked_preflop" in expected:
            asked = [e.seat for e in play.log if isinstance(e, TurnStarted)]
            assert asked[: len(expected["asked_preflop"])] == expected["asked_preflop"]


def test_the_choices_of_the_seat_to_act():
    for case in cases("decision"):
        if case["input"]["game"] != "NLHE":
            continue
        legal = legal_actions(played(case["input"], TDA).table)
        expected = case["expected"]
        assert (legal.seat, legal.call_chips) == (expected["actor"], expected["to_call"]), case[
            "id"
        ]
        can_raise = expected.get("can_raise", legal.max_raise_to > 0)
        assert (legal.max_raise_to > 0) == can_raise, case["id"]
        if "min_raise_to" in expected:
            raises = (legal.min_raise_to, legal.max_raise_to)
            assert raises == (expected["min_raise_to"], expected["max_raise_to"]), case["id"]


def test_the_largest_raise_in_pot_limit():
    for case in cases("pot_limit"):
        given = case["input"]
        rules = BIG_HOLDEM if given["rule"] == "seed001_literal" else TDA
        bet = given.get("current_bet", given.get("bet"))
        before = given.get("pot_before_bet", given.get("pot_including_all_bets", 0) - bet)
        hand = new_hand(
            replace(rules, limit="pot_limit"),
            HandStarted(
                hand="hnd_1",
                number=1,
                small_blind_chips=5,
                big_blind_chips=10,
                ante_chips=0,
                button_seat=1,
                small_blind_seat=1,
                big_blind_seat=2,
                seats=tuple(SeatStack(seat, f"ply_{seat}", given["stack"]) for seat in (1, 2)),
            ),
        )
        facing = replace(
            hand,
            bets=(0, given["actor_bet"], bet),
            dead=before,
            to_match=bet,
            board=("2c", "7d", "9h"),
        )
        assert max_raise_to(facing, 1) == case["expected"]["max_raise_to"], case["id"]


def test_pots_are_layered():
    for case in cases("settlement"):
        given, expected = case["input"], case["expected"]
        paid = by_seat(given["contributions"])
        for seat, chips in by_seat(expected["uncalled_returned"]).items():
            paid[seat] -= chips
        order = given["order_left_of_button"]
        live = tuple(seat for seat in order if seat not in given["folded"])
        chips = tuple(paid.get(seat, 0) for seat in range(max(order) + 1))
        pots = side_pots(chips, live, 0)
        assert [(pot.chips, sorted(pot.eligible)) for pot in pots] == [
            (pot["amount"], sorted(pot["eligible"])) for pot in expected["pots"]
        ], case["id"]


def test_pp_deadbutton_positions():
    for case in cases("positions"):
        before, expected = case["input"]["previous"], case["expected"]
        last = Positions(before["button"], before["small_blind"], before["big_blind"], "ring")
        positions = next_positions(BIG_HOLDEM, last, tuple(case["input"]["seats_alive_after"]))
        told = (positions.button_seat, positions.small_blind_seat, positions.big_blind_seat)
        assert told == tuple(expected[n] for n in ("button", "small_blind", "big_blind")), case[
            "id"
        ]
        if "last_to_act_postflop" in expected:
            assert positions.order[-1] == expected["last_to_act_postflop"]


@pytest.mark.parametrize("suit_turn", range(4))
def test_hands_compare_by_five_cards_and_never_by_suit(suit_turn):
    suits = dict(zip("cdhs", "cdhs"[suit_turn:] + "cdhs"[:suit_turn], strict=True))
    for case in cases("evaluate"):
        if case["input"]["game"] != "holdem":
            continue
        board, holes = case["input"]["board"], case["input"]["holes"]
        ranks = {
            name: hand_rank(card[0] + suits[card[1]] for card in (*hole, *board))
            for name, hole in holes.items()
        }
        best = [name for name, rank in ranks.items() if rank == max(ranks.values())]
        assert best == case["expected"]["winners"], case["id"]
