"""A director that records what a test makes it say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from shared.runtime.adapters.nats import NatsBroker
from tests.integration.speaking import Speaker, speaking
from tests.integration.wallet.journal import DIRECTOR


class Director:
    """Says facts of one tournament; each call is one decision."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker

    async def say(self, *facts: Any) -> None:
        await self._speaker.say(facts[0].tournament, *facts)


@asynccontextmanager
async def directing(dsn: str, broker: NatsBroker) -> AsyncIterator[Director]:
    """Own the director's line for the length of a block."""
    async with speaking(DIRECTOR, dsn, broker) as speaker:
        yield Director(speaker)
