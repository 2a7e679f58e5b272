"""An export: commits as they are stored, one a line, read back as facts that can be judged.

The bytes of a line are those under the hashes, so what was changed in one commit shows at the
next of its stream. The last commit of a stream has no successor in its file, and a tournament's
commits lie apart. What their facts say of cards, seats and draws is held by the other side: an
opening by the committed root, a deal by what the table recorded, a hand's end by its chips, a draw
by its question and its bytes. The rest of such a commit (when, why and by which build it was
written, a look's reason, who acted by the clock, a sealed deck without the vault key) is held by
nothing in the file, and neither is a file that was written anew from end to end. They are held by
another copy: the log, its stream, or the file of somebody else, with which this one then does not
go together.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from services.cli.verdicts.history import History, history_of
from shared.contracts.commit import Commit, decode, decode_type, hash_of
from shared.contracts.edge import LogRow
from shared.contracts.hand import HandEnded, HandScheduled
from shared.contracts.message import tag_of
from shared.runtime.ports import Line

OWNERS = {"hnd_": "dealer", "drw_": "dealer", "tbl_": "table", "trn_": "director"}
FORMAT = 1
BEGINS, ENDS = tag_of(HandScheduled), tag_of(HandEnded)

Stored = tuple[Commit, bytes]


class NotAnExport(Exception):
    """A file that holds no commits; the message says which line, and what is wrong with it."""


class Export(msgspec.Struct, frozen=True):
    """The commits of a file in their order, and their facts."""

    commits: tuple[Stored, ...]
    history: History

    def streams(self) -> dict[str, list[Stored]]:
        """Return the commits by stream, each in the order of the file."""
        found: dict[str, list[Stored]] = {}
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
    """Understand lines as commits of the services that own their streams; raise NotAnExport."""
    commits: list[Stored] = []
    rows: dict[Line, list[LogRow]] = {}
    for number, line in enumerate(lines, 1):
        try:
            commit = decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise NotAnExport(f"{name}, line {number}: {error}") from error
        owner = OWNERS.get(commit.stream[:4])
        if owner is None or commit.v != FORMAT:
            stream = f"{commit.stream[:64]!r} of format {commit.v}"
            raise NotAnExport(f"{name}, line {number}: {stream} plays no part here")
        commits.append((commit, line))
        of_owner = rows.setdefault(Line(owner, 0), [])
        of_owner.append(LogRow(number, commit.stream, commit.n, "", line))
    if not commits:
        raise NotAnExport(f"{name} is empty")
    try:
        return Export(tuple(commits), history_of(rows))
    except (UnicodeError, RecursionError) as error:
        raise NotAnExport(f"{name}: {error}") from error


def wrong_chains(export: Export) -> Iterator[tuple[str, str]]:
    """Yield each stream with what is wrong with its chain.

    A table's may begin in the middle, and lack what lies between two hands; a tournament's has
    only the commits that concern draws.
    """
    for stream, commits in export.streams().items():
        first = commits[0][0]
        if first.n != 1 and OWNERS[stream[:4]] == "dealer":
            yield stream, f"begins with its commit {first.n}"
        if first.n < 1 or (first.n == 1) != (first.prev == ""):
            yield stream, "has a first commit that others come before"
        for before, after in pairwise(commits):
            yield from ((stream, what) for what in wrong_step(before, after))


def wrong_step(before: Stored, after: Stored) -> Iterator[str]:
    """Compare a commit with the one before it in the file."""
    (earlier, data), (later, _) = before, after
    if later.n <= earlier.n or (later.n > earlier.n + 1 and not may_be_apart(earlier, later)):
        yield f"goes on from {earlier.n} to {later.n}"
    elif later.n == earlier.n + 1 and later.prev != hash_of(data).hex():
        yield f"has another commit {earlier.n} than {later.n} was written after"
    if later.at < earlier.at:
        yield f"goes back in time at {later.n}"


def may_be_apart(earlier: Commit, later: Commit) -> bool:
    """Say whether commits that are not in the file may lie between these two."""
    if earlier.stream.startswith("tbl_"):
        return ENDS in tags_in(earlier) and BEGINS in tags_in(later)
    return earlier.stream.startswith("trn_")


def tags_in(commit: Commit) -> list[str]:
    """Return the tags of a commit that has been decoded whole, or none."""
    try:
        return [decode_type(event).type for event in commit.events]
    except msgspec.MsgspecError:
        return []


def contradictions(exports: Iterable[Export]) -> Iterator[tuple[str, str]]:
    """Yield each stream of which several files tell different things."""
    commits = [stored for export in exports for stored in export.commits]
    hashes: dict[tuple[str, int], bytes] = {}
    for commit, data in commits:
        known = hashes.setdefault((commit.stream, commit.n), hash_of(data))
        if known != hash_of(data):
            yield commit.stream, f"has more than one commit {commit.n} in these files"
    for commit, _ in commits:
        before = hashes.get((commit.stream, commit.n - 1))
        if before is not None and before.hex() != commit.prev:
            yield commit.stream, f"has another commit {commit.n - 1} in another file"
