"""Every hand, decision and settlement of `cases.jsonl`: bugs of other servers, done right here.

Each case goes through the production core under `tda`, with all that it expects. None of these
differs from a Decision of the rulebook; one that did would have to be named here.
"""

import json
from typing import Any

import pytest

from services.table.core import hand as core
from services.table.core.hand.pots import shares, side_pots
from shared.contracts.dealer import SealedCards
from shared.contracts.hand import (
    BlindPosted,
    BoardAwaited,
    DealAwaited,
    HandStarted,
    OpeningAwaited,
    PlayerCalled,
    PlayerRaised,
    PotAwarded,
    SeatStack,
    UncalledReturned,
    ViewAwaited,
)
from shared.kernel.decider import Refused
from shared.poker.deck import CARDS, STREET_OFFSETS
from shared.poker.rule_sets import TDA
from tests.data import data_file

ACTIONS = {"fold": core.fold, "check": core.check, "call": core.call}
STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


def cases(kind: str) -> list[dict[str, Any]]:
    lines = data_file("cases.jsonl").read_text().splitlines()
    found = [case for case in map(json.loads, lines) if case["input"].get("kind") == kind]
    assert found
    return found


def by_seat(chips: dict[str, int]) -> dict[int, int]:
    return {int(seat): value for seat, value in chips.items()}


class CaseHand:
    """A case's hand after its actions; `asked` are the seats that had to act, in order."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        stacks = by_seat(given["seats"])
        seats = sorted(stacks)
        button = seats.index(given["button"]) + 1
        order = seats[button:] + seats[:button]
        small, big = order[:2] if len(order) > 2 else order[::-1]
        self.log: list[core.HandEvent] = []
        self.asked: list[int] = []
        self.kinds: list[str] = []
        started = HandStarted(
            hand="hnd_1",
            number=1,
            small_blind_chips=given["small_blind"],
            big_blind_chips=given["big_blind"],
            ante_chips=given["ante"],
            button_seat=given["button"],
            small_blind_seat=small,
            big_blind_seat=big,
            seats=tuple(SeatStack(seat, f"ply_{seat}", stacks[seat]) for seat in order),
        )
        self.take(core.start_hand(TDA, started))
        for action in given["actions"]:
            if "street" not in action:
                self.act(action)

    def act(self, action: dict[str, Any]) -> None:
        """Each action has to be by the seat that the case names."""
        assert core.actor(self.hand) == action["seat"]
        if "to" in action:
            self.take(core.raise_to(self.hand, action["seat"], action["to"]))
        else:
            self.take(ACTIONS[action["action"]](self.hand, action["seat"]))
        self.kinds.append(action["action"])

    def take(self, stepped: core.Stepped | Refused) -> None:
        assert not isinstance(stepped, Refused), stepped
        events, self.hand = stepped
        self.log += events
        while self.hand.asked is not None:
            stepped = self.answer(self.hand.asked)
            assert not isinstance(stepped, Refused), stepped
            events, self.hand = stepped
            self.log += events
        if (seat := core.actor(self.hand)) is not None:
            self.asked.append(seat)

    def answer(self, asked: object) -> core.Stepped | Refused:
        match asked:
            case DealAwaited():
                boxes = tuple(SealedCards(dealt.seat, b"") for dealt in asked.roster)
                return core.deal_hands(self.hand, b"root", boxes)
            case BoardAwaited():
                cards = self.given.get("board", CARDS[:5])
                places = STREET_OFFSETS[asked.street]
                return core.deal_board(self.hand, asked.street, tuple(cards[p] for p in places))
            case OpeningAwaited():
                opened = tuple((seat, self.hole(seat)) for seat in asked.seats)
                return core.open_hands(self.hand, opened)
            case ViewAwaited():
                return core.view_hand(self.hand, asked.seat, self.hole(asked.seat))
        raise AssertionError(asked)

    def hole(self, seat: int) -> tuple[str, ...]:
        return tuple(self.given["holes"][str(seat)])


@pytest.mark.parametrize("field", ["final_stacks", "uncalled_returned", "pots", "contributions",
                                   "net", "asked_preflop", "asked_after_fold", "decisions_after",
                                   "last_action_type", "pot_won"])  # fmt: skip
def test_hands_settle_to_the_last_chip(field):
    concerned = [case for case in cases("hand") if field in case["expected"]]
    assert concerned
    for case in concerned:
        hand = CaseHand(case["input"])
        assert OUTCOME[field](hand) == expected(case, field), case["id"]


def expected(case, field):
    value = case["expected"][field]
    if field == "pots":
        return sorted((pot["amount"], tuple(sorted(pot["eligible"]))) for pot in value)
    return by_seat(value) if isinstance(value, dict) else value


def final_stacks(hand):
    return {seat: hand.hand.stacks[seat] for seat in hand.hand.order}


def returned(hand):
    return {e.seat: e.by_chips for e in hand.log if isinstance(e, UncalledReturned)}


def contributions(hand):
    """What each seat paid, an uncalled part included."""
    state, back = hand.hand, returned(hand)
    return {seat: state.paid[seat] + state.bets[seat] + back.get(seat, 0) for seat in state.order}


def pots(hand):
    """The pots as paid, with the seats that contested them."""
    state = hand.hand
    live = tuple(
        seat for seat in state.order if seat in (*state.to_act, *state.acted, *state.all_in)
    )
    paid = tuple(map(sum, zip(state.paid, state.bets, strict=True)))
    layers = side_pots(paid, live, state.dead)
    awarded = [sum(s.chips for s in e.shares) for e in hand.log if isinstance(e, PotAwarded)]
    merged = [(sum(layer.chips for layer in layers), layers[0].eligible)]
    pots = [(layer.chips, layer.eligible) for layer in layers]
    pots = pots if len(awarded) == len(layers) else merged
    assert sorted(awarded) == sorted(chips for chips, _ in pots)
    return sorted((chips, tuple(sorted(eligible))) for chips, eligible in pots)


def net(hand):
    before = by_seat(hand.given["seats"])
    return {seat: chips - before[seat] for seat, chips in final_stacks(hand).items()}


def asked_preflop(hand):
    acted = list(hand.asked)
    flop = next((n for n, a in enumerate(hand.given["actions"]) if "street" in a), len(acted))
    return acted[:flop]


def asked_after_the_last_action(hand):
    return hand.asked[len(hand.kinds) :]


def last_action_type(hand):
    last = [e for e in hand.log if isinstance(e, PlayerCalled | PlayerRaised)][-1]
    return "call" if isinstance(last, PlayerCalled) else "raise"


def pot_won(hand):
    return sum(s.chips for e in hand.log if isinstance(e, PotAwarded) for s in e.shares)


OUTCOME = {
    "final_stacks": final_stacks,
    "uncalled_returned": returned,
    "pots": pots,
    "contributions": contributions,
    "net": net,
    "asked_preflop": asked_preflop,
    "asked_after_fold": asked_after_the_last_action,
    "decisions_after": lambda hand: len(asked_after_the_last_action(hand)),
    "last_action_type": last_action_type,
    "pot_won": pot_won,
}


def test_the_choices_of_the_seat_to_act():
    for case in cases("decision"):
        hand, wanted = CaseHand(case["input"]), case["expected"]
        options = core.options(hand.hand)
        raises = (options.min_raise_to, options.max_raise_to)
        assert (options.seat, options.call_chips) == (wanted["actor"], wanted["to_call"]), case
        assert (raises > (0, 0)) == wanted.get("can_raise", raises > (0, 0)), case["id"]
        if "min_raise_to" in wanted:
            assert raises == (wanted["min_raise_to"], wanted["max_raise_to"]), case["id"]
        if "legal" in wanted:
            assert legal(hand.hand) == wanted["legal"], case["id"]
        for rejected in wanted.get("reject", ()):
            refused = core.raise_to(hand.hand, options.seat, rejected["raise_to"])
            assert refused == Refused("raise_below_minimum", f"at least {raises[0]}"), case["id"]


def legal(hand):
    """Name what is accepted, each tried; a raise over nothing is a bet."""
    seat = core.actor(hand)
    raising = "raise" if hand.to_match else "bet"
    options = core.options(hand)
    tried = {
        "fold": core.fold(hand, seat),
        "check": core.check(hand, seat),
        "call": core.call(hand, seat),
        raising: core.raise_to(hand, seat, max(options.min_raise_to, hand.to_match + 1)),
    }
    accepted = [name for name, outcome in tried.items() if not isinstance(outcome, Refused)]
    return [name for name in accepted if name != "fold" or "check" not in accepted]


def test_what_is_posted_and_where_the_hand_stands():
    for case in cases("decision"):
        hand, wanted = CaseHand(case["input"]), case["expected"]
        if "posted" in wanted:
            posted = {e.seat: e.by_chips for e in hand.log if isinstance(e, BlindPosted)}
            assert posted == by_seat(wanted["posted"]), case["id"]
        for seat, chips in by_seat(wanted.get("stack_after_post", {})).items():
            assert hand.hand.stacks[seat] == chips, case["id"]
        if "street" in wanted:
            assert STREETS[len(hand.hand.board)] == wanted["street"], case["id"]
            assert sum(hand.hand.paid) + sum(hand.hand.bets) == wanted["pot"], case["id"]


def test_settlements_pay_every_chip():
    for case in cases("settlement"):
        given, wanted = case["input"], case["expected"]
        order = tuple(given["order_left_of_button"])
        paid = dict.fromkeys(range(max(order) + 1), 0) | by_seat(given["contributions"])
        received = dict.fromkeys(order, 0)
        for seat, chips in by_seat(wanted["uncalled_returned"]).items():
            paid[seat] -= chips
            received[seat] += chips
        live = tuple(seat for seat in order if seat not in given["folded"])
        hand = core.new_hand(TDA, settled(order))
        layers = side_pots(tuple(paid.values()), live, 0)
        assert [(pot.chips, sorted(pot.eligible)) for pot in layers] == [
            (pot["amount"], sorted(pot["eligible"])) for pot in wanted["pots"]
        ], case["id"]
        for pot in layers:
            for share in shares(hand, pot, by_seat(given["hand_strength"])):
                received[share.seat] += share.chips
        assert received == by_seat(wanted["paid"]), case["id"]


def settled(order):
    """A hand of these seats, dealt in this order."""
    return HandStarted(
        hand="hnd_1",
        number=1,
        small_blind_chips=5,
        big_blind_chips=10,
        ante_chips=0,
        button_seat=order[-1],
        small_blind_seat=order[0],
        big_blind_seat=order[1],
        seats=tuple(SeatStack(seat, f"ply_{seat}", 1_000) for seat in order),
    )
