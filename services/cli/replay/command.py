"""`rollforward replay`: fold an exported log, or a stream of the database, and show the state.

Exit codes: 0; 1 when the commits are no whole stream, or two builds disagree; 2 when a file or
an argument cannot be read.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from services.cli.replay.comparing import disagreements, line_of
from services.cli.replay.folding import NotFolded, Step, encode, steps
from services.cli.replay.rows import Until, cut, rows_in_database, rows_in_file, until
from shared.contracts.edge import LogRow
from shared.runtime.settings import SettingsError

Streams = dict[str, list[LogRow]]


def replay(
    file: Path | None = None,
    /,
    *,
    stream: str = "",
    at: str = "",
    hashes: bool = False,
    compare: Path | None = None,
    save: Path | None = None,
) -> int:
    """Fold a log, and print each stream's state as JSON.

    Parameters
    ----------
    file
        One commit a line, every stream from its first commit on.
    stream
        `trn_…`, `tbl_…`, `hnd_…`, `drw_…`, `journal` or `ratings`: of the file, else of
        `$DATABASE_URL`.
    at
        After which commit: `17` of the stream, `seq:1234` of its log (in a file, the line), or a
        moment such as `2026-11-30T09:00:00Z`; else the last.
    hashes
        Instead of the state, a line for each commit with its hash and that of the state after it.
    compare
        Such lines of another build: tell the first commit after which the states differ.
    save
        Write the stream's commits there as they are stored, to be folded elsewhere.
    """
    end = until(at)
    found = chosen(file, stream)
    try:
        kept = {name: kept_of(name, rows, end) for name, rows in found.items()}
        if save is not None:
            write(save, kept)
        if compare is not None:
            return told_apart(disagreements(all_steps(kept), compare))
        show(kept, hashes=hashes)
    except NotFolded as error:
        sys.stderr.write(f"rollforward: {error}\n")
        return 1
    return 0


def chosen(file: Path | None, stream: str) -> Streams:
    """Read what is asked for; raise SettingsError."""
    if file is not None:
        found = rows_in_file(file)
        if stream:
            found = {name: rows for name, rows in found.items() if name == stream}
        if not found:
            raise SettingsError(f"{file} has no {stream or 'commits'}")
        return found
    if not stream:
        raise SettingsError("name a file, or a --stream of $DATABASE_URL")
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        raise SettingsError("DATABASE_URL is not set")
    return {stream: rows_in_database(url, stream)}


def kept_of(stream: str, rows: list[LogRow], end: Until) -> list[LogRow]:
    """Leave out what comes later; raise NotFolded when nothing is left, or it is not there yet."""
    kept = cut(rows, end)
    if not kept:
        raise NotFolded(f"{stream} has no commits{' by then' * bool(rows)}")
    if end.version is not None and kept[-1].n < end.version:
        raise NotFolded(f"{stream} ends with its commit {kept[-1].n}")
    return kept


def write(path: Path, streams: Streams) -> None:
    """Write commits, one a line, in the order in which they were read."""
    data = b"".join(row.data + b"\n" for rows in streams.values() for row in rows)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error


def show(streams: Streams, *, hashes: bool) -> None:
    """Print the end of every stream, or a line for each commit."""
    for stream, rows in streams.items():
        last: Step | None = None
        for last in steps(stream, rows):
            if hashes:
                sys.stdout.write(f"{line_of(last)}\n")
        if last is not None and not hashes:
            sys.stdout.write(encode(document(last)).decode() + "\n")


def document(step: Step) -> dict[str, Any]:
    """Write a state, and where and when it was so."""
    return {
        "stream": step.commit.stream,
        "n": step.commit.n,
        "sequence": step.row.number,
        "at": step.commit.at,
        "commit_hash": step.commit_hash,
        "state_hash": step.state_hash,
        "state": msgspec.Raw(encode(step.state)),
    }


def all_steps(streams: Streams) -> Iterator[Step]:
    for stream, rows in streams.items():
        yield from steps(stream, rows)


def told_apart(found: Iterable[str]) -> int:
    """Print where two builds disagree first; 1 when they do."""
    told = next(iter(found), None)
    print("the same state after every commit" if told is None else told)
    return 0 if told is None else 1
