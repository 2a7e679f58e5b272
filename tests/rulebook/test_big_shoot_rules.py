"""BH-BIGSHOOT: who goes on, what goes with them, withdrawing, and the final."""

import pytest

from services.director.core import DECIDER, reasons
from services.director.core.prizes import prizes_in_cents
from shared.contracts.director import (
    DeclineRebuy,
    EntryRequested,
    PlayersQualified,
    PrizeDue,
    Purchase,
    QualifiersNamed,
    QualifyingPrizes,
    Rebuy,
    Register,
    StagePrizeDue,
    TournamentFinished,
    TournamentStarted,
    Unregister,
    Withdraw,
)
from shared.contracts.message import TimerFired
from shared.kernel.decider import Refused
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    held,
    of,
    places,
    winners,
)
from tests.rulebook.big_shoot import (
    ANN,
    BEA,
    CAT,
    FINAL,
    NOON_MS,
    begun,
    carried,
    feeder,
    free,
    later,
    noon,
    stage_prizes,
)

# --- one in ten goes on ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "winners", "entries", "go_on"),
    [
        ("one in ten", 1_000, 40, 4),
        ("floor", 1_000, 29, 2),
        ("at least one", 1_000, 9, 1),
        ("somebody does not", 9_999, 2, 1),
    ],
)
def test_bh_bigshoot_one_in_ten_goes_on(case, winners, entries, go_on):
    """BH-BIGSHOOT: floor, at least 1; whatever there is in the pool."""
    form = QualifyingPrizes(winners=winners, target=FINAL)
    for pool_cents in (0, 1, 4_001):
        shares = prizes_in_cents(form, entries, pool_cents)
        assert (len(shares), sum(shares)) == (go_on, pool_cents), case


def test_bh_bigshoot_a_stage_stops_when_who_goes_on_is_left_and_sends_the_whole_pool():
    """BH-BIGSHOOT: no prize is paid here; the best is named first."""
    play = Play(feeder(withdrawal_cents=500)).begin()
    for player in ("ply_001", "ply_002", "ply_003"):
        play.end_hand(1, **{player: 0})
    assert play.state.phase == "running"
    events = play.end_hand(1, ply_004=0, ply_005=2_500)
    assert of(PrizeDue, play.events) == []
    (finished,) = of(TournamentFinished, events)
    assert [placing.prize_cents for placing in finished.places] == [0] * 6
    assert events[-1] == QualifiersNamed(
        tournament=TOURNAMENT,
        series=FINAL,
        target=FINAL,
        players=("ply_006", "ply_005"),
        amount_cents=6_000,
        fee_cents=1_000,
        commission_cents=100,
        withdrawal_cents=500,
    )


def test_bh_bigshoot_a_guarantee_goes_on_with_the_pool():
    """BH-BIGSHOOT, Guarantee: the operator has filled it up."""
    play = Play(feeder(guarantee_cents=10_000)).begin()
    for player in ("ply_001", "ply_002", "ply_003", "ply_004"):
        events = play.end_hand(1, **{player: 0})
    (named,) = of(QualifiersNamed, events)
    assert named.amount_cents == 10_000


def test_bh_bigshoot_a_bounty_is_no_part_of_the_pool_that_goes_on():
    """BH-BIGSHOOT: it is won in stage 1, and no part of the price that a later stage gives back."""
    play = Play(feeder(bounty_cents=200)).begin()
    for player in ("ply_001", "ply_002", "ply_003", "ply_004"):
        events = play.end_hand(1, **{player: 0})
    (named,) = of(QualifiersNamed, events)
    assert (named.amount_cents, named.fee_cents) == (4_800, 800)


def test_bh_bigshoot_who_is_out_when_enough_were_out_before_has_qualified():
    """BH-BIGSHOOT, PP-TIES: a hand still played when it is decided sends nobody home."""
    play = Play(feeder(players=8, seats=4, winners=7_500)).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    assert play.state.left == 6
    events = play.end_hand(2, ply_005=0)
    assert places(events) == {"ply_005": 6}
    assert free(events) == []
    (named,) = of(QualifiersNamed, events)
    assert named.players[-1] == "ply_005"
    assert len(named.players) == 6


def test_bh_bigshoot_the_last_place_that_goes_on_is_drawn_when_tables_tie():
    """BH-BIGSHOOT, PP-TIES: two out in one round of hand for hand; one of them has place 6."""
    play = Play(feeder(players=8, seats=4, winners=7_500)).begin()
    play.end_hand(1, ply_001=0)
    play.end_hand(2)
    play.end_hand(1, ply_003=0)
    play.end_hand(2, ply_005=0)
    events = play.answer_draw()
    (named,) = of(QualifiersNamed, events)
    assert [player for player, place in places(events).items() if place == 6] == ["ply_003"]
    assert named.players[-1] == "ply_003"
    assert free(events) == ["ply_005"]


# --- buying in, once more, and never later ----------------------------------------------------


def test_bh_bigshoot_out_in_stage_1_or_2_may_buy_into_a_new_stage_1():
    """BH-BIGSHOOT: from the moment of the elimination on, and only who does not go on."""
    play = Play(feeder()).begin()
    (asked, *_) = of(EntryRequested, play.events)
    assert asked.series == FINAL
    assert free(play.end_hand(1, ply_001=0)) == ["ply_001"]
    play = begun(later(stage=2, series=FINAL, prizes=feeder().prizes))
    assert free(play.end_hand(1, ply_001=0)) == ["ply_001"]


def test_bh_bigshoot_out_in_stage_3_may_not():
    """BH-BIGSHOOT: players out in stage 1 or 2 may."""
    play = begun(later(stage=3, series=FINAL, prizes=feeder().prizes))
    assert free(play.end_hand(1, ply_001=0)) == []


def test_bh_bigshoot_after_the_final_the_winner_may_begin_anew():
    """BH-BIGSHOOT: nothing is left to win in this series."""
    play = begun(later(), players=2)
    assert free(play.end_hand(1, ply_001=0)) == ["ply_001", "ply_002"]


@pytest.mark.parametrize("stage", [2, 3])
def test_bh_bigshoot_no_buying_into_later_stages(stage):
    """BH-BIGSHOOT: nobody registers, and nobody gets a price back that was paid elsewhere."""
    play = Play(later(stage=stage, late_levels=0))
    play.must(carried(ANN, BEA))
    assert play.tell(Register(player=CAT)) == Refused("qualified_only")
    assert play.tell(Register(player=ANN)) == Refused("qualified_only")
    assert play.tell(Unregister(player=ANN)) == Refused("qualified_only")
    noon(play)
    assert play.tell(Register(player=CAT)) == Refused("qualified_only")


def test_bh_bigshoot_stage_1_sells_rebuys_and_who_is_out_is_known_when_it_closes():
    """BH-BIGSHOOT, BH-REBUY: 40 % of six entries are two; a rebuy fills the pool that goes on."""
    rebuy = Purchase(fee_cents=500, commission_cents=50, chips=1_000, until_level=1, most=1)
    play = Play(feeder(winners=4_000, rebuy=rebuy)).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    play.must(Rebuy(player="ply_001"))
    (asked,) = [request for request in play.asked if request.player == "ply_001"]
    play.must(held(asked))
    assert free(play.must(DeclineRebuy(player="ply_002"))) == []
    play.now_ms += play.terms.level_ms
    play.must(TimerFired(name="level"))
    closed = play.end_hand(1)
    assert free(closed) == ["ply_002"]
    for player in ("ply_001", "ply_003", "ply_004"):
        events = play.end_hand(1, **{player: 0})
    (named,) = of(QualifiersNamed, events)
    assert (named.players, named.amount_cents) == (("ply_005", "ply_006"), 6_500)
    assert (named.fee_cents, named.commission_cents) == (1_000, 100)


# --- withdrawing ------------------------------------------------------------------------------


def test_bh_bigshoot_a_qualified_player_may_withdraw_for_a_part_payment_out_of_the_pool():
    """BH-BIGSHOOT: of 6,000 cents 700 are paid, and shared is the rest; the player is free."""
    play = Play(later(prizes=winners(6_000, 4_000)))
    play.must(carried(ANN, BEA, CAT, withdrawal_cents=700))
    events = play.must(Withdraw(player=BEA))
    assert stage_prizes(events) == [(BEA, 700, True)]
    assert free(events) == [BEA]
    (started,) = of(TournamentStarted, noon(play))
    assert (started.players, tuple(play.state.registered)) == (2, (ANN, CAT))
    assert started.pool_cents == 5_300
    assert started.prizes_cents == (3_180, 2_120)


def test_bh_bigshoot_nobody_withdraws_more_than_an_even_share_of_what_came_along():
    """BH-BIGSHOOT: the pool of a later stage is not known when its lobby opens."""
    play = Play(later())
    (qualified,) = play.must(carried(ANN, BEA, CAT, amount_cents=1_000, withdrawal_cents=700))
    assert qualified.withdrawal_cents == 333
    assert stage_prizes(play.must(Withdraw(player=CAT))) == [(CAT, 333, True)]


@pytest.mark.parametrize(
    ("case", "given", "player", "reason"),
    [
        ("nowhere", None, ANN, "unknown_tournament"),
        (
            "it has started",
            (carried(ANN, BEA, withdrawal_cents=700), "noon"),
            CAT,
            "not_registering",
        ),
        ("somebody else", (carried(ANN, BEA, withdrawal_cents=700),), CAT, "not_qualified"),
        ("not on these terms", (carried(ANN, BEA),), ANN, "no_withdrawing"),
        ("the last one", (carried(ANN, withdrawal_cents=700),), ANN, "last_one"),
        ("nothing to take goes before last", (carried(ANN),), ANN, "no_withdrawing"),
    ],
)
def test_bh_bigshoot_withdrawing_is_refused(case, given, player, reason):
    """BH-BIGSHOOT: in the documented order."""
    if given is None:
        refused = DECIDER.step(DECIDER.initial, Withdraw(player=player), START_MS)
    else:
        play = Play(later())
        for fact in given:
            noon(play) if fact == "noon" else play.must(fact)
        refused = play.tell(Withdraw(player=player))
    assert isinstance(refused, Refused)
    assert refused.reason == reason, case


def test_bh_bigshoot_who_has_withdrawn_may_qualify_again():
    """BH-BIGSHOOT: by a new entry into stage 1; what is withdrawn is paid once for each."""
    play = Play(later())
    play.must(carried(ANN, BEA, CAT, withdrawal_cents=700))
    play.must(Withdraw(player=BEA))
    play.must(carried(BEA, source="trn_b", withdrawal_cents=800))
    events = play.must(Withdraw(player=BEA))
    assert [(due.from_tournament, due.amount_cents) for due in of(StagePrizeDue, events)] == [
        ("trn_b", 800)
    ]
    assert play.state.collected_cents == 12_000 - 1_500


# --- the start --------------------------------------------------------------------------------


def test_bh_bigshoot_a_stage_waits_for_the_stage_before_and_then_starts_at_once():
    """BH-BIGSHOOT: its moment has passed meanwhile; no timer fires in vain."""
    play = Play(later(fed_by=2))
    assert play.armed() == ()
    play.must(carried(ANN, BEA))
    assert reasons(play.state) == (("start", "stage_before: 1 of 2 tournaments are over"),)
    assert noon(play) == ()
    play.now_ms += 60_000
    events = play.must(carried(CAT, source="trn_b"))
    (started,) = of(TournamentStarted, events)
    assert (started.players, tuple(play.state.registered)) == (3, (ANN, BEA, CAT))
    assert reasons(play.state) == ()


def test_bh_bigshoot_fed_before_its_moment_it_waits_for_that():
    """BH-BIGSHOOT, BH-MTT."""
    play = Play(later())
    play.must(carried(ANN, BEA))
    assert play.armed() == (("start", NOON_MS),)
    assert of(TournamentStarted, noon(play))


def test_bh_bigshoot_a_tournament_that_was_cancelled_need_not_be_waited_for():
    """BH-BIGSHOOT: it sends nobody and nothing, and counts."""
    play = Play(later(fed_by=2))
    play.must(carried(ANN, BEA))
    play.must(carried(source="trn_b", amount_cents=0))
    assert of(TournamentStarted, noon(play))


def test_bh_bigshoot_the_final_shares_the_whole_pool_with_the_guarantee():
    """BH-BIGSHOOT, Guarantee."""
    play = Play(later(fed_by=2, guarantee_cents=20_000, prizes=winners(10_000)))
    play.must(carried(ANN))
    play.must(carried(BEA, source="trn_b"))
    (started,) = of(TournamentStarted, noon(play))
    assert started.prizes_cents == (20_000,)
    play.answer_all_draws()
    (prize,) = of(PrizeDue, play.end_hand(1, **{ANN: 0}))
    assert (prize.player, prize.amount_cents) == (BEA, 20_000)


def test_bh_bigshoot_a_pool_comes_once():
    """BH-BIGSHOOT."""
    play = Play(later(fed_by=2))
    assert of(PlayersQualified, play.must(carried(ANN)))
    assert play.must(carried(ANN)) == ()
