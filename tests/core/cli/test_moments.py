"""Verdicts on a platform that plays: at any moment of a true tournament nothing is wrong."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge_moment
from services.cli.verdicts.chips import wrong_tournaments
from services.cli.verdicts.history import history_of
from shared.contracts.dealer import BoardOpened
from shared.contracts.director import SeatAssigned
from shared.contracts.hand import BoardDealt, HandEnded, HandShown, PotAwarded
from shared.contracts.table import PlayerCameBack, SeatTaken
from shared.contracts.wallet import EntryPosted, PrizePaid
from tests.core.cli.tournament_world import LINES, Recorded, World, changed, copies_of

SEED = 3


@cache
def commits() -> tuple[Recorded, ...]:
    return tuple(World(SEED).play().commits)


def logs_of(recorded):
    return {line: copy.rows for line, copy in copies_of(recorded).items()}


def false_in(recorded):
    return {verdict.name for verdict in judge_moment(logs_of(recorded)) if not verdict.true}


def test_every_moment_of_a_tournament_is_true():
    for end in range(1, len(commits()) + 1):
        assert false_in(commits()[:end]) == set(), end


def test_without_a_commit_nothing_is_proved():
    assert false_in(()) == {"log = chain"}
    assert set(logs_of(())) == {*LINES}


def until(kind, after=0):
    """The tournament up to the commit with the last event of a kind, and so many beyond."""
    last = max(i for i, c in enumerate(commits()) if any(isinstance(e, kind) for e in c.events))
    return commits()[: last + 1 + after]


def one_more(event):
    share = event.shares[0]
    return replace(event, shares=(replace(share, chips=share.chips + 1), *event.shares[1:]))


def turned(event):
    return replace(event, cards=event.cards[::-1]) if len(event.cards) > 1 else None


def dropped(_event):
    return ()


WRONG = [
    # up to, then changed, how, what is false of it
    (PotAwarded, PotAwarded, one_more, "chips conserved"),
    (HandEnded, BoardDealt, dropped, "shown cards = commitments"),
    (BoardDealt, BoardDealt, turned, "shown cards = commitments"),
    (HandShown, HandShown, turned, "shown cards = commitments"),
    (EntryPosted, EntryPosted, lambda e: replace(e, postings=e.postings[:1]), "journal sums"),
    (PrizePaid, PrizePaid, lambda e: replace(e, player="ply_9"), "prizes = pool"),
]


@pytest.mark.parametrize(("kind", "of", "change", "verdict"), WRONG)
def test_what_is_wrong_already_is_not_put_down_to_play(kind, of, change, verdict):
    found = false_in(changed(until(kind), of, change))
    assert any(name.startswith(verdict) for name in found)


def came_back(event):
    """Something else happened in the same commit, so that all others keep their numbers."""
    return PlayerCameBack(player=event.player, seat=event.seat)


def test_a_seat_not_taken_yet_is_play_until_the_tournament_has_finished():
    never_came = changed(commits(), SeatTaken, came_back)
    assigned = next(
        i for i, c in enumerate(never_came) if any(isinstance(e, SeatAssigned) for e in c.events)
    )
    assert false_in(never_came[: assigned + 1]) == set()
    finished = history_of(logs_of(never_came), at_rest=False)
    assert any("has not sat down" in what for what in wrong_tournaments(finished, {}))


def test_a_board_opened_and_not_dealt_yet_is_play_until_the_hand_has_ended():
    opened = next(i for i, c in enumerate(commits()) if isinstance(c.events[-1], BoardOpened))
    assert false_in(commits()[: opened + 1]) == set()
