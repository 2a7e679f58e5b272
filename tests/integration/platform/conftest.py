"""All services as processes, on a database of their own and a NATS of their own."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from services.cli.platform import Platform
from shared.runtime.adapters.engines import nats_server


@pytest.fixture
def platform(dsn: str) -> Iterator[Platform]:
    with (
        TemporaryDirectory(prefix="rollforward-platform-") as home,
        nats_server() as nats_url,
        Platform(dsn, nats_url, Path(home)) as started,
    ):
        started.start()
        yield started
