"""Questions that streams have recorded: asked until answered, the answer fed in as a command.

This is the `awaiting` loop of law 2. The key of a question is the commit that recorded it, so a
successor asks the same one; a refusal by the one asked is an alarm and leaves it open.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from shared.contracts.edge import Answer, Declined
from shared.runtime.aggregate import Asked
from shared.runtime.memory import Head
from shared.runtime.metrics import QUESTIONS_FAILED
from shared.runtime.ports import BrokerUnavailable, Clock, StoreUnavailable
from shared.runtime.supervisor import cancel

RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)

log = structlog.get_logger()


class AnswerRefused(Exception):
    """The service asked has refused: an alarm, the question stays open."""


class Questions:
    """One pursuing task per stream with an open question."""

    def __init__(
        self,
        clock: Clock,
        ask: Callable[[Asked], Awaitable[Any]],
        feed: Callable[[Asked, Any], Awaitable[Answer]],
    ) -> None:
        self._clock = clock
        self._ask = ask
        self._feed = feed
        self._open: dict[str, Asked] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def arm(self, stream: str, head: Head) -> None:
        """Pursue what this stream asks now, and nothing that it asked before."""
        if head.question is None or self._closed:
            self._open.pop(stream, None)
            return
        asked = Asked(stream, head.asked_n, head.question)
        if self._open.get(stream) == asked:
            return
        self._open[stream] = asked
        task = asyncio.create_task(self._pursue(asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def open(self) -> tuple[Asked, ...]:
        """What is waiting for an answer now."""
        return tuple(self._open.values())

    async def _pursue(self, asked: Asked) -> None:
        """Ask until the stream asks this no longer: an accepted answer alone proves nothing."""
        tries = 0
        while self._open.get(asked.stream) == asked:
            await self._try(asked)
            if self._open.get(asked.stream) != asked:
                return
            QUESTIONS_FAILED.inc()
            await self._clock.sleep(RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)])
            tries += 1

    async def _try(self, asked: Asked) -> None:
        try:
            command = await self._ask(asked)
            answer = await self._feed(asked, command)
        except (BrokerUnavailable, StoreUnavailable) as error:
            log.info("question_waits", stream=asked.stream, n=asked.n, why=repr(error))
        except AnswerRefused as refused:
            log.critical("question_refused", stream=asked.stream, n=asked.n, why=str(refused))
        except Exception:
            log.exception("question_failed", stream=asked.stream, n=asked.n)
        else:
            if isinstance(answer, Declined) and self._open.get(asked.stream) == asked:
                log.error("answer_declined", stream=asked.stream, n=asked.n, why=answer.reason)

    async def close(self) -> None:
        """Stop pursuing; the log keeps the questions."""
        self._closed = True
        self._open.clear()
        await cancel(list(self._tasks))
