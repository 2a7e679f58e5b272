"""Deals between the last players (decisions of the director's README)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st
from pokerkit.analysis import calculate_icm

from services.director.core import DECIDER, reasons, timers
from services.director.core.deals.shares import icm, shares_in_cents
from services.director.core.terms import problems
from shared.contracts.director import (
    AnswerDeal,
    CancelTournament,
    DealAgreed,
    DealExtended,
    DealFailed,
    DealProposed,
    Level,
    OfferDeal,
    PrizeDue,
    SatellitePrizes,
    Stage,
    TournamentFinished,
    WithdrawCancellation,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.kernel.decider import Refused
from tests.core.director.director_play import Play, cleared, of, terms, winners

PRIZES = winners(5_000, 3_000, 2_000)


@given(
    st.lists(st.integers(1, 10_000), min_size=2, max_size=6),
    st.lists(st.integers(0, 100_000), min_size=2, max_size=6),
)
@settings(max_examples=200, deadline=None)
def test_icm_is_that_of_pokerkit_and_exact(chips, prizes):
    """As many prizes as players, as a deal has them."""
    prizes = sorted((prizes * 3)[: len(chips)], reverse=True)
    ours = icm(prizes, chips)
    assert sum(ours) == sum(prizes)
    theirs = calculate_icm(prizes, chips)
    apart = [abs(float(own) - other) for own, other in zip(ours, theirs, strict=True)]
    assert max(apart) < 1e-6 * max(sum(prizes), 1)


@given(
    st.sampled_from(["icm", "chips"]),
    st.lists(st.integers(1, 10_000), min_size=2, max_size=10),
    st.integers(0, 10_000_000),
)
@settings(max_examples=100, deadline=None)
def test_shares_sum_to_the_cent_and_more_chips_are_never_worth_less(method, chips, pool):
    chips = sorted(chips, reverse=True)
    weights = range(len(chips), 0, -1)
    prizes = [pool * weight // sum(weights) for weight in weights]
    shares = shares_in_cents(method, prizes, chips)
    assert sum(shares) == sum(prizes)
    assert list(shares) == sorted(shares, reverse=True)
    assert all(prizes[-1] <= share <= prizes[0] + 1 for share in shares) or method == "chips"
    assert min(shares) >= prizes[-1]


def test_by_chips_the_least_prize_is_everybodys_and_the_rest_is_shared():
    assert shares_in_cents("chips", (5_000, 3_000, 2_000), (6_000, 3_000, 1_000)) == (
        4_400,
        3_200,
        2_400,
    )


def test_icm_by_hand():
    """50 + 30 + 20 prizes, chips 2 : 1 : 1."""
    first = Fraction(1, 2) * 50 + (Fraction(1, 4) * Fraction(2, 3) * 2) * 30
    first += (1 - Fraction(1, 2) - Fraction(1, 3)) * 20
    assert icm((50, 30, 20), (2, 1, 1))[0] == first


def three_left(**changes):
    """Four players, three prizes, one is out; a hand is being played."""
    play = Play(terms(entries=4, seats=4, prizes=PRIZES, deals=True, **changes)).begin()
    play.end_hand(1, ply_001=0)
    return play


def test_the_shares_are_proposed_after_the_hand_and_nobody_is_dealt_in_meanwhile():
    play = three_left()
    assert play.must(OfferDeal(player="ply_003", method="icm"))[0].method == "icm"
    assert of(DealProposed, play.events) == []
    events = play.end_hand(1, ply_003=500)
    (proposed,) = of(DealProposed, events)
    assert [(share.player, share.stack_chips) for share in proposed.shares] == [
        ("ply_002", 2_500),
        ("ply_004", 1_000),
        ("ply_003", 500),
    ]
    assert sum(share.amount_cents for share in proposed.shares) == 4_000
    assert cleared(events) == []
    assert reasons(play.state) == (("tbl_0001_1", "deal"),)
    assert ("deal", play.now_ms + 60_000) in timers(play.state)


def open_deal(method="chips"):
    play = three_left()
    play.must(OfferDeal(player="ply_003", method=method))
    play.end_hand(1, ply_003=500)
    return play


def test_when_all_have_agreed_the_tournament_is_over_with_these_prizes():
    play = open_deal()
    for player in ("ply_003", "ply_002"):
        play.must(AnswerDeal(player=player, agree=True))
        assert play.must(AnswerDeal(player=player, agree=True)) == (), "the same again"
        assert play.state.phase == "running"
    events = play.must(AnswerDeal(player="ply_004", agree=True))
    (agreed,) = of(DealAgreed, events)
    assert agreed.prizes_cents == (1_800, 1_200, 1_000)
    assert isinstance(events[-1], TournamentFinished)
    assert [(p.place, p.player, p.prize_cents) for p in events[-1].places] == [
        (1, "ply_002", 1_800),
        (2, "ply_004", 1_200),
        (3, "ply_003", 1_000),
        (4, "ply_001", 0),
    ]
    assert sum(due.amount_cents for due in of(PrizeDue, play.events)) == 4_000


def test_a_deal_that_somebody_declines_has_failed_for_this_level():
    play = open_deal()
    play.must(AnswerDeal(player="ply_003", agree=True))
    events = play.must(AnswerDeal(player="ply_004", agree=False))
    assert [failed.player for failed in of(DealFailed, events)] == ["ply_004"]
    assert cleared(events) == ["1"]
    refused = play.tell(OfferDeal(player="ply_003", method="icm"))
    assert refused.reason == "deal_failed"
    play.now_ms += 60_000
    play.must(TimerFired(name="level"))
    play.must(OfferDeal(player="ply_003", method="icm"))


def test_in_the_last_level_another_deal_may_be_offered_after_twenty_hands():
    play = three_left(levels=(Level(10, 20),))
    play.must(OfferDeal(player="ply_003", method="chips"))
    play.end_hand(1)
    play.must(AnswerDeal(player="ply_004", agree=False))
    for _ in range(20):
        refused = play.tell(OfferDeal(player="ply_003", method="icm"))
        assert refused.reason == "deal_failed"
        play.end_hand(1)
    play.must(OfferDeal(player="ply_003", method="icm"))


def test_a_deal_that_is_not_answered_in_time_has_failed():
    play = open_deal()
    assert play.must(TimerFired(name="deal")) == ()
    play.now_ms += 60_000
    assert play.tell(AnswerDeal(player="ply_002", agree=True)) == Refused("no_deal")
    events = play.must(TimerFired(name="deal"))
    assert [failed.player for failed in of(DealFailed, events)] == [""]
    assert cleared(events) == ["1"]


def test_an_outage_is_given_back_to_those_who_have_to_answer():
    """Players never pay for downtime; told again, or in parts, it changes nothing."""
    play = open_deal()
    began = play.now_ms
    play.now_ms += 90_000
    outage = OutageOver(down_from_ms=began - 5_000, up_at_ms=began + 50_000)
    (given,) = of(DealExtended, play.must(outage))
    assert (given.down_from_ms, given.answer_by_ms) == (began, began + 110_000)
    assert not of(DealExtended, play.must(outage))
    assert play.must(TimerFired(name="deal")) == ()
    more = OutageOver(down_from_ms=began + 40_000, up_at_ms=began + 70_000)
    (given,) = of(DealExtended, play.must(more))
    assert (given.down_from_ms, given.answer_by_ms) == (began + 50_000, began + 130_000)
    assert play.state == DECIDER.fold(play.events)


def test_a_cancellation_drops_a_deal():
    play = open_deal()
    play.must(CancelTournament(author="ope_1", reason="a fault"))
    assert play.tell(AnswerDeal(player="ply_002", agree=True)) == Refused("no_deal")
    assert play.tell(OfferDeal(player="ply_002", method="icm")) == Refused("not_running")
    assert cleared(play.must(WithdrawCancellation(author="ope_1", reason="none"))) == ["1"]


@pytest.mark.parametrize(
    ("case", "play", "request_", "reason"),
    [
        ("no such tournament", None, OfferDeal(player="ply_002", method="icm"), "unknown"),
        ("not in these terms", {"deals": False}, None, "no_deals"),
        ("not any more", {}, OfferDeal(player="ply_001", method="icm"), "not_still_in"),
        ("nothing is open", {}, AnswerDeal(player="ply_002", agree=True), "no_deal"),
        ("not all are in the money", {"prizes": winners(10_000)}, None, "too_many_left"),
        (
            "another stage comes",
            {"stages": (Stage(seats=4, go_on=2), Stage(seats=2))},
            None,
            "too_many_left",
        ),
    ],
)
def test_a_deal_is_refused_for_a_reason(case, play, request_, reason):
    changes = {"entries": 4, "seats": 4, "prizes": PRIZES, "deals": True, **(play or {})}
    started = Play(terms(**changes)).begin()
    started.end_hand(1, ply_001=0)
    if play is None:
        started.state = type(started.state)()
    refused = started.tell(request_ or OfferDeal(player="ply_002", method="icm"))
    assert isinstance(refused, Refused), case
    assert refused.reason.startswith(reason), case


def test_a_second_deal_at_once_and_a_stranger_are_refused():
    play = open_deal()
    assert play.tell(OfferDeal(player="ply_002", method="icm")) == Refused("deal_open")
    assert play.tell(AnswerDeal(player="ply_001", agree=True)) == Refused("not_still_in")
    play.must(AnswerDeal(player="ply_002", agree=True))
    assert play.tell(AnswerDeal(player="ply_002", agree=False)) == Refused("already_agreed")


def test_a_satellite_has_no_deals():
    chosen = terms(deals=True, prizes=SatellitePrizes(winners=5_000))
    assert any("deals" in problem for problem in problems(chosen))
