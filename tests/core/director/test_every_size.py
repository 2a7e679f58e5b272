"""Every structure in every size: chips constant, one seat a player, everybody ranked, money even.

Players go Out and come back, buy, offer deals and ask for what is refused; operators pause, and
there are outages.
"""

from math import ceil, log2
from random import Random

import pytest

from services.director.core import awaiting
from services.director.core.terms import problems
from shared.contracts.director import Level, Purchase, SatellitePrizes, Stage, StandardPrizes
from shared.poker.rule_sets import PRESETS
from tests.core.director.any_play import AnyPlay
from tests.core.director.director_play import terms
from tests.core.director.test_any_terms import (
    AT,
    check,
    check_called_off,
    check_finished,
    check_purchases,
)
from tests.core.director.test_stages_laws import stages_for

SIZES = (
    *(2, 3, 7, 11, 29, 100),
    pytest.param(300, marks=pytest.mark.long),
    pytest.param(1_000, marks=pytest.mark.long),
)
LEVELS = tuple(Level(10 * n, 20 * n) for n in range(1, 9))
EXTRA = Purchase(fee_cents=500, commission_cents=50, chips=900, until_level=2, most=2)
LATE = {"start_at_ms": AT, "late_levels": 2, "reentries": 1}
SOLD = {**LATE, "rebuy": EXTRA, "add_on": EXTRA}


def heads_up(entries):
    """A bracket: rounds of two until one is left, with byes."""
    rounds = max(ceil(log2(entries)), 2)
    return {"seats": 2, "stages": (Stage(seats=2),) * rounds}


def shootout(entries):
    stages = stages_for(entries, Random(entries))
    return {"seats": stages[0].seats, "stages": stages}


STRUCTURES = {
    "freeze_out": lambda _: {},
    "scheduled": lambda entries: {"start_at_ms": AT, "entries_min": max(entries // 2, 2)},
    "late_entries": lambda _: LATE,
    "rebuys": lambda _: {"rebuy": EXTRA, "add_on": EXTRA},
    "all_that_is_sold": lambda _: SOLD,
    "satellite_that_sells": lambda _: {**SOLD, "prizes": SatellitePrizes(winners=1_500)},
    "bounties_that_sell": lambda _: {**SOLD, "bounty_cents": 401, "progressive": True},
    "satellite_of_a_share": lambda _: {"prizes": SatellitePrizes(winners=1_000, target="trn_9")},
    "satellite_of_a_prize": lambda _: {"prizes": SatellitePrizes(prize_cents=9_000)},
    "shoot_out": shootout,
    "heads_up": heads_up,
    "bounties": lambda _: {"bounty_cents": 400},
    "progressive": lambda _: {"bounty_cents": 401, "progressive": True},
    "deals": lambda _: {"deals": True},
}


def chosen(structure, rule_set, entries):
    """The terms of such a tournament for so many players."""
    base = {
        "rule_set": rule_set,
        "entries": entries,
        "seats": 9,
        "fee_cents": 997,
        "levels": LEVELS,
        "level_ms": 20_000 * entries,
        "prizes": StandardPrizes(),
    }
    return terms(**base | STRUCTURES[structure](entries))


def now_and_then(every):
    """Return the checks that go through all tables, of every so many commits only."""

    def check_some(play):
        if len(play.commits) % every == 0:
            check(play)

    return check_some


def play_to_the_end(structure, rule_set, entries):
    agreed = chosen(structure, rule_set, entries)
    assert problems(agreed) == ()
    play = AnyPlay(agreed, entries, now_and_then(1 + entries // 20))
    play.enter(*play.names[: entries * 9 // 10]).to_the_end()
    assert awaiting(play.state) is None
    check_purchases(play)
    if play.state.phase == "finished":
        check_finished(play)
    else:
        check_called_off(play)


@pytest.mark.parametrize("entries", SIZES)
@pytest.mark.parametrize("rule_set", sorted(PRESETS))
@pytest.mark.parametrize("structure", STRUCTURES)
def test_every_structure_ends_and_keeps_the_laws(structure, rule_set, entries):
    play_to_the_end(structure, rule_set, entries)
