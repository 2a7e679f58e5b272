"""Embedded engines: a real PostgreSQL and a real NATS server as child processes, from wheels.

For machines that have neither: tests, `make run`, an auditor's laptop. Each engine listens on
127.0.0.1 only and ends with the process that started it, however that process ends.
"""

import json
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from shared.runtime.adapters import engine_files, guard

START_PATIENCE_S = 60.0
ATTEMPTS = 20


class EngineError(Exception):
    """An engine did not start; the message holds the end of its log."""


class Engine(ABC):
    """One engine under its guard: start, stop, kill and start again on the same port and data."""

    stop_signal = signal.SIGTERM
    user: engine_files.User | None = None

    def __init__(self, home: Path | None) -> None:
        """A given `home` outlives the engine; without one a temporary folder comes and goes."""
        self.temporary = home is None
        self.home = home.absolute() if home else Path(tempfile.mkdtemp(prefix="rollforward-"))
        self.home.mkdir(parents=True, exist_ok=True)
        self.port = 0
        self.guard: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def url(self) -> str:
        """Where clients connect; the same after a restart."""

    @abstractmethod
    def command(self) -> list[str]:
        """What the guard runs."""

    @abstractmethod
    def answers(self) -> bool:
        """Tell whether this very engine, not a stranger on its port, serves clients."""

    def start(self) -> None:
        """Return when the engine serves clients; a port lost before the first start is replaced."""
        if self.guard:
            return
        settled = self.port != 0
        deadline = time.monotonic() + START_PATIENCE_S
        for _ in range(ATTEMPTS):
            if not settled:
                self.port = free_port()
            if self._came_up(deadline):
                return
            time.sleep(0.1)  # After a kill the old processes may need a moment to leave.
        raise EngineError(f"{type(self).__name__} did not start: {self._log_tail()}")

    def stop(self) -> None:
        """End the engine in good order; its data stay."""
        self._order(b"stop\n")

    def kill(self) -> None:
        """End the engine with SIGKILL; its data stay as a crash leaves them."""
        self._order(b"kill\n")

    def close(self) -> None:
        """Stop for good and remove what was temporary."""
        self.stop()
        if self.temporary:
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _came_up(self, deadline: float) -> bool:
        """Start one guard and wait until its engine answers or is gone."""
        self.guard = guarding = guard.guarded(
            self.command(),
            self.home,
            stop_signal=self.stop_signal,
            temporary=self.temporary,
            user=self.user.uid if self.user else None,
            group=self.user.gid if self.user else None,
        )
        while guarding.poll() is None and time.monotonic() < deadline:
            if self.answers():
                return True
            time.sleep(0.01)
        if guarding.poll() == guard.HOME_IN_USE:
            self.guard = None
            raise EngineError(f"{self.home} is in use by another {type(self).__name__}")
        self.kill()
        return False

    def _order(self, line: bytes) -> None:
        if self.guard:
            self.guard.communicate(line)
            self.guard = None

    def _log_tail(self) -> str:
        log = self.home / "log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else "it left no log"


class Postgres(Engine):
    """A PostgreSQL server with one superuser and no password, reachable from this machine only."""

    stop_signal = signal.SIGINT  # Its "fast" shutdown: clients are sent away, nothing is lost.

    def __init__(self, home: Path | None = None, *, durable: bool = True) -> None:
        """Without `durable` a commit survives the death of the server but not of the machine."""
        super().__init__(home)
        self.durable = durable
        self.user = engine_files.unprivileged_user()
        self.data = self.home / "data"
        self.install = self.home / "install"

    @property
    def url(self) -> str:
        """The DSN of the maintenance database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Create the cluster when the folder holds none, then start it."""
        if not self.data.exists():
            self._create_cluster()
        super().start()

    def command(self) -> list[str]:
        """Run the server in the foreground with its settings on the command line."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
        }
        if not self.durable:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return [str(self._program("postgres")), "-D", str(self.data), *options]

    def answers(self) -> bool:
        """Ask for the data folder: only our own server names ours."""
        try:
            with psycopg.connect(self.url, connect_timeout=2) as connection:
                row = connection.execute("show data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and Path(row[0]) == self.data

    def _program(self, name: str) -> Path:
        return engine_files.postgres_programs(self.user, self.install) / name

    def _create_cluster(self) -> None:
        """Initialise beside and rename, so that a half-made cluster is never taken for one."""
        if self.user:
            engine_files.hand_over(self.home, self.user)
        fresh = self.home / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        flags = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"]
        made = subprocess.run(
            [self._program("initdb"), "-D", fresh, *flags, *([] if self.durable else ["-N"])],
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            user=self.user.uid if self.user else None,
            group=self.user.gid if self.user else None,
            extra_groups=[] if self.user else None,
        )
        if made.returncode:
            raise EngineError(f"initdb failed: {made.stderr[-2000:]}")
        fresh.rename(self.data)


class NatsServer(Engine):
    """A NATS server with JetStream."""

    def __init__(self, home: Path | None = None, *, sync: str = "always") -> None:
        """`sync` is JetStream's `sync_interval`: `always`, or how much a dying machine may lose."""
        super().__init__(home)
        self.sync = sync
        self.name = f"rollforward-{uuid.uuid4().hex[:12]}"

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"nats://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """Write the configuration and run the server on it."""
        configuration = self.home / "nats.conf"
        configuration.write_text("".join(f"{line}\n" for line in self.configuration()))
        return [str(engine_files.nats_program()), "-c", str(configuration)]

    def configuration(self) -> list[str]:
        """What the server is told, a line each."""
        store = json.dumps(str(self.store))
        return [
            f"server_name: {self.name}",
            f"listen: 127.0.0.1:{self.port}",
            f"jetstream {{ store_dir: {store}, sync_interval: {json.dumps(self.sync)} }}",
        ]

    @property
    def store(self) -> Path:
        """The folder with all streams; without it the server comes up empty."""
        return self.home / "jetstream"

    def answers(self) -> bool:
        """Read the greeting, which is sent only after JetStream has recovered its streams."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
                greeting = connection.makefile("rb").readline()
        except OSError:
            return False
        if not greeting.startswith(b"INFO "):
            return False
        info = json.loads(greeting.removeprefix(b"INFO "))
        return info.get("server_name") == self.name and info.get("jetstream") is True


@contextmanager
def postgres(home: Path | None = None, *, durable: bool = True) -> Iterator[str]:
    """Yield the DSN of a PostgreSQL that lives as long as the block."""
    with Postgres(home, durable=durable) as engine:
        yield engine.url


@contextmanager
def nats_server(home: Path | None = None, *, sync: str = "always") -> Iterator[str]:
    """Yield the URL of a NATS server that lives as long as the block."""
    with NatsServer(home, sync=sync) as engine:
        yield engine.url


def free_port() -> int:
    """Return a port that nobody used a moment ago."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Return so many different ports that nobody used a moment ago."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
