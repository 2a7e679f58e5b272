"""The dealer as a process of its own on real engines, and somebody who asks it."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.contracts.commit import Actor
from shared.contracts.edge import Accepted, Declined
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.asking import Asking, reply_of
from shared.runtime.ports import Line
from tests.integration.runtime.running import ROOT, Running

DEALER = Line("dealer", 0)
ENDS_WITHIN_SECONDS = 30


class DealerProcess(Running):
    """The real service, with a key file."""

    def __init__(self, dsn: str, nats_url: str, key_file: Path) -> None:
        super().__init__("dealer", dsn, nats_url, dealer_vault_key_file=key_file)

    def start(self) -> None:
        with self.log.open("ab") as output:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "services.dealer"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=output,
            )

    async def restart(self) -> None:
        self.stop()
        self.start()
        await self.ready()

    def refusal(self) -> str:
        """Start it and return the one line with which it refuses."""
        ended = subprocess.run(
            [sys.executable, "-m", "services.dealer"],
            check=False,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=self.environment,
            timeout=ENDS_WITHIN_SECONDS,
        )
        assert ended.returncode == 2, ended.stderr
        (line,) = [one for one in ended.stderr.splitlines() if not one.startswith("{")]
        return line


class Asker:
    """Asks the dealer as the table and the gateway do."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def answer(self, request: Any) -> Accepted | Declined:
        stream = getattr(request, "hand", "") or request.draw
        return await self._asking.ask("dealer", stream, request)

    async def reply(self, request: Any, reply: type[Any]) -> Any:
        answer = await self.answer(request)
        assert isinstance(answer, Accepted), answer
        return reply_of(answer, reply)

    async def refusal(self, request: Any) -> str:
        answer = await self.answer(request)
        assert isinstance(answer, Declined), answer
        return answer.reason


@pytest.fixture
def database_url(dsn: str) -> str:
    migrate(dsn, [DEALER])
    return dsn


@pytest.fixture
def own_nats_url() -> Iterator[str]:
    with nats_server(sync="2m") as url:
        yield url


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "vault.key"


@pytest.fixture
def dealer(database_url: str, own_nats_url: str, key_file: Path) -> Iterator[DealerProcess]:
    process = DealerProcess(database_url, own_nats_url, key_file)
    yield process
    process.kill()
    process.log.unlink()


@pytest.fixture
async def asker(own_nats_url: str) -> AsyncIterator[Asker]:
    client = await connect(own_nats_url, "table")
    me = Actor("service", "table")
    yield Asker(Asking(NatsBroker(client), SystemClock(), entropy, {"dealer": 1}, me))
    await disconnect(client)


@pytest.fixture
def command(database_url: str) -> Any:
    """The `rollforward` command as an operator runs it."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [Path(sys.executable).with_name("rollforward"), *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url},
        )

    return run
