"""BH-BIGSHOOT: who goes on, what goes with them, withdrawing, the final, and what may go wrong."""

import pytest
from msgspec.structs import replace

from services.director.core import DECIDER, HaltReported, reasons
from services.director.core.prizes import prizes_in_cents
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.terms import problems
from shared.contracts.director import (
    ApproveSheet,
    BigShoot,
    CancelTournament,
    CreateTournament,
    EntryRequested,
    LeftBigShoot,
    PayoutDue,
    PlayersQualified,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    QualifyingPrizes,
    Register,
    SatellitePrizes,
    SheetFinal,
    Stage,
    StagePrizeDue,
    TournamentCancelled,
    TournamentFinished,
    TournamentStarted,
    Unregister,
    Withdraw,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import TableHalted
from shared.contracts.wallet import PoolCarried
from shared.kernel.decider import Refused
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    of,
    places,
    players_named,
    terms,
    winners,
)

FINAL = "trn_final"
NOON_MS = START_MS + 3_600_000
ANN, BEA, CAT, DAN = "ply_ann", "ply_bea", "ply_cat", "ply_dan"


def feeder(players=6, seats=6, winners=3_400, withdrawal_cents=0, stage=1, **changes):
    """Stage 1: two of six go on."""
    return terms(
        entries=players,
        seats=seats,
        prizes=QualifyingPrizes(winners=winners, target=FINAL, withdrawal_cents=withdrawal_cents),
        big_shoot=BigShoot(series=FINAL, stage=stage),
        **changes,
    )


def later(fed_by=1, stage=2, series="", **changes):
    """A later stage, that begins at noon; by itself the final."""
    chosen = terms(
        entries=100,
        seats=6,
        fee_cents=0,
        commission_cents=0,
        start_at_ms=NOON_MS,
        big_shoot=BigShoot(series=series, stage=stage, fed_by=fed_by),
    )
    return replace(chosen, **changes)


def carried(*players, source="trn_a", amount_cents=6_000, price=(1_000, 100), withdrawal_cents=0):
    fee_cents, commission_cents = price
    return PoolCarried(
        tournament=TOURNAMENT,
        from_tournament=source,
        series=TOURNAMENT,
        players=players,
        amount_cents=amount_cents,
        fee_cents=fee_cents,
        commission_cents=commission_cents,
        withdrawal_cents=withdrawal_cents,
        postings=(),
    )


def noon(play):
    """The scheduled start has come."""
    play.now_ms = NOON_MS
    return play.must(TimerFired(name="start"))


def stage_prizes(events):
    return [(due.player, due.amount_cents, due.withdrew) for due in of(StagePrizeDue, events)]


def free(events):
    return [player for left in of(LeftBigShoot, events) for player in left.players]


def begun(chosen, players=6, **more):
    """A later stage in play, fed by one tournament of the stage before."""
    play = Play(chosen)
    fact = carried(*players_named(players), **more)
    play.must(replace(fact, series=play.state.series))
    noon(play)
    return play.answer_all_draws()


def rolled_forward(play, meanwhile=lambda: None):
    """Give it up, halt its tables, approve the sheet; return the sheet and what is due then."""
    play.must(CancelTournament(author="ope_1", reason="broken"))
    meanwhile()
    for table in tuple(play.state.tables.values()):
        halted = TableHalted(tournament=TOURNAMENT, table=table.table, hand="", seats=table.seats)
        play.must(HaltReported(halted, "table-1", len(play.events)))
    (final,) = of(SheetFinal, play.events)
    sheet = sheet_now(play.state)
    return sheet, play.must(ApproveSheet(author="ope_2", sheet_hash=final.sheet_hash))


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


# --- withdrawing ------------------------------------------------------------------------------


def test_bh_bigshoot_a_qualified_player_may_withdraw_for_a_part_payment_out_of_the_pool():
    """BH-BIGSHOOT: of 6,000 cents 700 are paid, and shared is the rest; the player is free."""
    play = Play(later(prizes=winners(6_000, 4_000)))
    play.must(carried(ANN, BEA, CAT, withdrawal_cents=700))
    events = play.must(Withdraw(player=BEA))
    assert stage_prizes(events) == [(BEA, 700, True)]
    assert free(events) == [BEA]
    (started,) = of(TournamentStarted, noon(play))
    assert started.players == (ANN, CAT)
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
    assert reasons(play.state) == ((TOURNAMENT, "stage_before: 1 of 2 tournaments are over"),)
    assert noon(play) == ()
    play.now_ms += 60_000
    events = play.must(carried(CAT, source="trn_b"))
    (started,) = of(TournamentStarted, events)
    assert started.players == (ANN, BEA, CAT)
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


# --- what may go wrong ------------------------------------------------------------------------


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


def test_bh_bigshoot_one_alone_has_won_the_whole_pool():
    """BH-BIGSHOOT: there is nobody to play with."""
    play = Play(later())
    play.must(carried(ANN))
    assert stage_prizes(noon(play)) == [(ANN, 6_000, False)]


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
    for fact in (carried(ANN, BEA), carried(CAT, source="trn_b", price=(500, 50))):
        play.must(replace(fact, series=FINAL))
    noon(play)
    play.answer_all_draws()
    (named,) = of(QualifiersNamed, play.end_hand(1, **{ANN: 0}))
    assert sorted(named.players) == [BEA, CAT]
    assert (named.amount_cents, named.fee_cents, named.commission_cents) == (12_000, 500, 50)


# --- terms ------------------------------------------------------------------------------------

QUALIFYING = feeder().prizes
BAD_TERMS = [
    (feeder(), {"big_shoot": None}, "only a stage of a big_shoot"),
    (feeder(winners=0), {}, "winners is from 1 to 9999"),
    (feeder(winners=10_000), {}, "winners is from 1 to 9999"),
    (feeder(), {"prizes": replace(QUALIFYING, target="the final")}, "target is the id"),
    (feeder(withdrawal_cents=-1), {}, "withdrawal_cents is from 0"),
    (feeder(withdrawal_cents=3_001), {}, "the pool of 6 players cannot pay withdrawal_cents"),
    (feeder(), {"deals": True}, "deals: there is no money to share before the final"),
    (feeder(), {"roll_forward": "tda"}, "always paid out by BH-RF1"),
    (feeder(), {"big_shoot": BigShoot(series="x", stage=1)}, "series is the id of the final"),
    (feeder(), {"big_shoot": BigShoot(series=FINAL, stage=0)}, "stage is from 1 to 12"),
    (feeder(), {"big_shoot": BigShoot(series=FINAL, stage=1, fed_by=1)}, "fed_by is 0 in stage 1"),
    (feeder(), {"prizes": winners(10_000)}, "stage 1 qualifies for the next one"),
    (feeder(), {"prizes": SatellitePrizes(winners=1_000)}, "no shoot-out and no satellite"),
    (feeder(), {"stages": (Stage(seats=6, go_on=2), Stage(seats=6))}, "no shoot-out"),
    (later(fed_by=0), {}, "fed_by is from 1 to 1000"),
    (later(fed_by=1_001), {}, "fed_by is from 1 to 1000"),
    (later(), {"fee_cents": 1}, "no price and no bounty"),
    (later(), {"commission_cents": 1}, "no price and no bounty"),
    (later(), {"late_levels": 1}, "nothing is sold in later stages"),
    (later(), {"rating_min": 200}, "ask for no rating"),
    (later(), {"cancellation_charge": 100}, "not left but withdrawn from"),
    (later(), {"leave_before_ms": 1}, "not left but withdrawn from"),
    (later(), {"start_at_ms": 0}, "need a start_at_ms"),
    (later(), {"roll_forward": "refund_all"}, "leave the prices of who is out to nobody"),
]


@pytest.mark.parametrize(("good", "changes", "problem"), BAD_TERMS)
def test_bh_bigshoot_terms_that_contradict_themselves_are_refused(good, changes, problem):
    """PP-LOBBY."""
    assert any(problem in found for found in problems(replace(good, **changes)))


@pytest.mark.parametrize(
    "good", [feeder(), feeder(withdrawal_cents=3_000), later(), later(prizes=QUALIFYING)]
)
def test_bh_bigshoot_good_terms_have_no_problem(good):
    """PP-LOBBY."""
    assert problems(good) == ()


@pytest.mark.parametrize(
    ("name", "chosen", "problem"),
    [
        (FINAL, feeder(), "all stages qualify for the next one but the final"),
        ("trn_2", replace(feeder(), big_shoot=BigShoot(series="", stage=1)), "all stages qualify"),
        ("trn_2", later(series=FINAL), "all stages qualify for the next one but the final"),
        ("trn_2", replace(feeder(), prizes=replace(QUALIFYING, target="trn_2")), "another"),
    ],
)
def test_bh_bigshoot_the_final_alone_pays_prizes_and_bears_the_name_of_the_series(
    name, chosen, problem
):
    """PP-LOBBY."""
    refused = DECIDER.step(
        DECIDER.initial, CreateTournament(tournament=name, terms=chosen), START_MS
    )
    assert isinstance(refused, Refused)
    assert refused.reason == "terms_invalid"
    assert problem in refused.detail
