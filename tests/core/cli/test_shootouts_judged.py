"""Shoot-outs through real tables, dealer and wallet: all verdicts hold, and a wrong is seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge
from shared.contracts.director import (
    MoveDecided,
    Stage,
    StageEnded,
    TableFormed,
    TournamentFinished,
    WinnersPrizes,
)
from tests.core.cli.tournament_world import TERMS, World, changed, copies_of

NEW_STACKS = replace(
    TERMS,
    entries=7,
    seats=3,
    prizes=WinnersPrizes((7_000, 3_000)),
    stages=(
        Stage(seats=3, go_on=2),
        Stage(seats=6, go_on=3, stacks_chips=(400, 200), first_level=1),
        Stage(seats=3),
    ),
)
BRACKET = replace(
    NEW_STACKS,
    seats=2,
    stages=(
        Stage(seats=2),
        Stage(seats=2, stacks_chips=(300,), first_level=1),
        Stage(seats=2, stacks_chips=(300,), first_level=1),
    ),
)


@cache
def world(terms):
    return World(7, terms).play()


def of(found, kind):
    return [event for commit in found.commits for event in commit.events if isinstance(event, kind)]


@pytest.mark.parametrize("terms", [NEW_STACKS, BRACKET], ids=["stacks by rank", "bracket"])
def test_all_verdicts_hold(terms):
    """BH-SHOOTOUT."""
    found = world(terms)
    assert [verdict for verdict in judge(copies_of(found.commits)) if not verdict.true] == []
    assert [ended.number for ended in of(found, StageEnded)] == [1, 2]
    assert len(of(found, TournamentFinished)[0].places) == 7
    assert not of(found, MoveDecided)


def test_bh_shootout_seven_in_a_bracket_have_one_bye():
    """BH-SHOOTOUT: the seventh meets somebody in the second stage."""
    sizes = [len(formed.seats) for formed in of(world(BRACKET), TableFormed)]
    assert sizes == [2, 2, 2, 1, 2, 2, 2]


def more_chips(event):
    first, *others = event.standings
    return replace(event, standings=(replace(first, stack_chips=401), *others))


def one_more(event):
    extra = replace(event.standings[0], player="ply_9", rank=3)
    return replace(event, standings=(*event.standings, extra))


def one_less(event):
    return replace(event, standings=event.standings[1:])


def other_stacks(event):
    if event.number < 5:
        return None
    first, *others = event.seats
    return replace(event, seats=(replace(first, stack_chips=first.stack_chips + 1), *others))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (StageEnded, more_chips),
        (StageEnded, one_more),
        (StageEnded, one_less),
        (TableFormed, other_stacks),
    ],
)
def test_a_wrong_is_seen(kind, change):
    judged = judge(copies_of(changed(world(NEW_STACKS).commits, kind, change)))
    assert "chips conserved" in [found.name for found in judged if not found.true]
