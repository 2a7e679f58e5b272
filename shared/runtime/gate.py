"""A gate that tasks wait at: open unless something has shut it."""

import asyncio


class Gate:
    """Open while nothing that shut it stands; each reason opens what it has shut."""

    def __init__(self) -> None:
        self._shut_by: set[str] = set()
        self._open = asyncio.Event()
        self._open.set()
        self._shut = asyncio.Event()

    def let(self, why: str, *, through: bool) -> None:
        """Shut the gate for a reason, or take that reason back."""
        if through:
            self._shut_by.discard(why)
        else:
            self._shut_by.add(why)
        for event, state in ((self._open, not self._shut_by), (self._shut, bool(self._shut_by))):
            if state:
                event.set()
            else:
                event.clear()

    async def opened(self) -> None:
        """Wait until the gate is open."""
        await self._open.wait()

    async def closed(self) -> None:
        """Wait until the gate is shut."""
        await self._shut.wait()
