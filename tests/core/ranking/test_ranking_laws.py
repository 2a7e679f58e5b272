"""Laws of ratings, for any players and any results."""

import sys
from datetime import UTC, datetime
from itertools import pairwise
from subprocess import run

from hypothesis import given, settings, strategies as st

from services.ranking.core import Belief, Ranking, periods_at
from services.ranking.core.boards import points_of
from services.ranking.core.ratings import NEWCOMER, RATING_AT_ZERO, UNKNOWN, floor_of, rating_of
from services.ranking.core.state import Standing
from services.ranking.shell.model import rate
from services.ranking.shell.rating import decode, encode
from shared.contracts.ranking import RATING_MAX, RATING_MIN
from tests.core.ranking.finishing import answered, finished, played, rating, stepped

PLAYERS = tuple(f"ply_{letter}" for letter in "abcdefgh")
MICROS = 1_000_000

fields = st.permutations(PLAYERS).flatmap(
    lambda field: st.integers(2, len(field)).map(lambda count: tuple(field[:count]))
)
beliefs = st.builds(
    Belief, st.integers(-10 * MICROS, 70 * MICROS), st.integers(MICROS // 2, UNKNOWN.sigma_micros)
)
moments = st.integers(0, 4_102_444_800_000 - 1)


def believing(field: list[Belief], before: int = RATING_AT_ZERO) -> Ranking:
    """A ranking that believes this of players named by their places."""
    standings = {
        f"ply_{nth}": Standing(belief, rating_of(belief, before), 1)
        for nth, belief in enumerate(field)
    }
    empty = Ranking()
    return Ranking(standings=empty.standings.update(standings))


@given(st.lists(fields, min_size=1, max_size=30))
@settings(max_examples=50)
def test_a_rating_never_falls_below_the_floor_of_a_level_that_was_reached(tournaments):
    ranking = Ranking()
    reached = dict.fromkeys(PLAYERS, RATING_MIN)
    for field in tournaments:
        ranking = played(field, ranking=ranking)
        for player in field:
            assert reached[player] <= rating(ranking, player) <= RATING_MAX
            reached[player] = max(reached[player], floor_of(rating(ranking, player)))


@given(st.lists(beliefs, min_size=2, max_size=12), st.integers(RATING_MIN, RATING_MAX))
def test_a_reached_floor_holds_whatever_is_believed(field, before):
    for belief in field:
        assert floor_of(before) <= rating_of(belief, before) <= RATING_MAX


@given(st.lists(beliefs, min_size=2, max_size=12))
def test_the_winner_is_never_rated_lower_and_the_last_never_higher(field):
    ranking = believing(field)
    names = [f"ply_{nth}" for nth in range(len(field))]
    before = {name: rating(ranking, name) for name in names}
    _, asked = stepped(ranking, finished(names))
    _, after = answered(asked)
    assert rating(after, names[0]) >= before[names[0]]
    assert rating(after, names[-1]) <= before[names[-1]]


@given(beliefs, st.integers(2, 40))
def test_of_equals_the_better_placed_is_never_rated_lower(belief, count):
    names = [f"ply_{nth}" for nth in range(count)]
    _, asked = stepped(believing([belief] * count), finished(names))
    _, after = answered(asked)
    ratings = [rating(after, name) for name in names]
    assert ratings == sorted(ratings, reverse=True)


def test_newcomers_who_win_rise_and_who_lose_fall():
    ranking = played(PLAYERS)
    assert rating(ranking, PLAYERS[0]) > NEWCOMER.rating > rating(ranking, PLAYERS[-1])


def test_who_always_wins_reaches_the_last_level_and_who_always_loses_the_first_rating():
    ranking = played(*[PLAYERS] * 150)
    assert rating(ranking, PLAYERS[0]) > 750
    assert rating(ranking, PLAYERS[-1]) == RATING_MIN


@given(st.lists(beliefs, min_size=2, max_size=30))
@settings(max_examples=5, deadline=None)
def test_another_process_gives_the_same_answer(field):
    model = [sys.executable, "-m", "services.ranking.shell.worker"]
    answer = run(model, input=encode(field), capture_output=True, check=True).stdout
    assert decode(answer) == rate(field)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))))
def test_points_fall_with_the_place_and_rise_with_the_entries(field):
    entries, place = field
    assert points_of(entries, place) >= (points_of(entries, place + 1) if place < entries else 0)
    assert points_of(entries + 1, place) >= points_of(entries, place)
    assert points_of(entries, entries) == 0


@given(moments)
def test_periods_are_those_of_the_calendar(at_ms):
    moment = datetime.fromtimestamp(at_ms / 1_000, UTC)
    assert periods_at(at_ms) == (f"{moment:%Y-%m}", f"{moment:%Y}")


def test_periods_end_at_midnight_utc():
    day_ms = 24 * 60 * 60 * 1_000
    days = [periods_at(day * day_ms)[0] for day in range(366 * 80)]
    firsts = [day for day, (before, after) in enumerate(pairwise(days), 1) if before != after]
    assert {datetime.fromtimestamp(day * day_ms / 1_000, UTC).day for day in firsts} == {1}
    assert all(periods_at(day * day_ms - 1)[0] == days[day - 1] for day in firsts)
