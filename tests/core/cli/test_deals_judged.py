"""A deal after real hands: all verdicts hold, and a wrong is seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge
from shared.contracts.director import (
    AnswerDeal,
    DealAgreed,
    OfferDeal,
    TournamentFinished,
    WinnersPrizes,
)
from tests.core.cli.tournament_world import TERMS, TOURNAMENT, World, changed, copies_of

DEALS = replace(TERMS, deals=True, prizes=WinnersPrizes((5_000, 3_000, 2_000)))


@cache
def world():
    """Six play until three are left, who share by the ICM."""
    found = World(5, DEALS)
    found.announce(TOURNAMENT, DEALS)
    for number in range(1, 7):
        found.enter(TOURNAMENT, f"ply_{number}")
    while not offered(found):
        assert found.act() or found.fire_timers()
        found.settle()
    while not state(found).deal.shares:
        assert found.act() or found.fire_timers()
        found.settle()
    for share in state(found).deal.shares:
        assert found.tell("director", TOURNAMENT, AnswerDeal(player=share.player, agree=True))
    found.settle()
    return found


def state(found):
    return found.states["director", TOURNAMENT]


def offered(found):
    players = (f"ply_{number}" for number in range(1, 7))
    return any(
        found.tell("director", TOURNAMENT, OfferDeal(player=player, method="icm"))
        for player in players
    )


def events(kind):
    return [e for commit in world().commits for e in commit.events if isinstance(e, kind)]


def test_all_verdicts_hold():
    assert [one for one in judge(copies_of(world().commits)) if not one.true] == []
    (finished,) = events(TournamentFinished)
    (agreed,) = events(DealAgreed)
    left = len(agreed.prizes_cents)
    assert 2 <= left <= 3
    assert tuple(p.prize_cents for p in finished.places[:left]) == agreed.prizes_cents
    assert sum(placing.prize_cents for placing in finished.places) == 6_000


@pytest.mark.parametrize(
    ("verdict", "change"),
    [
        ("chips conserved", lambda _: ()),
        ("chips conserved", lambda e: replace(e, prizes_cents=(*e.prizes_cents, 0))),
    ],
    ids=["nothing was agreed", "for one more"],
)
def test_a_wrong_is_seen(verdict, change):
    judged = judge(copies_of(changed(world().commits, DealAgreed, change)))
    assert verdict in [found.name for found in judged if not found.true]
