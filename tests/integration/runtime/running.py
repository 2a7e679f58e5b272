"""A service as a child process: started, killed, stopped, and asked how it is."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import httpx

from shared.runtime.adapters.engines import free_port

ROOT = Path(__file__).resolve().parents[3]
SOON_SECONDS = 30.0


class Running:
    """One process of one service; it may be killed and started again."""

    def __init__(self, service: str, dsn: str, nats_url: str, **settings: object) -> None:
        self.service = service
        self.port = free_port()
        self.environment = {
            **{key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ},
            "DATABASE_URL": dsn,
            "NATS_URL": nats_url,
            "ROLLFORWARD_HTTP_PORT": str(self.port),
            **{f"ROLLFORWARD_{name.upper()}": str(value) for name, value in settings.items()},
        }
        self.log = Path(tempfile.mkstemp(prefix=f"rollforward-{service}-")[1])
        self.child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.kill()
        if kind:
            sys.stderr.write(f"--- {self.service}\n{self.log.read_text()[-6000:]}\n")
        self.log.unlink()

    @property
    def module(self) -> tuple[str, ...]:
        """What Python runs: a made-up service of these tests."""
        return ("tests.integration.runtime.process", self.service)

    def start(self) -> None:
        command = [sys.executable, "-m", *self.module]
        with self.log.open("ab") as output:
            self.child = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=output, stderr=output
            )

    def kill(self) -> None:
        """End it with SIGKILL."""
        if self.child:
            self.child.kill()
            self.child.wait()

    def stop(self) -> int:
        """End it in good order and return its exit code."""
        assert self.child
        self.child.terminate()
        return self.child.wait(SOON_SECONDS)

    async def readyz(self) -> tuple[int, dict[str, str]]:
        """Return the status and the reasons; 0 while nobody listens."""
        try:
            async with httpx.AsyncClient(verify=False) as client:
                answer = await client.get(f"http://127.0.0.1:{self.port}/readyz", timeout=5)
        except httpx.HTTPError:
            return 0, {}
        return answer.status_code, answer.json()["reasons"]

    async def metric(self, name: str) -> float:
        """Return what a metric, named with its labels, stands at; 0 when there is no such one."""
        async with httpx.AsyncClient(verify=False) as client:
            url = f"http://127.0.0.1:{self.port}/metrics"
            page = await client.get(url, timeout=5, follow_redirects=True)
        found = [row.rpartition(" ") for row in page.text.splitlines()]
        return next((float(value) for row, _, value in found if row == name), 0.0)

    async def ready(self) -> None:
        """Wait until it says that it is ready."""
        await until(lambda: self._is(200))

    async def unready(self, what: str, why: str) -> str:
        """Wait until it is not ready for this reason, and return how it says so."""

        async def said() -> str | None:
            status, reasons = await self.readyz()
            reason = reasons.get(what, "")
            return reason if status == 503 and why in reason else None

        return str(await until(said))

    async def _is(self, status: int) -> bool:
        return (await self.readyz())[0] == status


class RunningService(Running):
    """One process of a real service; it works in the database as that service's role."""

    @property
    def module(self) -> tuple[str, ...]:
        return (f"services.{self.service}",)


async def until(true: Callable[[], Any], seconds: float = SOON_SECONDS) -> Any:
    """Wait until something is true and return it; a test fails when it never is."""
    deadline = time.monotonic() + seconds
    while True:
        found = true()
        found = await found if asyncio.iscoroutine(found) else found
        if found:
            return found
        assert time.monotonic() < deadline, "it has not come about"
        await asyncio.sleep(0.05)
