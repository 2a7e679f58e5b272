"""Bounties through real tables, dealer and wallet: every cent is won, and a wrong is seen."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from services.cli.regulator.messages import sessions_of
from services.cli.verdicts import judge
from services.cli.verdicts.bounties import wrong_bounties
from services.cli.verdicts.history import Fact, History, history_of
from services.cli.wallet.acts import acts_of
from services.cli.wallet.reconciling import reconcile
from services.director.core import HandReported
from shared.contracts.director import BountyDue, PrizeDue
from shared.contracts.hand import HandEnded
from shared.contracts.wallet import BountyPaid
from shared.runtime.ports import Line
from tests.core.cli.tournament_world import TERMS, World, changed, copies_of
from tests.core.director.director_play import TOURNAMENT
from tests.core.director.purchase_terms import chosen_by
from tests.core.director.test_purchase_laws import play_out

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


def wrongs(commits):
    return list(wrong_bounties(history_of({ln: c.rows for ln, c in copies_of(commits).items()})))


CHANGES = (
    lambda due: replace(due, player=due.knocked_out),
    lambda due: replace(due, player="ply_friend"),
    lambda due: replace(due, amount_cents=due.amount_cents - 1),
    lambda due: replace(due, added_cents=due.added_cents + 1),
    lambda due: replace(due, hand=""),
)


@pytest.mark.parametrize("terms", [BOUNTIES, PROGRESSIVE], ids=["whole", "progressive"])
def test_who_won_whose_bounty_follows_from_the_hands(terms):
    found = world(terms)
    assert wrongs(found.commits) == []
    for change in CHANGES:
        other = changed(
            found.commits, BountyDue, lambda due, to=change: to(due) if due.hand else None
        )
        assert wrongs(other)


def test_a_bounty_that_nobody_was_given_is_missed():
    commits = [
        one._replace(events=tuple(e for e in one.events if not isinstance(e, BountyDue)))
        for one in world(BOUNTIES).commits
    ]
    assert len([what for what in wrongs(commits) if "was never won" in what]) == 6


def played_and_told(play_on):
    """Let a tournament be played; return the history of its director and its hands."""
    facts = {"director": [], "table": []}

    def note(play):
        fact = play.told.fact if isinstance(play.told, HandReported) else None
        for service, events in (("director", play.commits[-1]), ("table", (fact,) if fact else ())):
            line = facts[service]
            for event in events:
                line.append(Fact(Line(service, 0), len(line) + 1, TOURNAMENT, 1, event))

    play_on(note)
    return History({service: tuple(line) for service, line in facts.items()})


@pytest.mark.parametrize("part", range(6))
def test_the_auditors_bounties_are_the_directors_whatever_is_bought(part):
    """BH-REBUY: re-entries and rebuys bring new ones, add-ons save without one."""
    met = Counter()
    for seed in range(10 * part, 10 * part + 10):
        chosen = chosen_by(Random(seed), bounty_cents=333, progressive=seed % 2 == 0)
        found = played_and_told(lambda note, seed=seed, to=chosen: play_out(to, seed, note))
        assert list(wrong_bounties(found)) == [], seed
        met.update(type(fact.event).__name__ for fact in found.of("director"))
    assert met["BountyDue"]
    assert met["RebuyGranted"]
