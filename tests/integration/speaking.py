"""A service that records what a test makes it say: real log, real stream, no opinion."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, final

from shared.contracts.edge import Accepted
from shared.contracts.message import Command
from shared.contracts.registry import OWNED
from shared.kernel.decider import Decider
from shared.runtime.adapters.nats import NatsBroker
from shared.runtime.aggregate import Aggregate
from shared.runtime.ports import Line
from tests.integration.runtime.owning import Here, owning


@final
class Say(Command, frozen=True, tag="anybody.say.v1"):
    """Record these facts in one commit, or as many as it takes."""

    facts: tuple[Any, ...]


def decide(state: None, command: Say, at_ms: int) -> tuple[tuple[Any, ...], None]:
    return command.facts, state


class Speaker:
    """Says facts; each call is one decision."""

    def __init__(self, here: Here) -> None:
        self._here = here

    async def say(self, stream: str, *facts: Any) -> None:
        answer = await self._here.decide(stream, Say(facts))
        assert isinstance(answer, Accepted), answer


@asynccontextmanager
async def speaking(line: Line, dsn: str, broker: NatsBroker) -> AsyncIterator[Speaker]:
    """Own a line for the length of a block; its log is read by who follows."""
    aggregate = Aggregate(
        owns=lambda _: True,
        decider=Decider(initial=None, step=decide, evolve=lambda state, _: state),
        events=OWNED[line.service],
        requests=(),
    )
    async with owning(line, aggregate, dsn, broker) as here:
        read_log = here.owner.verbs()["log"]

        async def answer(message: Any) -> None:
            await message.respond(await read_log(message.data))

        served = await broker._client.subscribe(line.request("log"), cb=answer)
        yield Speaker(here)
        await served.unsubscribe()
