"""A way between one process and an engine that a test can cut: refused, reset, or swallowing all.

The last is the nasty one: connections stand, bytes go in, nothing comes out and nobody is told.
What was swallowed arrives late, once the way is free again, or never, where the way has forgotten
the connection.
"""

import asyncio
import socket
import struct
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Self
from urllib.parse import urlsplit

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from shared.runtime.adapters.engines import free_port

CHUNK = 64 * 1024
AT_ONCE = struct.pack("ii", 1, 0)  # Linger for no time: a close is a reset.


class Proxy:
    """One way to one engine; it lives as long as the block, in a thread of its own."""

    def __init__(self, engine_url: str) -> None:
        """The address is a URL, or PostgreSQL's `host=… port=…`."""
        self._port = free_port()
        if "://" in engine_url:
            engine = urlsplit(engine_url)
            self._engine = (engine.hostname, engine.port)
            self.url = engine._replace(netloc=f"127.0.0.1:{self._port}").geturl()
        else:
            parts = conninfo_to_dict(engine_url)
            self._engine = (str(parts["host"]), int(str(parts["port"])))
            self.url = make_conninfo(engine_url, host="127.0.0.1", port=self._port)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._open = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._ways: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._never = asyncio.Event()
        self._forgotten: set[asyncio.StreamWriter] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self.free()
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._end)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def free(self) -> None:
        """Let everything through, and what was held back first."""
        self._do(self._free)

    def swallow(self) -> None:
        """Take what comes and pass nothing on, on standing and on new connections."""
        self._do(self._swallow)

    def forget(self) -> None:
        """Swallow for ever what standing connections bring; new ones pass."""
        self._do(self._forget)

    def refuse(self) -> None:
        """Reset what stands and refuse what is new."""
        self._do(self._refuse)

    def _do(self, what: Callable[[], Awaitable[None]]) -> None:
        async def done() -> None:
            await what()

        asyncio.run_coroutine_threadsafe(done(), self._loop).result(10)

    async def _free(self) -> None:
        self._open.set()
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)

    async def _swallow(self) -> None:
        self._open.clear()

    async def _forget(self) -> None:
        self._forgotten |= self._ways

    async def _refuse(self) -> None:
        if self._server:
            self._server.close()
            self._server = None
        for way in self._ways:
            with suppress(OSError):  # It may have ended by itself.
                end = way.get_extra_info("socket")
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            way.transport.abort()

    async def _end(self) -> None:
        await self._refuse()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ways.add(writer)
        self._start(self._lead_on(reader, writer))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _lead_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._passes(writer)
        answers, there = await asyncio.open_connection(*self._engine)
        self._ways.add(there)
        self._start(self._carry(reader, there))
        self._start(self._carry(answers, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._passes(writer)
                writer.write(data)
                await writer.drain()
            await self._passes(writer)
        writer.close()
        self._ways.discard(writer)

    async def _passes(self, writer: asyncio.StreamWriter) -> None:
        """Wait until the way is free, for ever on a connection that it has forgotten."""
        await self._open.wait()
        if writer in self._forgotten:
            await self._never.wait()
