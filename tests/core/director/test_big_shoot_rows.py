"""A later stage of a Big Shoot as given/when/then rows: what comes, who goes, when it starts."""

import pytest
from msgspec.structs import replace

from services.director.core import DECIDER, chips_in_play, is_live, timers
from shared.contracts.director import (
    BigShoot,
    CancelTournament,
    CreateTournament,
    DrawAwaited,
    LeftBigShoot,
    PlayersQualified,
    QualifyingPrizes,
    Register,
    StagePrizeDue,
    TournamentCancelled,
    TournamentCreated,
    TournamentStarted,
    Unregister,
    Withdraw,
)
from shared.contracts.message import TimerFired
from shared.contracts.wallet import PoolCarried
from shared.kernel.decider import Refused
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.director.director_play import START_MS, TOURNAMENT, terms, winners

ANN, BEA, CAT = "ply_ann", "ply_bea", "ply_cat"
LATER = terms(
    entries=2,
    fee_cents=0,
    commission_cents=0,
    start_at_ms=START_MS,
    prizes=winners(10_000),
    big_shoot=BigShoot(series="", stage=2, fed_by=2, withdraw_ms=0),
)
PATIENT = replace(LATER, big_shoot=BigShoot(series="", stage=2, fed_by=1, withdraw_ms=500))
CREATED = TournamentCreated(tournament=TOURNAMENT, terms=LATER, rule_set=BIG_HOLDEM)
MONEY = {"amount_cents": 900, "fee_cents": 300, "commission_cents": 30, "withdrawal_cents": 100}


def came(*players, source="trn_a", series=TOURNAMENT, **money):
    """The wallet has carried a pool, and what becomes of it."""
    about = {"tournament": TOURNAMENT, "from_tournament": source, "players": players}
    carried = PoolCarried(**about, **{**MONEY, **money}, series=series, postings=())
    money = {**MONEY, **money}
    not_before_ms = START_MS if money["withdrawal_cents"] else 0
    return carried, PlayersQualified(**about, **money, not_before_ms=not_before_ms)


def due(player, cents, source="trn_a", withdrew=False):
    return StagePrizeDue(
        tournament=TOURNAMENT,
        from_tournament=source,
        player=player,
        amount_cents=cents,
        withdrew=withdrew,
    )


def left(*players, series=TOURNAMENT):
    return LeftBigShoot(tournament=TOURNAMENT, series=series, players=players)


A, A_IN = came(ANN, BEA)
B, B_IN = came(CAT, source="trn_b")
NOTHING, NOTHING_IN = came(
    source="trn_b", amount_cents=0, fee_cents=0, commission_cents=0, withdrawal_cents=0
)
CROWD, _ = came(*(f"ply_{number:04}" for number in range(1_999)), source="trn_b")
STARTED = TournamentStarted(tournament=TOURNAMENT, players=2, pool_cents=900, prizes_cents=(900,))
CANCELLED = TournamentCancelled(tournament=TOURNAMENT, author="", reason="too few players")
FED = (CREATED, A_IN)
OVER = (*FED, NOTHING_IN, STARTED, DrawAwaited(purpose="seats", candidates=(ANN, BEA)))
START = TimerFired(name="start")
CANCEL = CancelTournament(author="ope_1", reason="fire")

ROWS = [
    # case, given, when, then; at the scheduled start
    ("a pool comes", (CREATED,), A, (A_IN,)),
    ("a pool comes twice", FED, A, ()),
    ("nobody withdraws more than has come", (CREATED,), came(ANN, withdrawal_cents=901)[0], 900),
    ("waits for the other", FED, START, ()),
    ("registers nowhere", (), Register(player=ANN), Refused("unknown_tournament")),
    ("nobody registers", FED, Register(player=CAT), Refused("qualified_only")),
    ("only once it is created", (), Unregister(player=ANN), Refused("unknown_tournament")),
    ("nobody unregisters", FED, Unregister(player=ANN), Refused("qualified_only")),
    ("nor after the start", OVER, Unregister(player=ANN), Refused("qualified_only")),
    (
        "withdraws",
        FED,
        Withdraw(player=ANN),
        (due(ANN, 100, withdrew=True), left(ANN)),
    ),
    (
        "withdraws twice",
        (*FED, due(ANN, 100, withdrew=True), left(ANN)),
        Withdraw(player=ANN),
        Refused("not_qualified"),
    ),
    (
        "the last one stays",
        (*FED, due(ANN, 100, withdrew=True), left(ANN)),
        Withdraw(player=BEA),
        Refused("last_one", "nobody else is in it for the pool"),
    ),
    ("withdraws when it starts", (*FED, B_IN), Withdraw(player=ANN), Refused("not_registering")),
    ("withdraws too late", OVER, Withdraw(player=ANN), Refused("not_registering")),
    (
        "too few after all",
        (*FED, due(ANN, 100, withdrew=True), left(ANN)),
        NOTHING,
        (NOTHING_IN, CANCELLED, due(BEA, 800), left(BEA)),
    ),
    (
        "given up",
        (*FED, B_IN),
        CANCEL,
        (
            TournamentCancelled(tournament=TOURNAMENT, author="ope_1", reason="fire"),
            due(ANN, 600),
            due(BEA, 600),
            due(CAT, 600, "trn_b"),
            left(ANN, BEA, CAT),
        ),
    ),
    ("after the start", OVER, came(CAT, source="trn_c")[0], (due(CAT, 900, "trn_c"), left(CAT))),
    (
        "of another series",
        FED,
        came(CAT, source="trn_x", series="trn_y")[0],
        (due(CAT, 900, "trn_x"), left(CAT, series="trn_y")),
    ),
    ("nobody, for nothing", (), NOTHING, ()),
]


def outcome(given, when):
    state = DECIDER.initial
    for event in given:
        state = DECIDER.evolve(state, event)
    return DECIDER.decide(state, when, START_MS)


@pytest.mark.parametrize(("given", "when", "then"), [pytest.param(*r[1:], id=r[0]) for r in ROWS])
def test_row(given, when, then):
    found = outcome(given, when)
    if isinstance(then, int):
        assert [event.withdrawal_cents for event in found] == [then]
    else:
        assert found == then


def test_the_last_that_it_waits_for_starts_it_and_more_than_its_entries_may_play():
    qualified, started, asked = outcome(FED, B)
    assert qualified == B_IN
    assert (started.players, started.pool_cents) == (3, 1_800)
    assert asked.candidates == (ANN, BEA, CAT)


def test_more_than_fit_in_one_event_do_not_come_in():
    found = outcome(FED, CROWD)
    assert isinstance(found[-1], LeftBigShoot)
    assert sum(share.amount_cents for share in found[:-1]) == 900


def test_the_start_is_armed_once_all_are_over():
    state = DECIDER.fold((CREATED, A_IN))
    assert timers(state) == ()
    assert is_live(state)
    assert timers(DECIDER.evolve(state, B_IN)) == (("start", START_MS),)


@pytest.mark.parametrize(("offer_cents", "waits_ms"), [(100, 500), (0, 0)])
def test_who_may_withdraw_has_the_time_to_even_after_the_start(offer_cents, waits_ms):
    """BH-BIGSHOOT: the last pool comes when it should have begun."""
    state = DECIDER.fold((TournamentCreated(TOURNAMENT, PATIENT, BIG_HOLDEM),))
    carried, _ = came(ANN, BEA, withdrawal_cents=offer_cents)
    _, state = DECIDER.step(state, carried, START_MS + 9)
    assert (state.phase == "running") == (not waits_ms)
    if waits_ms:
        assert timers(state) == (("start", START_MS + 9 + waits_ms),)
        assert DECIDER.decide(state, START, START_MS + 9 + waits_ms - 1) == ()
        withdrawn = DECIDER.decide(state, Withdraw(player=ANN), START_MS + 9 + waits_ms - 1)
        assert withdrawn[0] == due(ANN, offer_cents, withdrew=True)
        late = DECIDER.decide(state, Withdraw(player=ANN), START_MS + 9 + waits_ms)
        assert late == Refused("not_registering")
        assert DECIDER.step(state, START, START_MS + 9 + waits_ms)[1].phase == "running"


def test_what_is_withdrawn_is_gone_and_the_rest_is_played_for():
    state = DECIDER.fold((*FED, due(ANN, 100, withdrew=True)))
    assert (state.collected_cents, state.chips_sold) == (800, 1_000)
    assert dict(state.registered.items()) == {BEA: "trn_a"}
    assert chips_in_play(state) == 0


@pytest.mark.parametrize("series", ["", TOURNAMENT])
def test_the_final_may_bear_its_own_name(series):
    chosen = replace(LATER, big_shoot=replace(LATER.big_shoot, series=series))
    (created,) = outcome((), CreateTournament(tournament=TOURNAMENT, terms=chosen))
    assert DECIDER.fold((created,)).series == TOURNAMENT


def test_who_qualifies_in_a_middle_stage_goes_on_by_its_target():
    prizes = QualifyingPrizes(winners=5_000, target="trn_final")
    stage = BigShoot(series="trn_final", stage=2, fed_by=1)
    middle = replace(LATER, prizes=prizes, big_shoot=stage)
    created = CreateTournament(tournament=TOURNAMENT, terms=middle)
    assert not isinstance(outcome((), created), Refused)
