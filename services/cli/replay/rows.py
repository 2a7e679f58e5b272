"""Commits to fold: out of the database, or out of a file with one commit a line."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from services.cli.replay.kinds import kind_of
from shared.contracts.commit import decode, moment_ms
from shared.contracts.edge import LogRow
from shared.kernel.sharding import shard_of
from shared.runtime.adapters import database_care
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.ports import Line
from shared.runtime.settings import SettingsError

SEQUENCE = "seq:"


class Until(NamedTuple):
    """How far to fold: up to a version of the stream, a number of its log, or a moment."""

    version: int | None = None
    number: int | None = None
    at_ms: int | None = None


def until(text: str) -> Until:
    """Read `17`, `seq:1234` or `2026-11-30T09:00:00Z`, "" for the end; raise SettingsError."""
    if not text:
        return Until()
    if text.isdecimal() and text.isascii():
        return Until(version=int(text))
    number = text.removeprefix(SEQUENCE)
    if number != text and number.isdecimal() and number.isascii():
        return Until(number=int(number))
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise SettingsError(f"--at {text}: add the zone, such as Z or +01:00")
        return Until(at_ms=moment_ms(text))
    except (ValueError, OverflowError):
        raise SettingsError(
            f"--at {text}: a version such as 17, seq:1234, or a moment such as 2026-11-30T09:00:00Z"
        ) from None


def cut(rows: Sequence[LogRow], end: Until) -> list[LogRow]:
    """Leave out what comes later."""
    kept = [
        row
        for row in rows
        if (end.version is None or row.n <= end.version)
        and (end.number is None or row.number <= end.number)
    ]
    if end.at_ms is None:
        return kept
    return [row for row in kept if moment_ms(decode(row.data).at) <= end.at_ms]


def rows_in_database(database_url: str, stream: str) -> list[LogRow]:
    """Read all commits of a stream, from its line's log; raise SettingsError, StoreUnavailable."""
    service = kind_of(stream).service
    line = Line(service, shard_of(stream, database_care.read(database_url).shards[service]))

    async def read() -> list[LogRow]:
        with patient_stores(database_url, [line]) as stores:
            return await stores[line].read_stream(stream)

    return asyncio.run(read())


def rows_in_file(path: Path) -> dict[str, list[LogRow]]:
    """Read an export, by stream; a commit's number is that of its line. Raise SettingsError."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error
    found: dict[str, list[LogRow]] = {}
    for number, data in enumerate(lines, 1):
        if not data:
            continue
        try:
            commit = decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise SettingsError(f"{path}, line {number}: {error}") from error
        row = LogRow(number, commit.stream, commit.n, "", data)
        found.setdefault(commit.stream, []).append(row)
    return found
