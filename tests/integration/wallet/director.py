"""A director that records what a test makes it say: real log, real stream, no opinion."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, final

from shared.contracts.edge import Accepted
from shared.contracts.message import Command
from shared.contracts.registry import OWNED
from shared.kernel.decider import Decider
from shared.runtime.adapters.nats import NatsBroker
from shared.runtime.aggregate import Aggregate
from tests.integration.runtime.owning import Here, owning
from tests.integration.wallet.journal import DIRECTOR


@final
class Say(Command, frozen=True, tag="director.say.v1"):
    """Record these facts in one commit."""

    facts: tuple[Any, ...]


def decide(state: None, command: Say, at_ms: int) -> tuple[tuple[Any, ...], None]:
    return command.facts, state


DIRECTING = Aggregate(
    owns=lambda _: True,
    decider=Decider(initial=None, step=decide, evolve=lambda state, _: state),
    events=OWNED["director"],
    requests=(),
)


class Director:
    """Says facts; each call is one commit."""

    def __init__(self, here: Here) -> None:
        self._here = here

    async def say(self, *facts: Any) -> None:
        answer = await self._here.decide(facts[0].tournament, Say(facts))
        assert isinstance(answer, Accepted), answer


@asynccontextmanager
async def directing(dsn: str, broker: NatsBroker) -> AsyncIterator[Director]:
    """Own the director's line for the length of a block; its log is read by who follows."""
    async with owning(DIRECTOR, DIRECTING, dsn, broker) as here:
        read_log = here.owner.verbs()["log"]

        async def answer(message: Any) -> None:
            await message.respond(await read_log(message.data))

        served = await broker._client.subscribe(DIRECTOR.request("log"), cb=answer)
        yield Director(here)
        await served.unsubscribe()
