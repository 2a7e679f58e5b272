"""Laws of whole Big Shoots (BH-BIGSHOOT): every cent, every place, no waiting for ever."""

from hypothesis import given, settings, strategies as st

from services.director.core import DECIDER, reasons
from shared.contracts.director import (
    DrawAwaited,
    LeftBigShoot,
    PayoutDue,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    StagePrizeDue,
    TournamentFinished,
    TournamentStarted,
)
from tests.core.director.big_shoot_world import CASH_CENTS, FINAL, World
from tests.core.director.director_play import of
from tests.core.wallet.balances import trial_balance

EXAMPLES = settings(max_examples=40, deadline=None)


@EXAMPLES
@given(st.integers(0, 2**32))
def test_a_whole_big_shoot_ends_and_every_cent_is_somebodys(seed):
    """BH-BIGSHOOT: prizes, part payments, shares and refunds are what has come in."""
    world = World(seed).play()
    for stage in world.stages.values():
        assert stage.state.phase in ("finished", "cancelled")
        assert reasons(stage.state) == ()
        assert not stage.armed()
        assert stage.state == DECIDER.fold(stage.events)
        if stage.state.phase == "finished":
            everybody_is_ranked(stage)
    every_cent_is_somebodys(world)
    everybody_is_free(world)


def everybody_is_ranked(stage):
    """Once each, and only the final pays places."""
    (finished,) = of(TournamentFinished, stage.events)
    assert [one.place for one in finished.places] == list(range(1, len(finished.places) + 1))
    assert {one.player for one in finished.places} == set(stage.state.registered)
    won = sum(one.prize_cents for one in finished.places)
    assert won == sum(one.amount_cents for one in of(PrizeDue, stage.events))
    is_final = stage.state.tournament == FINAL
    assert won == (stage.state.pool_cents if is_final else 0)
    assert not of(PayoutDue, stage.events)


def every_cent_is_somebodys(world):
    """Nothing is left in pools and holds; cash is what was brought and what the operator added."""
    ledger = trial_balance(world.wallet)
    assert ledger.sum_cents == 0
    kept = {name for name, cents in ledger.balances.items() if cents}
    assert not [name for name in kept if name.startswith(("pool/", "hold/"))]
    assert "unclaimed" not in kept
    cash = sum(c for name, c in ledger.balances.items() if name.startswith("cash/"))
    brought = CASH_CENTS * len(world.people)
    assert cash + ledger.balances.get("commission", 0) == brought + operators_part(ledger)


def operators_part(ledger):
    return -ledger.balances.get("top-up", 0)


def everybody_is_free(world):
    """But for who was out in a third stage."""
    last = {name for name, one in world.stages.items() if one.terms.big_shoot.stage > 2}
    assert set(world.wallet.in_big_shoots.values()) <= last
    for stage in world.stages.values():
        left = [player for one in of(LeftBigShoot, stage.events) for player in one.players]
        gone = [p for one in of(QualifiersNamed, stage.events) for p in one.players]
        assert len(set(left + gone)) == len(left + gone) or stage.terms.big_shoot.stage > 1


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_the_same_seed_plays_the_same_big_shoot(seed):
    first, second = World(seed).play(), World(seed).play()
    for name, stage in first.stages.items():
        assert stage.events == second.stages[name].events
    assert first.wallet == second.wallet


def test_chance_lets_all_of_it_happen():
    """Finals are played and given up, players withdraw and come too late, stage 1 sells."""
    stages = [one for seed in range(30) for one in World(seed).play().stages.values()]
    finals = [one for one in stages if one.state.tournament == FINAL]
    assert {one.state.phase for one in finals} == {"finished", "cancelled"}
    assert {one.terms.big_shoot.stage for one in finals} == {2, 3, 4}
    events = [event for one in stages for event in one.events]
    assert {type(event) for event in events} >= {PayoutDue, PlayerUnregistered, RebuyGranted}
    assert {due.withdrew for due in of(StagePrizeDue, events)} == {True, False}
    assert any(map(came_too_late, stages))
    assert any(map(passed_alone, stages))


def passed_alone(stage):
    """A lone player had a bye: without seats and without a hand, on with all that came."""
    alone = any(started.players == 1 for started in of(TournamentStarted, stage.events))
    if alone:
        (named,) = of(QualifiersNamed, stage.events)
        assert (len(named.players), named.amount_cents) == (1, stage.state.pool_cents)
        assert not of(DrawAwaited, stage.events)
    return alone


def came_too_late(stage):
    """Somebody has qualified for what had begun: paid, and never registered."""
    known = {one.from_tournament for one in stage.state.carried}
    return {due.from_tournament for due in of(StagePrizeDue, stage.events)} - known
