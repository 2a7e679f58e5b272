"""BH-BIGSHOOT given up: too few, too late, or rolled forward in the middle of a stage."""

import pytest
from msgspec.structs import replace

from services.director.core import DECIDER, reasons
from shared.contracts.director import (
    CancelTournament,
    GuaranteeDue,
    PayoutDue,
    Placing,
    PlayerUnregistered,
    QualifiersNamed,
    TournamentCancelled,
    TournamentFinished,
    TournamentStarted,
    Withdraw,
)
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    of,
    winners,
)
from tests.rulebook.big_shoot import (
    ANN,
    BEA,
    CAT,
    DAN,
    FINAL,
    NOON_MS,
    carried,
    feeder,
    free,
    later,
    noon,
    rolled_forward,
    stage_prizes,
)


def test_bh_bigshoot_too_few_share_what_has_come_evenly():
    """BH-BIGSHOOT, BH-MTT: less what was withdrawn; odd cents to who has qualified first."""
    play = Play(later(entries_min=3))
    play.must(carried(DAN, ANN, BEA, amount_cents=6_001, withdrawal_cents=500))
    play.must(Withdraw(player=BEA))
    events = noon(play)
    assert isinstance(events[0], TournamentCancelled)
    assert stage_prizes(events) == [(DAN, 2_751, False), (ANN, 2_750, False)]
    assert free(events) == [ANN, DAN]
    assert of(PlayerUnregistered, events) == []


def test_bh_bigshoot_one_alone_in_the_final_has_won_the_whole_pool():
    """BH-BIGSHOOT: there is nobody to play with."""
    play = Play(later())
    play.must(carried(ANN))
    assert stage_prizes(noon(play)) == [(ANN, 6_000, False)]


def test_bh_bigshoot_one_alone_before_the_final_has_a_bye():
    """BH-BIGSHOOT: on to the next stage with the whole pool, less a withdrawal, without a hand."""
    play = Play(later(series=FINAL, prizes=feeder(withdrawal_cents=50).prizes, entries_min=3))
    play.must(replace(carried(ANN, BEA, withdrawal_cents=700), series=FINAL))
    play.must(Withdraw(player=BEA))
    events = noon(play)
    assert [type(event) for event in events] == [
        TournamentStarted,
        TournamentFinished,
        QualifiersNamed,
    ]
    assert of(TournamentFinished, events)[0].places == (Placing(1, ANN, 0),)
    assert events[-1] == QualifiersNamed(
        tournament=TOURNAMENT,
        series=FINAL,
        target=FINAL,
        players=(ANN,),
        amount_cents=5_300,
        fee_cents=1_000,
        commission_cents=100,
        withdrawal_cents=50,
    )
    assert (play.state.phase, reasons(play.state), play.armed()) == ("finished", (), ())


def test_bh_bigshoot_a_bye_is_no_end_before_the_start():
    """BH-BIGSHOOT, Guarantee: it waits for all that feed it; the guarantee goes on, too."""
    chosen = later(fed_by=2, series=FINAL, prizes=feeder().prizes, guarantee_cents=9_000)
    play = Play(chosen)
    play.must(replace(carried(ANN), series=FINAL))
    assert play.armed() == ()
    play.now_ms = NOON_MS
    play.must(replace(carried(source="trn_b", amount_cents=0), series=FINAL))
    assert [due.amount_cents for due in of(GuaranteeDue, play.events)] == [3_000]
    (named,) = of(QualifiersNamed, play.events)
    assert (named.players, named.amount_cents) == ((ANN,), 9_000)


def test_bh_bigshoot_a_middle_stage_that_nobody_comes_to_sends_nobody_on():
    """BH-BIGSHOOT: it is called off, and the next stage need not wait for it."""
    play = Play(later(series=FINAL, prizes=feeder().prizes))
    play.must(replace(carried(amount_cents=0), series=FINAL))
    events = noon(play)
    assert [type(event) for event in events] == [TournamentCancelled, QualifiersNamed]


def test_bh_bigshoot_a_middle_stage_that_is_cancelled_sends_nobody_on():
    """BH-BIGSHOOT: so the final need not wait for it."""
    play = Play(later(series=FINAL, prizes=feeder().prizes))
    play.must(replace(carried(ANN, BEA), series=FINAL))
    events = play.must(CancelTournament(author="ope_1", reason="broken"))
    assert stage_prizes(events) == [(ANN, 3_000, False), (BEA, 3_000, False)]
    (named,) = of(QualifiersNamed, events)
    assert (named.players, named.amount_cents) == ((), 0)


def test_bh_bigshoot_a_first_stage_cancelled_before_its_start_gives_all_prices_back():
    """BH-BIGSHOOT, PP-CRASH-REG: with the refund its players are free."""
    play = Play(feeder()).enter("ply_001")
    events = play.must(CancelTournament(author="ope_1", reason="broken"))
    assert [back.refund_cents for back in of(PlayerUnregistered, events)] == [1_100]
    assert [named.players for named in of(QualifiersNamed, events)] == [()]
    assert free(events) == []


@pytest.mark.parametrize(
    ("case", "prepare", "series"),
    [
        ("it has started", lambda play: (play.must(carried(ANN, BEA)), noon(play)), TOURNAMENT),
        (
            "it was cancelled",
            lambda play: play.must(CancelTournament(author="ope_1", reason="broken")),
            TOURNAMENT,
        ),
        ("it is of another series", lambda play: None, FINAL),
    ],
)
def test_bh_bigshoot_who_qualifies_too_late_shares_the_pool_at_once(case, prepare, series):
    """BH-BIGSHOOT: nobody's money stays where nobody plays for it."""
    play = Play(later())
    prepare(play)
    before = play.state
    events = play.must(replace(carried(CAT, DAN, source="trn_b", amount_cents=7), series=series))
    assert stage_prizes(events) == [(CAT, 4, False), (DAN, 3, False)]
    assert free(events) == [CAT, DAN]
    assert play.state == before, case


def test_bh_bigshoot_so_does_who_qualifies_for_what_was_never_announced():
    """BH-BIGSHOOT."""
    events, state = DECIDER.step(DECIDER.initial, carried(CAT), START_MS)
    assert stage_prizes(events) == [(CAT, 6_000, False)]
    assert state == DECIDER.initial


# --- rolled forward ---------------------------------------------------------------------------


def final_of_two(**changes):
    """Ann, of a tournament for 1,100 cents, and Cat, of one for 550; Bea has withdrawn."""
    play = Play(later(fed_by=2, prizes=winners(6_000, 4_000), **changes))
    play.must(carried(ANN, BEA, withdrawal_cents=700))
    play.must(carried(CAT, source="trn_b", amount_cents=3_000, price=(500, 50)))
    play.must(Withdraw(player=BEA))
    noon(play)
    play.answer_all_draws()
    play.end_hand(1, **{CAT: 500})
    return play


def test_bh_rf1_of_a_final_gives_back_what_each_has_paid_in_stage_1():
    """BH-RF1: 8,300 cents after the withdrawal, which is no prize won; 6,650 go by 3 : 1 chips."""
    sheet, events = rolled_forward(final_of_two())
    assert (sheet.policy, sheet.certain, sheet.residual_cents) == ("big_holdem", "entry", 6_650)
    assert [(line.player, line.total_cents) for line in sheet.players] == [
        (ANN, 6_088),
        (CAT, 2_212),
    ]
    assert sum(due.pool_cents for due in of(PayoutDue, events)) == 8_300
    assert free(events) == [ANN, CAT]
    assert of(QualifiersNamed, events) == []


def test_pp_rollforward_of_a_final_gives_back_the_commission_of_stage_1():
    """PP-ROLLFORWARD: half evenly, half by chips, and each their own commission."""
    sheet, _ = rolled_forward(final_of_two(rule_set="peoples_poker"))
    assert [(line.total_cents, line.commission_cents) for line in sheet.players] == [
        (2_075 + 3_113 + 100, 100),
        (2_075 + 1_037 + 50, 50),
    ]


def test_bh_rf1_before_the_seats_of_a_final_are_drawn():
    """BH-RF1: the price of stage 1 comes back all the same."""
    play = Play(later())
    play.must(carried(ANN, BEA))
    noon(play)
    sheet, _ = rolled_forward(play)
    assert [line.total_cents for line in sheet.players] == [3_000, 3_000]
    assert sheet.residual_cents == 3_800


def test_bh_bigshoot_a_stage_before_the_final_is_always_rf1():
    """BH-BIGSHOOT, BH-RF1: as a satellite, whatever the rule set; nobody goes on."""
    play = Play(feeder(players=3, seats=3, rule_set="tda")).begin()
    play.end_hand(1, ply_001=0)
    sheet, events = rolled_forward(play)
    assert (sheet.policy, sheet.certain) == ("big_holdem", "entry")
    assert [line.total_cents for line in sheet.players] == [1_100 + 534, 1_100 + 266]
    assert free(events) == ["ply_002", "ply_003"]
    assert [named.players for named in of(QualifiersNamed, events)] == [()]


def test_bh_bigshoot_who_has_qualified_without_chips_is_still_in():
    """BH-BIGSHOOT, the cut: with one chip, as who goes on from a stage of a shoot-out."""
    play = Play(feeder(players=8, seats=4, winners=7_500)).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    sheet, events = rolled_forward(play, lambda: play.end_hand(2, ply_005=0))
    (line,) = [line for line in sheet.players if line.player == "ply_005"]
    assert (line.chips, line.certain_cents, line.total_cents) == (1, 1_100, 1_100)
    assert sum(due.pool_cents for due in of(PayoutDue, events)) == 8_000
    assert "ply_005" in free(events)


def test_bh_bigshoot_a_later_stage_passes_the_lowest_price_on():
    """BH-BIGSHOOT: what a cancelled final gives back is what nobody has paid less than."""
    chosen = later(fed_by=2, series=FINAL, prizes=feeder(winners=6_700).prizes)
    play = Play(chosen)
    for fact in (carried(ANN, BEA), carried(CAT, source="trn_b", price=(500, 150))):
        play.must(replace(fact, series=FINAL))
    noon(play)
    play.answer_all_draws()
    (named,) = of(QualifiersNamed, play.end_hand(1, **{ANN: 0}))
    assert sorted(named.players) == [BEA, CAT]
    assert (named.amount_cents, named.fee_cents, named.commission_cents) == (12_000, 500, 100)
