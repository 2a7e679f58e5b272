"""The inputs of one line that wait to be decided, each with whoever waits for its answer."""

import asyncio
from collections import deque
from typing import NamedTuple

from shared.contracts.edge import Answer
from shared.runtime.bell import Bell
from shared.runtime.deciding import Input
from shared.runtime.ports import StoreUnavailable


class Waiting(NamedTuple):
    """An input, and who waits for its answer."""

    given: Input
    answer: asyncio.Future[Answer]


class Inputs:
    """Taken off in groups, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[Waiting] = deque()
        self._came = Bell()

    def put(self, given: Input) -> asyncio.Future[Answer]:
        """Add an input; its answer will be told."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(given, answer))
        self._came.set()
        return answer

    async def come(self) -> None:
        """Wait until an input waits."""
        await self._came.wait()

    def group(self, most: int) -> list[Waiting]:
        """Take off what waits now."""
        taken = [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]
        if not self._waiting:
            self._came.clear()
        return taken

    def tell_all(self, answer: Answer | StoreUnavailable) -> None:
        """Give all who wait the same answer."""
        while self._waiting:
            tell(self._waiting.popleft(), answer)
        self._came.clear()


def tell(waiting: Waiting, answer: Answer | StoreUnavailable) -> None:
    """Give the one who waits an answer, unless it has gone away."""
    if waiting.answer.done():
        return
    if isinstance(answer, StoreUnavailable):
        waiting.answer.set_exception(answer)
    else:
        waiting.answer.set_result(answer)
