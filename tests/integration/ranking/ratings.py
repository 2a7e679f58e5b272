"""The ranking as a process, to be killed; what it has recorded, and who asks it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import reduce
from typing import Any, get_args

import psycopg

from services.cli.verdicts.history import Decided
from services.ranking.core import DECIDER, Ranking
from services.ranking.shell.reactions import RATINGS
from shared.contracts.director import PlacesTold, Placing, TournamentFinished
from shared.contracts.edge import Accepted, Answer
from shared.contracts.ranking import RankingEvent
from shared.contracts.upcasts import commit_decoder
from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.asking import Asking, is_unavailable, reply_of
from shared.runtime.ports import Line
from tests.integration.runtime.running import RunningService
from tests.integration.wallet.journal import OPERATOR

RANKING, DIRECTOR = Line("ranking", 0), Line("director", 0)
SHARDS = {"ranking": 1, "director": 1}

decode = commit_decoder(Decided, get_args(RankingEvent))


class RankingProcess(RunningService):
    """`python -m services.ranking`; it works in the database as the ranking's role."""

    def __init__(self, dsn: str, nats_url: str) -> None:
        super().__init__("ranking", dsn, nats_url, lease_ttl_s=1)


class Client:
    """Asks the ranking until it answers."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def ask(self, command: Any) -> Answer:
        while True:
            answer = await self._asking.ask("ranking", RATINGS, command)
            if not is_unavailable(answer):
                return answer

    async def read(self, command: Any, reply: type[Any]) -> Any:
        """Return what must not be refused."""
        answer = await self.ask(command)
        assert isinstance(answer, Accepted), answer
        return reply_of(answer, reply)


@asynccontextmanager
async def client_at(nats_url: str) -> AsyncIterator[Client]:
    """Connect a client for the length of a block."""
    connection = await connect(nats_url, "client")
    yield Client(Asking(NatsBroker(connection), SystemClock(), entropy, SHARDS, OPERATOR))
    await disconnect(connection)


def finish(tournament: str, players: Sequence[str]) -> TournamentFinished:
    places = tuple(Placing(place, player, 0) for place, player in enumerate(players, 1))
    return TournamentFinished(tournament=tournament, places=places)


def places_told(tournament: str, players: Sequence[str], first: int) -> PlacesTold:
    """Tell the places of a large field from some place on."""
    places = tuple(Placing(place, player, 0) for place, player in enumerate(players, first))
    return PlacesTold(tournament=tournament, places=places)


def recorded(dsn: str) -> list[Any]:
    """Return every event of the ratings, in order."""
    rows = read_logs(dsn, [RANKING])[RANKING]
    return [event for row in rows for event in decode(row.data).events]


def folded(dsn: str) -> Ranking:
    return reduce(DECIDER.evolve, recorded(dsn), DECIDER.initial)


def board(dsn: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the leader boards as they stand in their table."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT * FROM ranking_0.board").fetchall()
    return {(period, player): (points, played) for period, player, points, played in rows}
