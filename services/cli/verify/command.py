"""`rollforward verify` judges all logs at one moment, one line per verdict; 1 when one is false."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from services.cli.platform import lines_of
from services.cli.streams.reading import read_copies
from services.cli.verdicts import LineCopy, Verdict, judge_moment
from services.dealer.shell.vault import read_vault
from shared.runtime import logs
from shared.runtime.adapters import database_care
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.ports import Line
from shared.runtime.settings import SettingsError

SETTLE_SECONDS = 10.0


def verify(
    *, logs_only: bool = False, json: bool = False, vault_key_file: Path | None = None
) -> int:
    """Judge all that stands in `$DATABASE_URL` at this moment, and the streams on `$NATS_URL`.

    No service needs to run. What is under way is not held against a platform that plays.

    Parameters
    ----------
    logs_only
        Leave the streams alone: PostgreSQL is enough.
    json
        For programs: one object per verdict.
    vault_key_file
        For auditors: the dealer's keys, to make every deck of players' seeds again.
    """
    logs.configure("verify", "", "error")
    database_url, nats_url = os.environ.get("DATABASE_URL", ""), os.environ.get("NATS_URL", "")
    if not database_url:
        raise SettingsError("DATABASE_URL is not set")
    if not nats_url and not logs_only:
        raise SettingsError("NATS_URL is not set; --logs-only leaves the streams alone")
    vault_keys = {} if vault_key_file is None else read_vault(vault_key_file).keys
    found = asyncio.run(judged(database_url, "" if logs_only else nats_url, vault_keys))
    for verdict in found:
        print(msgspec.json.encode(verdict).decode() if json else sentence(verdict))
    return 0 if all(verdict.true for verdict in found) else 1


async def judged(
    database_url: str, nats_url: str, vault_keys: Mapping[str, bytes]
) -> tuple[Verdict, ...]:
    """Read the snapshot first: what the streams have beyond it is younger, or is wrong."""
    lines = lines_of(database_care.read(database_url).shards)
    snapshot = read_logs(database_url, lines)
    copies: dict[Line, LineCopy] | None = None
    if nats_url:
        copies = await read_copies(database_url, nats_url, snapshot, SETTLE_SECONDS)
    return judge_moment(snapshot, copies, vault_keys)


def sentence(verdict: Verdict) -> str:
    """Write a verdict as one line."""
    return f"{'true ' if verdict.true else 'FALSE'} {verdict.name:<28} {verdict.detail}"
