"""Bounties through real tables, dealer and wallet: every cent is won, and a wrong is seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.regulator.messages import sessions_of
from services.cli.verdicts import judge
from services.cli.verdicts.history import history_of
from services.cli.wallet.acts import acts_of
from services.cli.wallet.reconciling import reconcile
from shared.contracts.director import BountyDue, PrizeDue
from shared.contracts.hand import HandEnded
from shared.contracts.wallet import BountyPaid
from tests.core.cli.tournament_world import TERMS, World, changed, copies_of

BOUNTIES = replace(TERMS, bounty_cents=300)
PROGRESSIVE = replace(BOUNTIES, progressive=True)


@cache
def world(terms):
    return World(9, terms).play()


def of(found, kind):
    return [event for commit in found.commits for event in commit.events if isinstance(event, kind)]


def history(found):
    return history_of({line: copy.rows for line, copy in copies_of(found.commits).items()})


@pytest.mark.parametrize("terms", [BOUNTIES, PROGRESSIVE], ids=["whole", "progressive"])
def test_all_verdicts_hold_and_all_is_won(terms):
    found = world(terms)
    assert [verdict for verdict in judge(copies_of(found.commits)) if not verdict.true] == []
    assert sum(paid.amount_cents for paid in of(found, BountyPaid)) == 6 * 300
    assert sum(due.amount_cents for due in of(found, PrizeDue)) == 6 * 700
    assert {due.knocked_out for due in of(found, BountyDue)} == {*found.people}
    assert reconcile(history(found)).wrong == ()


def test_the_table_says_who_took_the_last_chips():
    for ended in of(world(BOUNTIES), HandEnded):
        chips = {seat.seat: seat.stack_chips for seat in ended.seats}
        assert {fallen.seat for fallen in ended.knock_outs} == {s for s in chips if not chips[s]}
        assert all(chips[seat] for fallen in ended.knock_outs for seat in fallen.by)


def test_the_regulator_is_told_what_each_knock_out_won():
    """BP-REGULATOR-IDS: the session ends once prizes and bounties are credited."""
    acts = [
        act
        for line, copy in copies_of(world(BOUNTIES).commits).items()
        if line.service in ("director", "wallet")
        for act in acts_of(copy.rows, str(line))
    ]
    (session,) = sessions_of(acts)
    assert session.missing == ()
    assert session.messages[-1].amount_cents == 6_000
    unpaid = [act for act in acts if not isinstance(act.event, BountyPaid)]
    assert sessions_of(unpaid)[0].missing == ("the session has not ended",)


def test_a_wrong_is_seen():
    less = changed(world(BOUNTIES).commits, BountyDue, lambda due: replace(due, amount_cents=299))
    assert "prizes = pool" in [found.name for found in judge(copies_of(less)) if not found.true]
