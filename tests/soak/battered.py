"""A platform whose processes and engines can be treated badly, one by one."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from services.cli.platform import Platform
from shared.runtime.adapters.engines import NatsServer, Postgres

DECIDING = ("wallet", "dealer", "ranking", "director", "table")


class Battered(Platform):
    """Several processes of every service that decides, on engines of our own."""

    def __init__(
        self, database: Postgres, nats: NatsServer, home: Path, processes: Mapping[str, int]
    ) -> None:
        super().__init__(database.url, nats.url, home, processes=processes)
        self.engines = {"PostgreSQL": database, "NATS": nats}

    @property
    def victims(self) -> tuple[str, ...]:
        return tuple(p for p in self.processes if p.partition("-")[0] in DECIDING)

    def terminate(self, process: str) -> None:
        """Tell one process to end in good order, and wait until it has."""
        self._guards[process].communicate(b"stop\n")

    def freeze(self, process: str) -> None:
        os.kill(self._pid(process), signal.SIGSTOP)

    def thaw(self, process: str) -> None:
        os.kill(self._pid(process), signal.SIGCONT)

    def _pid(self, process: str) -> int:
        """Find the service below its guard."""
        found = subprocess.run(
            ["pgrep", "-P", str(self._guards[process].pid)],
            check=True,
            capture_output=True,
            text=True,
        )
        return int(found.stdout)
