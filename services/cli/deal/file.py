"""An export: commits as they are stored, one a line, read back as facts that can be judged.

The bytes of a line are those under the hashes, so what was changed in one commit shows at the
next of its stream. The last commit of a stream has no successor; what it says is held by the
others: a hand's end by the chips of its pots, an opening by the committed root.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from services.cli.verdicts.history import History, history_of
from shared.contracts.commit import Commit, decode, hash_of
from shared.contracts.edge import LogRow
from shared.runtime.ports import Line

OWNERS = {"hnd": "dealer", "drw": "dealer", "tbl": "table", "trn": "director"}


class NotAnExport(Exception):
    """A file that holds no commits; the message says which line, and what is wrong with it."""


class Export(msgspec.Struct, frozen=True):
    """The commits of a file in their order, and their facts."""

    commits: tuple[tuple[Commit, bytes], ...]
    history: History

    def streams(self) -> dict[str, list[tuple[Commit, bytes]]]:
        """Return the commits by stream, each in the order of the file."""
        found: dict[str, list[tuple[Commit, bytes]]] = {}
        for commit, data in self.commits:
            found.setdefault(commit.stream, []).append((commit, data))
        return found


def read(path: Path) -> Export:
    """Read one file; raise NotAnExport."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise NotAnExport(f"{path}: {error.strerror}") from error
    return export_of([line for line in lines if line], str(path))


def export_of(lines: Sequence[bytes], name: str = "export") -> Export:
    """Understand lines as commits of the services that own their streams."""
    commits: list[tuple[Commit, bytes]] = []
    rows: dict[Line, list[LogRow]] = {}
    for number, line in enumerate(lines, 1):
        try:
            commit = decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise NotAnExport(f"{name}, line {number}: {error}") from error
        owner = OWNERS.get(commit.stream[:3])
        if owner is None:
            raise NotAnExport(f"{name}, line {number}: {commit.stream[:64]!r} plays no part here")
        commits.append((commit, line))
        of_owner = rows.setdefault(Line(owner, 0), [])
        of_owner.append(LogRow(number, commit.stream, commit.n, "", line))
    if not commits:
        raise NotAnExport(f"{name} is empty")
    return Export(tuple(commits), history_of(rows))


def wrong_chains(export: Export) -> Iterator[tuple[str, str]]:
    """Yield each stream with what is wrong with its chain; a table's may begin in the middle.

    A tournament's has only the commits that concern draws.
    """
    for stream, commits in export.streams().items():
        first = commits[0][0]
        if first.n > 1 and OWNERS[stream[:3]] == "dealer":
            yield stream, f"begins with its commit {first.n}"
        if (first.n == 1) != (first.prev == ""):
            yield stream, "has a first commit that others come before"
        for (before, data), (after, _) in pairwise(commits):
            with_gaps = stream.startswith("trn_")
            if after.n <= before.n or (after.n > before.n + 1 and not with_gaps):
                yield stream, f"goes on from {before.n} to {after.n}"
            elif after.n == before.n + 1 and after.prev != hash_of(data).hex():
                yield stream, f"has another commit {before.n} than {after.n} was written after"
            if after.at < before.at:
                yield stream, f"goes back in time at {after.n}"
