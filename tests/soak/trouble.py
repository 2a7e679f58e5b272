"""What happens to a platform while people play: drawn from a seed, one trouble after the other.

A process stays away for a moment, so that its lines go to another one, or come back to it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from random import Random
from typing import Any

from tests.soak.battered import Battered

AWAY_SECONDS = (0.0, 6.0)
FROZEN_SECONDS = (0.5, 8.0)
ENGINE_AWAY_SECONDS = (0.0, 3.0)
KINDS = {"kill -9": 14, "SIGTERM": 3, "SIGSTOP": 3, "kill -9 NATS": 1, "kill -9 PostgreSQL": 1}

Tell = Callable[[str], None]


class Trouble:
    """Makes trouble until there is `enough`; counts what it did, keeps what fell by itself."""

    def __init__(self, platform: Battered, seed: int, seconds: float, tell: Tell) -> None:
        self.done: Counter[str] = Counter()
        self.fell: list[str] = []
        self._platform = platform
        self._chance = Random(seed)
        self._seconds = seconds
        self._tell = tell
        self._began = time.monotonic()
        self._busy: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self.enough = asyncio.Event()

    async def make(self) -> None:
        """Make trouble every few seconds."""
        while not self.enough.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._chance.uniform(0.5, 1.5) * self._seconds):
                    await self.enough.wait()
                    break
            self._look_who_fell()
            (kind,) = self._chance.choices([*KINDS], [*KINDS.values()])
            self._begin(kind)

    def _begin(self, kind: str) -> None:
        """Choose whom it hits, and do it beside all else."""
        engine = kind.removeprefix("kill -9 ")
        if engine in self._platform.engines:
            victim, doing = engine, self._hit_engine
        else:
            free = [p for p in self._platform.victims if p not in self._busy]
            if not free:
                return
            victim = self._chance.choice(free)
            doing = self._freeze if kind == "SIGSTOP" else self._end
        if victim in self._busy:
            return
        self._busy.add(victim)
        self.done[kind] += 1
        self._start(victim, doing(kind, victim))

    def _start(self, victim: str, doing: Coroutine[Any, Any, None]) -> None:
        async def done() -> None:
            try:
                await doing
            finally:
                self._busy.discard(victim)

        self._tasks.append(asyncio.create_task(done()))

    async def _end(self, kind: str, process: str) -> None:
        """End a process one way or the other, and start it again after a while."""
        away = self._chance.uniform(*AWAY_SECONDS)
        self._say(f"{kind} {process}, back after {away:.1f} s")
        end = self._platform.kill if kind == "kill -9" else self._platform.terminate
        await asyncio.to_thread(end, process)
        await asyncio.sleep(away)
        self._platform.spawn(process)

    async def _freeze(self, kind: str, process: str) -> None:
        """Stop a process in its tracks; it wakes late and must change nothing."""
        frozen = self._chance.uniform(*FROZEN_SECONDS)
        self._say(f"{kind} {process}, SIGCONT after {frozen:.1f} s")
        self._platform.freeze(process)
        await asyncio.sleep(frozen)
        self._platform.thaw(process)

    async def _hit_engine(self, kind: str, name: str) -> None:
        away = self._chance.uniform(*ENGINE_AWAY_SECONDS)
        self._say(f"{kind}, back after {away:.1f} s")
        engine = self._platform.engines[name]
        await asyncio.to_thread(engine.kill)
        await asyncio.sleep(away)
        await asyncio.to_thread(engine.start)

    def _look_who_fell(self) -> None:
        """A process that ended without our doing is a fault, and is started again."""
        for process in self._platform.fallen():
            if process not in self._busy:
                self._say(f"{process} HAS FALLEN BY ITSELF")
                self.fell.append(process)
                self._platform.spawn(process)

    def _say(self, what: str) -> None:
        self._tell(f"{time.monotonic() - self._began:6.1f} s  {what}")

    async def end(self) -> None:
        """Let everything that is away come back; raise what went wrong with the troubles."""
        await asyncio.gather(*self._tasks)
        self._look_who_fell()
