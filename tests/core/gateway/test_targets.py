"""Where a tournament leads must be there, not begun, and in a Big Shoot a later stage of it."""

import pytest
from msgspec.structs import replace

from services.gateway.shell.refusals import Refusal
from services.gateway.shell.targets import check_target
from shared.contracts.director import BigShoot, SatellitePrizes
from tests.core.gateway.test_lobby_big_shoots import (
    FEEDER,
    FINAL,
    STAGE_1,
    STAGE_2,
    STARTED,
    created,
    lobby_after,
)

SATELLITE = replace(STAGE_1, prizes=SatellitePrizes(winners=1_000, target=FEEDER), big_shoot=None)
INTO_THE_FINAL = replace(SATELLITE, prizes=SatellitePrizes(winners=1_000, target=FINAL))
ELSEWHERE = replace(STAGE_1, big_shoot=BigShoot(series="trn_elsewhere", stage=1))
NOWHERE = replace(STAGE_1, prizes=replace(STAGE_1.prizes, target="trn_never"))
PLAIN = created(FINAL, replace(STAGE_2, big_shoot=None))


def refused(lobby, terms):
    with pytest.raises(Refusal) as found:
        check_target(lobby, terms)
    return found.value


@pytest.mark.parametrize("terms", [STAGE_1, SATELLITE, STAGE_2])
def test_where_it_leads_is_there_or_it_leads_nowhere(terms):
    check_target(lobby_after(), terms)


@pytest.mark.parametrize(
    ("case", "facts", "terms", "reason"),
    [
        ("never announced", (), NOWHERE, "unknown_target"),
        ("begun", (STARTED,), STAGE_1, "target_not_registering"),
        ("another series", (), ELSEWHERE, "not_a_later_stage"),
        ("no Big Shoot at all", (PLAIN,), STAGE_1, "not_a_later_stage"),
        (
            "no later stage",
            (),
            replace(STAGE_1, prizes=replace(STAGE_1.prizes, target=FEEDER)),
            "not_a_later_stage",
        ),
        ("nobody buys into it", (), INTO_THE_FINAL, "target_not_sold"),
    ],
)
def test_where_it_cannot_lead(case, facts, terms, reason):
    assert refused(lobby_after(*facts), terms).reason == reason, case


@pytest.mark.parametrize(("series", "told"), [("trn_x", "the series trn_x"), ("", "no series")])
def test_what_is_wrong_with_its_series_is_told(series, told):
    chosen = replace(STAGE_1, big_shoot=BigShoot(series=series, stage=1))
    target = STAGE_1.prizes.target
    detail = f"prizes: target: {target} is no later stage of {told}"
    assert refused(lobby_after(), chosen).detail == detail
