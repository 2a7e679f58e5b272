"""One supervisor for every task of a process: restarts what falls, counts, says so."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from shared.runtime.health import Health
from shared.runtime.metrics import RESTARTS
from shared.runtime.ports import Clock

BACKOFF_SECONDS = (0.05, 0.2, 1.0, 5.0)
CALM_MS = 30_000
CANCEL_AGAIN_SECONDS = 0.2
FALLEN_MS = 6_000  # Longer than the longest pause, so that what keeps falling stays visible.

log = structlog.get_logger()


class LineStopped(Exception):
    """A line must not go on: an operator has to look. Not restarted, and not ready."""


class Supervisor:
    """Runs tasks for ever; a task that ends in any way but cancellation is started again."""

    def __init__(self, clock: Clock, health: Health) -> None:
        self._clock = clock
        self._health = health
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Start a task under its name, such as `relay table-0`."""
        self._tasks[name] = asyncio.create_task(self._keep(name, work), name=name)

    async def _keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        falls = 0
        while True:
            began_ms = self._clock.now_ms()
            try:
                await work()
                log.error("task_ended", task=name)
            except LineStopped as stopped:
                log.critical("line_stopped", task=name, why=str(stopped))
                self._health.wrong(name, f"stopped: {stopped}")
                return
            except Exception as error:
                log.exception("task_fell", task=name)
                self._health.wrong(name, f"fell: {error!r}", FALLEN_MS)
            calm = self._clock.now_ms() - began_ms > CALM_MS
            falls = 0 if calm else falls + 1
            RESTARTS.labels(name.split(" ", maxsplit=1)[0]).inc()
            await self._clock.sleep(BACKOFF_SECONDS[min(falls, len(BACKOFF_SECONDS) - 1)])

    async def end_others(self, name: str) -> None:
        """Cancel all tasks but one, newest first, and wait until they have ended."""
        others = [task for other, task in self._tasks.items() if other != name]
        await cancel(list(reversed(others)))

    async def close(self) -> None:
        """Cancel everything, newest first, and wait until it has ended."""
        await cancel(list(reversed(self._tasks.values())))


async def cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended: `asyncio.wait_for` of Python 3.11 may swallow one try."""
    pending = [task for task in tasks if not task.done()]
    while pending:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=CANCEL_AGAIN_SECONDS)
        pending = [task for task in pending if not task.done()]
