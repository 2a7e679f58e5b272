"""The whole platform on this machine: one process per service, started, killed, restarted."""

import os
import secrets
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from types import TracebackType
from typing import Self

import httpx

from services.dealer.shell.vault import write_new_key
from shared.runtime.adapters.engines import free_port
from shared.runtime.adapters.guard import guarded
from shared.runtime.adapters.postgres import migrate
from shared.runtime.ports import Line
from shared.runtime.service import of_other_services
from shared.runtime.settings import RuntimeSettings, load

SERVICES = ("wallet", "dealer", "director", "table", "gateway")
READY_SECONDS = 60.0


class NotReady(Exception):
    """A service did not become ready; the message says which and why."""


class Platform:
    """Services as child processes; their logs and the vault key lie in `home`."""

    def __init__(
        self, database_url: str, nats_url: str, home: Path, environ: Mapping[str, str] | None = None
    ) -> None:
        self.home = home
        given = {**os.environ, "DATABASE_URL": database_url, "NATS_URL": nats_url}
        self.settings = load(RuntimeSettings, given, of_other_services("", given))
        self._environ = {
            **given,
            "ROLLFORWARD_DEALER_VAULT_KEY_FILE": str(home / "vault.key"),
            **(environ or {}),
        }
        self.operator_token = ""
        self._ports = {service: free_port() for service in SERVICES}
        self._guards: dict[str, Popen[bytes]] = {}

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line of every service that has a log."""
        return tuple(
            Line(service, number)
            for service, count in self.settings.shards().items()
            for number in range(count)
        )

    def url(self, service: str) -> str:
        """Return a service's HTTP address."""
        return f"http://127.0.0.1:{self._ports[service]}"

    def log(self, service: str) -> Path:
        """Return the file with a service's log lines."""
        return self.home / service / "log"

    def start(self) -> None:
        """Migrate, start every service, and wait until all are ready."""
        self.home.mkdir(parents=True, exist_ok=True)
        if not (self.home / "vault.key").exists():
            write_new_key(self.home / "vault.key")
        self.operator_token = secret_in(self.home / "operator.token")
        self._environ["ROLLFORWARD_GATEWAY_OPERATORS"] = f"operator={self.operator_token}"
        self._environ["ROLLFORWARD_GATEWAY_TOKEN_SECRET"] = secret_in(self.home / "gateway.secret")
        migrate(self.settings.database_url, self.lines)
        for service in SERVICES:
            self.spawn(service)
        self.wait_ready()

    def spawn(self, service: str) -> None:
        """Start one service's process; it ends with this one, however this one ends."""
        folder = self.home / service
        folder.mkdir(exist_ok=True)
        self._guards[service] = guarded(
            [sys.executable, "-m", f"services.{service}"],
            folder,
            environ={**self._environ, "ROLLFORWARD_HTTP_PORT": str(self._ports[service])},
        )

    def kill(self, service: str) -> None:
        """End one service with kill -9."""
        self._guards[service].communicate(b"kill\n")

    def fallen(self) -> tuple[str, ...]:
        """Return the services whose process has ended."""
        return tuple(s for s, guard in self._guards.items() if guard.poll() is not None)

    def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until every service says it is ready."""
        give_up = time.monotonic() + seconds
        waiting = list(SERVICES)
        while waiting:
            service = waiting[0]
            reasons = self.reasons(service)
            if not reasons:
                waiting.pop(0)
            elif time.monotonic() > give_up or service in self.fallen():
                raise NotReady(f"{service}: {reasons}; see {self.log(service)}")
            else:
                time.sleep(0.05)

    def reasons(self, service: str) -> dict[str, str]:
        """Return why a service is not ready; empty when it is."""
        try:
            answer = httpx.get(f"{self.url(service)}/readyz", timeout=2)
            return dict(answer.json()["reasons"])
        except (httpx.HTTPError, ValueError, KeyError) as error:
            return {service: repr(error)}

    def stop(self) -> None:
        """End all in good order."""
        for guard in self._guards.values():
            if guard.stdin and not guard.stdin.closed:
                with suppress(BrokenPipeError):
                    guard.stdin.write(b"stop\n")
                    guard.stdin.close()
        for guard in self._guards.values():
            guard.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def secret_in(path: Path) -> str:
    """Return the secret of a file, made at the first call and readable by its owner only."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(32))
    return path.read_text()
