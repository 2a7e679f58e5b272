"""BH-BIGSHOOT: terms that cannot be played are refused (PP-LOBBY)."""

import pytest
from msgspec.structs import replace

from services.director.core import DECIDER
from services.director.core.terms import problems
from shared.contracts.director import (
    BigShoot,
    CreateTournament,
    SatellitePrizes,
    Stage,
)
from shared.kernel.decider import Refused
from tests.core.director.director_play import (
    START_MS,
    winners,
)
from tests.rulebook.big_shoot import FINAL, feeder, later

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
    (
        later(),
        {"big_shoot": BigShoot(series="", stage=2, fed_by=1, withdraw_ms=-1)},
        "withdraw_ms is from 0 to 86400000",
    ),
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
