"""A tournament given up after any of its commits: all cores, one sheet, every cent paid once."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge_moment
from services.director.core import DECIDER, sheet_in_full
from services.director.core.rollforward.cutting import hash_of, sheet_now
from shared.contracts.director import (
    HandCleared,
    PayoutDue,
    PlayerUnregistered,
    SheetFinal,
    TournamentCancelled,
)
from shared.contracts.table import TableHalted
from shared.contracts.wallet import PayoutPaid
from tests.core.cli.tournament_world import TERMS, TOURNAMENT, World, copies_of
from tests.core.director.interrupted_world import Cut

SAMPLED = 12


RULES = [("big_holdem", None), ("peoples_poker", None), ("tda", None), ("tda", "refund_all")]


@cache
def commits_of(rule_set):
    terms = replace(TERMS, rule_set=rule_set)
    return len(World(3, terms).play().commits)


@pytest.mark.parametrize(("rule_set", "roll_forward"), RULES)
@pytest.mark.parametrize("part", range(1, SAMPLED))
def test_whenever_it_is_given_up_everybody_gets_the_sheet_to_the_cent(rule_set, roll_forward, part):
    terms = replace(TERMS, rule_set=rule_set, roll_forward=roll_forward)
    world = Cut(3, commits_of(rule_set) * part // SAMPLED, terms).play()
    if world.tournament.phase == "running":
        halted_before_approval(world)
        world.approve()
    if world.tournament.phase == "finished":
        assert not world.events(PayoutDue)
        return
    assert world.tournament.phase == "cancelled"
    paid_once(world)
    history = {line: copy.rows for line, copy in copies_of(world.commits).items()}
    wrong = [verdict for verdict in judge_moment(history) if not verdict.true]
    assert not wrong


def halted_before_approval(world):
    """Every table has halted, and no hand was cleared or begun since."""
    assert {e.table for e in world.events(TableHalted)} >= set(world.tournament.tables)
    kinds = [type(e) for c in world.commits for e in c.events]
    halted = kinds.index(TableHalted) if TableHalted in kinds else len(kinds)
    assert HandCleared not in kinds[halted:]
    (final,) = world.events(SheetFinal)
    sheet = sheet_now(world.tournament)
    assert hash_of(world.tournament, sheet) == final.sheet_hash
    assert world.tournament == DECIDER.fold(world.of_director)
    assert len(sheet.players) == final.players
    lines = sheet_in_full(world.tournament).lines
    assert [line.player for line in lines] == [line.player for line in sheet.players]


def paid_once(world):
    """What was due was paid, once each; nothing is left in pool or holds; the journal is zero."""
    due, paid = world.events(PayoutDue), world.events(PayoutPaid)
    assert sorted((d.player, d.pool_cents, d.commission_cents) for d in due) == sorted(
        (p.player, p.pool_cents, p.commission_cents) for p in paid
    )
    assert len({p.player for p in paid}) == len(paid)
    balances = dict(world.states["wallet", "journal"].balances.items())
    assert sum(balances.values()) == 0
    assert balances.get(f"pool/{TOURNAMENT}", 0) == 0
    assert not any(cents for name, cents in balances.items() if name.startswith("hold/"))
    (cancelled,) = world.events(TournamentCancelled)
    refunded = bool(world.events(PlayerUnregistered)) or not paid
    assert bool(cancelled.sheet_hash) == bool(paid) or refunded
