"""Rating a tournament of 10,000 players: how long it takes, and that the loop goes on meanwhile."""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise

from services.ranking.core import DECIDER, Ranking, TakeRatings, awaiting
from services.ranking.shell.model import rate
from services.ranking.shell.rating import rate_apart
from shared.kernel.decider import Refused
from tests.core.ranking.finishing import AT_MS, finished

PLAYERS = 10_000
TICK_SECONDS = 0.005


def run() -> dict[str, dict[str, object]]:
    """Measure finish, model and answer; the peer is the model alone, in this process."""
    field = [f"ply_{number:026}" for number in range(PLAYERS)]
    asked, recording = timed(lambda: after(Ranking(), finished(field)))
    question = awaiting(asked)
    assert question is not None
    alone, model_seconds = timed(lambda: rate(question.beliefs))
    beliefs, seconds, longest = asyncio.run(measured(question.beliefs))
    assert beliefs == alone
    rated, taking = timed(lambda: after(asked, TakeRatings(question.tournament, beliefs)))
    assert len(rated.standings) == PLAYERS
    return {
        "rate 10,000 players": {
            "value": recording + seconds + taking,
            "unit": "s",
            "peer": "openskill alone",
            "peer_value": model_seconds,
            "ratio": model_seconds / (recording + seconds + taking),
        },
        "loop stands still while the model computes": {"value": longest * 1_000, "unit": "ms"},
        "record places of 10,000 players": {"value": recording * 1_000, "unit": "ms"},
        "record ratings of 10,000 players": {"value": taking * 1_000, "unit": "ms"},
    }


async def measured(beliefs):
    """Let the model compute beside a task that looks at the clock all the time."""
    ticks: list[float] = []

    async def tick() -> None:
        while True:
            ticks.append(time.monotonic())
            await asyncio.sleep(TICK_SECONDS)

    ticking = asyncio.create_task(tick())
    began = time.monotonic()
    answer = await rate_apart(beliefs)
    seconds = time.monotonic() - began
    ticking.cancel()
    return answer, seconds, max(later - earlier for earlier, later in pairwise(ticks))


def after(ranking: Ranking, command) -> Ranking:
    stepped = DECIDER.step(ranking, command, AT_MS)
    assert not isinstance(stepped, Refused), stepped
    return stepped[1]


def timed(work: Callable):
    began = time.monotonic()
    return work(), time.monotonic() - began
