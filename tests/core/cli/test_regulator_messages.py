"""BP-REGULATOR-IDS: the protocol's messages, from a tournament whose every commit is at hand."""

from collections import Counter
from functools import cache

import pytest

from services.cli.regulator.messages import sessions_of
from services.cli.wallet.acts import acts_of
from shared.contracts.director import EntriesClosed, RebuyGranted
from shared.contracts.wallet import (
    EntryRefunded,
    ParticipationIdIssued,
    PayoutPaid,
    PrizePaid,
    SessionIdIssued,
)
from tests.core.cli.test_tournaments_judged import CANCELLED, SHARED, TOO_FEW, world
from tests.core.cli.tournament_world import TOURNAMENT, World, copies_of, told_in_parts
from tests.core.director.test_bought_everywhere import ON_SALE, Market


@cache
def acts():
    return acts_in(World(3).play().commits)


def acts_in(commits):
    copies = copies_of(commits)
    return tuple(
        act
        for line, copy in copies.items()
        if line.service in ("director", "wallet")
        for act in acts_of(copy.rows, str(line))
    )


def session(without=()):
    kept = [act for act in acts() if not isinstance(act.event, without)]
    (found,) = sessions_of(kept)
    return found


@cache
def acts_of_several():
    return acts_in(world().commits)


def session_called(tournament, without=()):
    kept = [act for act in acts_of_several() if not isinstance(act.event, without)]
    return {found.tournament: found for found in sessions_of(kept)}[tournament]


def test_a_tournament_is_one_session_with_all_its_messages_in_order():
    found = session()
    assert (found.tournament, found.missing) == (TOURNAMENT, ())
    codes = [message.code for message in found.messages]
    assert codes[:9] == [200, 220, 220, 220, 220, 220, 220, 240, 250]
    assert Counter(codes[9:]) == {260: 1, 280: 2, 300: 1}
    assert codes[-1] == 300
    assert [message.number for message in found.messages] == list(range(1, len(codes) + 1))


def test_every_session_and_every_right_has_an_id_of_its_own():
    found = session()
    (session_id,) = {message.session_id for message in found.messages}
    rights = [message.participation_id for message in found.messages if message.code == 220]
    assert len({session_id, *rights}) == 7
    assert all(len(one) == 16 and one.isalnum() for one in (session_id, *rights))


def test_amounts_are_those_of_the_facts():
    by_code = {message.code: message for message in session().messages}
    assert (by_code[220].amount_cents, by_code[220].fee_cents) == (1_100, 1_000)
    assert by_code[240].amount_cents == sum(by_code[240].prizes_cents) == 6_000
    assert by_code[250].participations == 6
    assert by_code[260].amount_cents == by_code[300].amount_cents == 6_000


def test_winners_told_in_parts_are_winners_all_the_same():
    (found,) = sessions_of(acts_in(told_in_parts(World(3).play().commits)))
    (whole,) = [message for message in session().messages if message.code == 260]
    parts = [message for message in found.messages if message.code == 260]
    assert sorted(player for part in parts for player in part.players) == sorted(whole.players)
    assert sum(part.amount_cents for part in parts) == whole.amount_cents
    assert (len(parts), found.missing) == (2, ())


def test_a_session_does_not_end_before_everything_is_credited():
    found = session(without=(PrizePaid,))
    assert 300 not in [message.code for message in found.messages]
    assert found.missing == ("the session has not ended",)


def test_ids_that_were_not_issued_yet_are_named():
    found = session(without=(SessionIdIssued, ParticipationIdIssued))
    assert len(found.missing) == 7
    assert "the session has no id yet" in found.missing


def test_where_more_was_bought_the_plan_is_told_when_entries_close():
    """BH-REBUY: every late entry, rebuy and add-on is a right of its own."""
    world = Market(0, ON_SALE).play()
    (found,) = sessions_of(acts_in(world.commits))
    assert found.missing == ()
    (closed,) = world.events(EntriesClosed)
    rights = [message for message in found.messages if message.code == 220]
    assert len(rights) == closed.entries + len(world.events(RebuyGranted))
    (plan,) = [message for message in found.messages if message.code == 240]
    assert (plan.amount_cents, plan.prizes_cents) == (closed.pool_cents, closed.prizes_cents)
    played = [message.participations for message in found.messages if message.code == 250]
    assert played == [7, closed.entries]


@pytest.mark.parametrize(("tournament", "rights"), [(CANCELLED, 3), (TOO_FEW, 2)])
def test_a_session_cancelled_before_its_start_ends_with_the_last_right_given_back(
    tournament, rights
):
    found = session_called(tournament)
    codes = Counter(message.code for message in found.messages)
    assert codes == {200: 1, 220: rights, 230: rights, 300: 1}
    assert (found.messages[-1].code, found.messages[-1].amount_cents) == (300, 0)
    assert found.missing == ()


def test_a_session_given_up_while_it_runs_ends_when_everybodys_share_is_credited():
    found = session_called(SHARED)
    credited = sum(message.amount_cents for message in found.messages if message.code == 280)
    assert (found.messages[-1].code, found.messages[-1].amount_cents) == (300, credited)
    assert found.missing == ()
    assert credited


@pytest.mark.parametrize(
    ("tournament", "unheard"), [(CANCELLED, EntryRefunded), (SHARED, PayoutPaid)]
)
def test_a_cancelled_session_does_not_end_before_all_have_their_money(tournament, unheard):
    assert session_called(tournament, unheard).missing == ("the session has not ended",)


def test_a_session_that_nobody_entered_ends_when_it_is_cancelled():
    rights = (act.event for act in acts_of_several() if hasattr(act.event, "entry"))
    found = session_called(CANCELLED, tuple({type(event) for event in rights}))
    assert [message.code for message in found.messages] == [200, 300]
    assert found.missing == ()
