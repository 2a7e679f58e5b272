"""Outages given back to the level that runs: it lasts as long as it was announced."""

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from services.director.core import DECIDER, has_clock, timers
from shared.contracts.director import ClockExtended, LevelBegan, Register
from shared.contracts.message import OutageOver, TimerFired
from tests.core.director.director_play import START_MS, TOURNAMENT, Play, terms

LEVEL_MS = 60_000
LEVEL = TimerFired(name="level")


def playing(**changes):
    """One table in its first level, which began at START_MS."""
    return Play(terms(entries=3, seats=3, **changes)).begin()


def out(play, down, up, *, at=None):
    """Tell of an outage, in milliseconds from START_MS; `at` is when it is told."""
    play.now_ms = START_MS + (up if at is None else at)
    return play.must(OutageOver(down_from_ms=START_MS + down, up_at_ms=START_MS + up))


def lengths(events):
    return [event.by_ms for event in events]


def test_an_outage_puts_the_end_of_a_level_off_by_its_length():
    play = playing()
    assert out(play, 10_000, 17_000) == (
        ClockExtended(
            tournament=TOURNAMENT,
            level_number=1,
            down_from_ms=START_MS + 10_000,
            up_at_ms=START_MS + 17_000,
            by_ms=7_000,
            ends_at_ms=START_MS + LEVEL_MS + 7_000,
        ),
    )
    assert timers(play.state) == (("level", START_MS + LEVEL_MS + 7_000),)
    play.now_ms = START_MS + LEVEL_MS
    assert play.must(LEVEL) == ()
    play.now_ms = START_MS + LEVEL_MS + 7_000
    (began,) = play.must(LEVEL)
    assert (began.number, began.ends_at_ms) == (2, play.now_ms + LEVEL_MS)


@pytest.mark.parametrize(
    ("outages", "credited"),
    [
        ([(-500, 300, 300)], [300]),  # Only what lies after the level began.
        ([(-500, 0, 100)], []),
        ([(100, 900, 300)], [200]),  # Only what is past.
        ([(300, 100, 400)], []),
        ([(100, 300, 300), (100, 300, 400)], [200]),
        ([(100, 300, 300), (200, 500, 500)], [200, 200]),
        ([(300, 500, 500), (100, 900, 900)], [200, 200, 400]),
    ],
)
def test_of_an_outage_counts_what_the_level_has_not_got_back_yet(outages, credited):
    play = playing()
    events = [event for down, up, at in outages for event in out(play, down, up, at=at)]
    assert lengths(events) == credited
    assert play.state.level_ends_ms == START_MS + LEVEL_MS + sum(credited)


def test_a_level_that_ended_while_nobody_could_play_goes_on():
    play = playing()
    (extended,) = out(play, LEVEL_MS - 5_000, LEVEL_MS + 30_000)
    assert extended.ends_at_ms == play.now_ms + 5_000
    assert play.must(LEVEL) == ()
    assert LevelBegan not in [type(event) for event in play.end_hand(1)]
    play.now_ms += 5_000
    assert [type(event) for event in play.must(LEVEL)] == [LevelBegan]


def test_an_outage_told_after_the_next_level_began_counts_from_there():
    play = playing()
    play.now_ms = START_MS + LEVEL_MS
    play.must(LEVEL)
    (extended,) = out(play, LEVEL_MS - 5_000, LEVEL_MS + 2_000)
    assert (extended.level_number, extended.by_ms) == (2, 2_000)
    assert extended.ends_at_ms == START_MS + 2 * LEVEL_MS + 2_000


def test_what_was_given_back_to_a_level_is_no_matter_of_the_next():
    play = playing()
    out(play, 10_000, 17_000)
    play.now_ms = ends = START_MS + LEVEL_MS + 7_000
    play.must(LEVEL)
    (extended,) = out(play, LEVEL_MS + 1_000, LEVEL_MS + 9_000)
    assert (extended.by_ms, extended.ends_at_ms) == (2_000, ends + LEVEL_MS + 2_000)


def test_only_a_level_that_ends_by_time_has_a_clock():
    assert not has_clock(DECIDER.initial)
    registering = Play(terms(entries=3, seats=3)).enter("ply_001")
    assert not has_clock(registering.state)
    by_hands = playing(level_ms=0, level_hands=5)
    last = playing(levels=terms().levels[:1])
    for play in (registering, by_hands, last):
        assert not has_clock(play.state)
        assert out(play, 0, 5_000) == ()
    assert has_clock(playing().state)


def test_a_finished_tournament_has_no_clock():
    play = playing()
    play.end_hand(1, ply_001=0, ply_002=0)
    play.answer_all_draws()
    assert play.state.phase == "finished"
    assert not has_clock(play.state)
    assert out(play, 0, 5_000) == ()


def test_the_deadline_of_an_entry_is_not_a_players_clock():
    play = Play(terms(entries=3, seats=3))
    play.must(Register(player="ply_001"))
    due = timers(play.state)
    assert out(play, 0, 60_000) == ()
    assert timers(play.state) == due


@given(
    told=st.lists(
        st.tuples(st.integers(-50, 300), st.integers(-50, 300), st.integers(0, 60)), max_size=8
    )
)
@settings(max_examples=60, deadline=None)
def test_together_outages_give_back_the_union_of_them_since_the_level_began(told):
    """They overlap, repeat, come late and in any order; nothing else changes."""
    play = playing()
    before, now, lost, events = play.state, 0, set(), []
    for down, up, later in told:
        now += later
        events += out(play, down, up, at=now)
        lost |= {*range(max(down, 0), min(up, now))}
    assert sum(lengths(events)) == len(lost)
    ends = START_MS + LEVEL_MS + len(lost)
    assert timers(play.state) == (("level", ends),)
    unchanged = replace(play.state, level_ends_ms=before.level_ends_ms, level_credited=())
    assert unchanged == before
    play.now_ms = ends - 1
    assert play.must(LEVEL) == ()
    play.now_ms = ends
    assert [type(event) for event in play.must(LEVEL)] == [LevelBegan]
