"""Four services as processes, forked from one that has imported everything: a start takes no time.

A process that kills itself is started again at once; one that ends otherwise ends the run.
"""

import asyncio
import multiprocessing
from collections.abc import Coroutine
from contextlib import suppress
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from signal import SIGKILL
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.kill.process import RUN, Point, serve

VAULT_KEY = "5e" * 32
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.kill.process"])

T = TypeVar("T")


class Fallen(Exception):
    """A process has ended that nobody killed."""


class Killed(Exception):
    """A process has killed itself while we waited for something."""


class Services:
    """The four processes of one run."""

    def __init__(
        self, database_url: str, nats_url: str, home: Path, seed: str, point: Point | None
    ) -> None:
        self.kills = 0
        self._home = home
        self._seed = seed
        self._point = point
        self._fallen = asyncio.Event()
        self._told = ""
        self._death = asyncio.Event()
        self._living: dict[str, ForkServerProcess] = {}
        self._environ = {
            "DATABASE_URL": database_url,
            "NATS_URL": nats_url,
            "ROLLFORWARD_DEALER_VAULT_KEY": VAULT_KEY,
        }

    def log(self, service: str) -> Path:
        return self._home / f"{service}.log"

    def start(self, service: str, point: Point | None) -> None:
        """Fork one process; its end is noticed."""
        process = CONTEXT.Process(
            target=serve,
            args=(
                service,
                {**self._environ, "ROLLFORWARD_INSTANCE": service},
                str(self.log(service)),
                self._seed,
                point,
            ),
        )
        process.start()
        self._living[service] = process
        loop = asyncio.get_running_loop()
        loop.add_reader(process.sentinel, self._ended, service, process)

    def _ended(self, service: str, process: ForkServerProcess) -> None:
        asyncio.get_running_loop().remove_reader(process.sentinel)
        process.join()
        del self._living[service]
        if process.exitcode != -SIGKILL or self.kills:
            self._told = f"{service} has ended with {process.exitcode}"
            self._fallen.set()
            return
        self.kills += 1
        self.start(service, None)
        self._death.set()

    async def unless_killed(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for an answer, but no longer than it can come; raise Killed, or Fallen."""
        self._death.clear()
        tasks = [
            asyncio.ensure_future(work),
            asyncio.create_task(self._death.wait()),
            asyncio.create_task(self._fallen.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._fallen.is_set():
                raise Fallen(self._told)
            if not tasks[0].done():
                raise Killed
            return tasks[0].result()
        finally:
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks, return_exceptions=True)

    async def __aenter__(self) -> Self:
        for service in RUN:
            point = self._point if self._point and self._point.service == service else None
            self.start(service, point)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        for process in self._living.values():
            loop.remove_reader(process.sentinel)
            process.kill()
        for process in self._living.values():
            process.join()
