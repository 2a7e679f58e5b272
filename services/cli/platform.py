"""The whole platform on this machine: a process or more per service, started, killed, restarted."""

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
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import free_port
from shared.runtime.adapters.guard import guarded
from shared.runtime.adapters.whole_logs import has_commits
from shared.runtime.ports import Line, StartRefused
from shared.runtime.service import of_other_services
from shared.runtime.settings import RuntimeSettings, load

SERVICES = ("wallet", "dealer", "ranking", "director", "table", "gateway", "provider")
READY_SECONDS = 60.0
STOPPED = "stopped: "
WAITS_FOR_A_PERSON = "inbox "  # Parked facts are retried on a platform that runs.


class NotReady(Exception):
    """A service did not become ready; the message says which and why."""


class Platform:
    """Services as child processes; their logs and the vault key lie in `home`.

    A process is called like its service, further ones `table-2`, `table-3` and so on; that name
    is also its instance.
    """

    def __init__(
        self,
        database_url: str,
        nats_url: str,
        home: Path,
        environ: Mapping[str, str] | None = None,
        processes: Mapping[str, int] | None = None,
        ports: Mapping[str, int] | None = None,
    ) -> None:
        """Processes without a port of their own get a free one."""
        self.home = home
        given = {**os.environ, "DATABASE_URL": database_url, "NATS_URL": nats_url}
        self.settings = load(RuntimeSettings, given, of_other_services("", given))
        self._environ = {
            "ROLLFORWARD_WALLET_OUTBOX": str(home / "outbox"),
            **given,
            "ROLLFORWARD_DEALER_VAULT_KEY_FILE": str(home / "vault.key"),
            **(environ or {}),
        }
        self.operator_token = ""
        self.second_token = ""
        self.processes = named(processes or {})
        self._ports = {
            process: (ports or {}).get(process) or free_port() for process in self.processes
        }
        self._guards: dict[str, Popen[bytes]] = {}

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line of every service that has a log."""
        return lines_of(self.settings.shards())

    def url(self, process: str) -> str:
        """Return a process's HTTP address."""
        return f"http://127.0.0.1:{self._ports[process]}"

    def log(self, process: str) -> Path:
        """Return the file with a process's log lines."""
        return self.home / process / "log"

    def start(self) -> None:
        """Migrate, start every service, and wait until all are ready.

        Raise StartRefused when the database holds decks, and nothing here opens them.
        """
        self.home.mkdir(parents=True, exist_ok=True)
        if not (self.home / "vault.key").exists():
            self._refuse_new_key()
            write_new_key(self.home / "vault.key")
        self.operator_token = secret_in(self.home / "operator.token")
        self.second_token = secret_in(self.home / "second-operator.token")
        self._environ["ROLLFORWARD_GATEWAY_OPERATORS"] = (
            f"operator={self.operator_token},second={self.second_token}"
        )
        self._environ["ROLLFORWARD_GATEWAY_TOKEN_SECRET"] = secret_in(self.home / "gateway.secret")
        if "provider" in self.processes:
            self._environ = {**self._with_provider(), **self._environ}
        migrate(self.settings.database_url, self.lines)
        for process in self.processes:
            self.spawn(process)
        self.wait_ready()

    def _with_provider(self) -> dict[str, str]:
        """What wallet and provider have to know of each other, where nothing else is said."""
        secret = secret_in(self.home / "provider.secret")
        return {
            "ROLLFORWARD_WALLET_PROVIDER_URL": self.url("provider"),
            "ROLLFORWARD_WALLET_PROVIDER_SECRET": secret,
            "ROLLFORWARD_PROVIDER_SECRET": secret,
            "ROLLFORWARD_PROVIDER_ADMIN_TOKEN": secret_in(self.home / "provider.token"),
            "ROLLFORWARD_PROVIDER_WEBHOOK_URL": f"{self.url('gateway')}/api/webhooks/payments",
            "ROLLFORWARD_PROVIDER_DATA": str(self.home / "payments.sqlite"),
        }

    def _refuse_new_key(self) -> None:
        """Hands under way cannot be dealt on with another vault key."""
        if any(has_commits(self.settings.database_url, line) for line in self._dealers):
            raise StartRefused(
                f"the database holds decks, and {self.home / 'vault.key'} is missing:"
                " put the vault key, gateway.secret and operator.token of that platform there"
            )

    @property
    def _dealers(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.service == "dealer")

    def spawn(self, process: str) -> None:
        """Start one process; it ends with this one, however this one ends."""
        folder = self.home / process
        folder.mkdir(exist_ok=True)
        self._guards[process] = guarded(
            [sys.executable, "-m", f"services.{service_of(process)}"],
            folder,
            environ={
                **self._environ,
                "ROLLFORWARD_HTTP_PORT": str(self._ports[process]),
                "ROLLFORWARD_INSTANCE": process,
            },
        )

    def end(self, process: str) -> None:
        """Tell one process to end in good order, and wait until it has."""
        self._guards[process].communicate(b"stop\n")

    def kill(self, process: str) -> None:
        """End one process with kill -9."""
        self._guards[process].communicate(b"kill\n")

    def fallen(self) -> tuple[str, ...]:
        """Return the processes that have ended."""
        return tuple(p for p, guard in self._guards.items() if guard.poll() is not None)

    def wait_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait until every process says it is ready; a line that has stopped never will be."""
        give_up = time.monotonic() + seconds
        waiting = list(self.processes)
        while waiting:
            process = waiting[0]
            reasons = {
                what: why
                for what, why in self.reasons(process).items()
                if not what.startswith(WAITS_FOR_A_PERSON)
            }
            if not reasons:
                waiting.pop(0)
            elif time.monotonic() > give_up or process in self.fallen() or hopeless(reasons):
                raise NotReady(f"{process}: {reasons}; see {self.log(process)}")
            else:
                time.sleep(0.05)

    def reasons(self, process: str) -> dict[str, str]:
        """Return why a process is not ready; empty when it is."""
        try:
            answer = httpx.get(f"{self.url(process)}/readyz", timeout=2)
            return dict(answer.json()["reasons"])
        except (httpx.HTTPError, ValueError, KeyError) as error:
            return {process: repr(error)}

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


def named(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names of so many processes of each service, one where nothing else is said."""
    return tuple(
        service if nth == 1 else f"{service}-{nth}"
        for service in SERVICES
        for nth in range(1, counts.get(service, 1) + 1)
    )


def lines_of(shards: Mapping[str, int]) -> tuple[Line, ...]:
    """Return every line of services with so many shards."""
    return tuple(
        Line(service, number) for service, count in shards.items() for number in range(count)
    )


def hopeless(reasons: Mapping[str, str]) -> bool:
    """Say whether something has stopped for good: an operator has to look."""
    return any(why.startswith(STOPPED) for why in reasons.values())


def service_of(process: str) -> str:
    """Return the service that a process runs."""
    return process.partition("-")[0]


def secret_in(path: Path) -> str:
    """Return the secret of a file, made at the first call and readable by its owner only."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(32))
    return path.read_text()
