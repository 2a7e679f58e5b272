"""How far the read models are: per line for whoever reads them, per stream for whoever wrote."""

import asyncio
from collections import defaultdict
from contextlib import suppress

from services.gateway.shell.facts import Told
from shared.runtime.ports import Line

READ_OWN_WRITE_SECONDS = 2.0


class Progress:
    """The newest commit taken in, by line and by stream."""

    def __init__(self) -> None:
        self._numbers: dict[Line, int] = {}
        self._streams: dict[str, int] = {}
        self._waiting: defaultdict[str, list[tuple[int, asyncio.Event]]] = defaultdict(list)

    def number(self, line: Line) -> int:
        """Return the number of the newest commit of a line."""
        return self._numbers.get(line, 0)

    def as_of(self) -> dict[str, int]:
        """Return every line's newest number: views are the state of things as of these."""
        return {str(line): number for line, number in sorted(self._numbers.items())}

    def note(self, told: Told) -> None:
        """Take a commit as taken in, and wake those who wait for it."""
        self._numbers[told.line] = told.number
        self._streams[told.stream] = told.n
        if told.stream in self._waiting:
            for n, arrived in self._waiting[told.stream]:
                if n <= told.n:
                    arrived.set()

    async def reach(self, stream: str, n: int) -> None:
        """Wait a little until a commit is taken in, so that a caller sees what was just done."""
        if self._streams.get(stream, 0) >= n:
            return
        waiting = (n, asyncio.Event())
        self._waiting[stream].append(waiting)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(READ_OWN_WRITE_SECONDS):
                    await waiting[1].wait()
        finally:
            self._waiting[stream].remove(waiting)
            if not self._waiting[stream]:
                del self._waiting[stream]
