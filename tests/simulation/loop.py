"""An asyncio event loop whose time is a number: it jumps to whatever is due next.

Nothing sleeps, no thread runs, and every choice comes from the seed, so that the same seed is
the same run. What happens is noted into one hash; two runs with equal hashes did the same. When
nothing is ready and nothing is scheduled, everybody waits for somebody: that is a deadlock.
"""

import asyncio
import gc
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from hashlib import sha256
from heapq import heappop, heappush
from itertools import repeat
from random import Random
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

LastFact = tuple[float, tuple[str | int, ...], bytes]

START_MS = 1_800_000_000_000
LAST_FACTS = 40
STEPS_AT_ONE_MOMENT_MAX = 20_000


class Broken(Exception):
    """A law does not hold: which one, and what was seen."""

    def __init__(self, law: str, detail: str) -> None:
        super().__init__(f"{law}: {detail}")
        self.law = law
        self.detail = detail


def wake(waiter: "asyncio.Future[None]") -> None:
    """Let the one go on who waits here, unless it has gone away."""
    if not waiter.done():
        waiter.set_result(None)


class Call(list[Any]):
    """What asyncio calls a handle: a callback and its arguments, nothing once it is cancelled.

    Nothing here uses context variables, so there is no context.
    """

    __slots__ = ()

    def cancel(self) -> None:
        self.clear()


class SimLoop(asyncio.BaseEventLoop):
    """A loop in virtual time; with `shuffle`, what is ready together runs in any order."""

    def __init__(self, seed: str, *, shuffle: bool = False) -> None:
        super().__init__()
        self.now = 0.0
        self.last_facts: deque[LastFact] = deque(maxlen=LAST_FACTS)
        self._chance: Random | None = Random(f"{seed}/loop") if shuffle else None
        self._noted: list[LastFact] = []
        self._broken: Broken | None = None
        self._timers: list[tuple[float, int, Call | asyncio.Future[None]]] = []
        self._timer_count = 0
        self.set_debug(False)
        self.set_exception_handler(lambda _loop, _context: None)

    def time(self) -> float:
        return self.now

    def hash(self, *what: str | int, data: bytes = b"") -> None:
        """Take one happening into the trace, with the bytes that moved."""
        self._noted.append((self.now, what, data))

    def note(self, *what: str | int, data: bytes = b"") -> None:
        """Take one happening into the trace, and keep it for whoever wants the last facts."""
        fact = (self.now, what, data)
        self._noted.append(fact)
        self.last_facts.append(fact)

    def pause(self, seconds: float) -> "asyncio.Future[None]":
        """Sleep, or be woken before; for less than `asyncio.sleep` costs."""
        waiter: asyncio.Future[None] = asyncio.Future(loop=self)
        self._timer_count += 1
        heappush(self._timers, (self.now + seconds, self._timer_count, waiter))
        return waiter

    @property
    def trace(self) -> str:
        """The hash of everything noted so far."""
        return sha256(msgspec.msgpack.encode(self._noted)).hexdigest()

    def broken(self, law: str, detail: str) -> None:
        """Stop the run at its first broken law; whoever is running must not go on from here."""
        if self._broken is None:
            self.note("broken", law, detail)
            self._broken = Broken(law, detail)

    # --- what asyncio calls -------------------------------------------------------------------

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Any:
        handle = Call((callback, args))
        self._ready.append(handle)
        return handle

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Any:
        handle = Call((callback, args))
        self._timer_count += 1
        heappush(self._timers, (when, self._timer_count, handle))
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Any:
        handle = Call((callback, args))
        self._timer_count += 1
        heappush(self._timers, (self.now + delay, self._timer_count, handle))
        return handle

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None
    ) -> "asyncio.Task[Any]":
        return asyncio.Task(coro, loop=self, name=name)

    def _run_once(self) -> None:
        """Run what is ready, then move time to what is due next, again and again until stopped.

        A callback that raises ends all.
        """
        work_off = self._work_off if self._chance is None else self._work_off_shuffled
        while not self._stopping:
            if not self._ready:
                self._advance()
            work_off()
            if self._broken is not None:
                raise self._broken

    def _work_off(self) -> None:
        """Run what is ready, and what that makes ready, in order."""
        ready, take = self._ready, self._ready.popleft
        for _ in repeat(None, STEPS_AT_ONE_MOMENT_MAX):
            if not ready:
                return
            if call := take():
                callback, args = call
                callback(*args)
                if self._broken:
                    return
        self._goes_on_for_ever()

    def _work_off_shuffled(self) -> None:
        """Run what is ready, and then what that made ready, each time in any order."""
        ready, take, random = self._ready, self._ready.popleft, self._chance.random
        for _ in repeat(None, STEPS_AT_ONE_MOMENT_MAX):
            count = len(ready)
            if count > 1:
                together = iter(sorted(ready, key=lambda _: random()))
                ready.clear()
            elif count:
                together = iter((take(),))
            else:
                return
            for call in together:
                if call:
                    callback, args = call
                    callback(*args)
                    if self._broken:
                        ready.extend(together)
                        return
        self._goes_on_for_ever()

    def _goes_on_for_ever(self) -> None:
        self.broken("time goes on", f"{STEPS_AT_ONE_MOMENT_MAX} steps without any time passing")

    def _advance(self) -> None:
        """Go to the next moment at which anything is due, and take all that is due then."""
        timers, ready, now = self._timers, self._ready, self.now
        while timers:
            at, _, due = heappop(timers)
            if at > now:
                self.now = now = at
            if type(due) is Call:
                if due:
                    ready.append(due)
            elif not due.done():
                due.set_result(None)
            if ready and not (timers and timers[0][0] <= now):
                return
        if not ready:
            self.broken("somebody can go on", "deadlock: nothing is scheduled any more")

    def _write_to_self(self) -> None:
        """Nobody has to be woken: there is one thread."""

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """A generator that is dropped does nothing more: when that shows depends on no seed."""


@contextmanager
def running(loop: SimLoop) -> Iterator[None]:
    """Make this the loop of the thread, with no garbage collection at moments of its own."""
    collecting = gc.isenabled()
    gc.disable()
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        end(loop)
        asyncio.set_event_loop(None)
        loop.close()
        if collecting:
            gc.enable()


def end(loop: SimLoop) -> None:
    """Cancel whatever is still there; the run is over and no step of it counts any more."""
    loop._broken, loop._chance = None, None
    while pending := asyncio.all_tasks(loop):
        for task in pending:
            task.cancel()
        loop.call_soon(loop.stop)
        loop.run_forever()


def run(loop: SimLoop, main: Coroutine[Any, Any, T]) -> T:
    """Run to the end of `main`; raise Broken when a law does not hold on the way."""
    with running(loop):
        return loop.run_until_complete(main)
