"""A sample of `make kill`: kills in all services and on different streets; always the same end."""

import asyncio

import pytest

from tests.kill.__main__ import line_of
from tests.kill.comparing import differences
from tests.kill.process import Point
from tests.kill.runs import Bench, Run, run, wrongs

SEED = "20"
TOGETHER = 4
SAMPLE = [
    # service, mode, the facts of the commit
    ("wallet", "after", "entry-held"),
    ("wallet", "before", "prize-paid"),
    ("director", "after", "player-registered tournament-started draw-awaited"),
    ("director", "after", "hand-digested level-began hand-cleared"),
    ("dealer", "after", "seat-viewed"),
    ("table", "after", "hands-dealt turn-started"),
    ("table", "before", "board-dealt turn-started"),
    ("ranking", "after", "places-recorded ratings-awaited"),
    ("ranking", "before", "players-rated tournament-rated"),
    ("table", "after", "hand-mucked pot-awarded hand-ended"),
]


@pytest.fixture
def bench(postgres_url: str):
    made = Bench(postgres_url, SEED)
    yield made
    made.close()


def points_of(unkilled: Run) -> list[Point]:
    """Find the last commit with such facts."""
    found = []
    for service, mode, facts in SAMPLE:
        commits = [what.partition(": ")[2] for what in unkilled.commits[service]]
        found.append(Point(service, len(commits) - commits[::-1].index(facts), mode))
    return found


async def test_other_cards_are_seen_as_another_story(bench: Bench):
    one = await run(bench)
    bench.seed = "21"
    other = await run(bench)
    assert not one.wrong + other.wrong
    assert any("fact" in told for told in differences(one.story, other.story))
    assert any("state" in told for told in differences(one.story, other.story))
    assert one.story.hash != other.story.hash


@pytest.mark.timeout(300)
async def test_a_kill_at_a_commit_changes_nothing_in_the_end(bench: Bench):
    unkilled = await run(bench)
    assert not unkilled.wrong
    slots = asyncio.Semaphore(TOGETHER)

    async def one(point: Point) -> str:
        async with slots:
            killed = await run(bench, point)
        wrong = wrongs(unkilled, killed)
        return line_of(point, unkilled, killed, SEED, wrong) if wrong else ""

    told = await asyncio.gather(*[one(point) for point in points_of(unkilled)])
    assert not any(told), "\n".join(filter(None, told))
