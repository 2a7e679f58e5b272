"""`rollforward status`: look on from outside, through NATS alone."""

import asyncio
import os
import sys
import time

import msgspec
from rich.console import Console

from services.cli.status.judging import wrongs
from services.cli.status.reading import read
from services.cli.status.screen import show
from shared.runtime.ports import BrokerUnavailable
from shared.runtime.settings import SettingsError


def status(*, json: bool = False, nats_url: str = "") -> int:
    """Show who works on which shard, how far each is, and what waits; 1 when something is wrong.

    Parameters
    ----------
    json
        For programs: one JSON document.
    nats_url
        Where the platform's NATS is; else `$NATS_URL`.
    """
    url = nats_url or os.environ.get("NATS_URL", "")
    if not url:
        raise SettingsError("NATS_URL is not set")
    try:
        report = asyncio.run(read(url))
    except BrokerUnavailable as error:
        sys.stderr.write(f"rollforward: {error}\n")
        return 1
    now_ms = time.time_ns() // 1_000_000
    wrong = wrongs(report, now_ms)
    if json:
        document = {**msgspec.to_builtins(report), "wrong": wrong}
        sys.stdout.write(msgspec.json.encode(document).decode() + "\n")
    else:
        show(Console(), report, wrong, now_ms)
    return 1 if wrong else 0
