"""Two builds on one log: the first commit after which their states differ.

A line reads `stream n commit-hash state-hash`. A build whose states have other fields than those
of another one disagrees with it from the first commit on.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from services.cli.replay.folding import Step
from shared.runtime.settings import SettingsError

WORDS = 4

Hashes = tuple[str, str]
Place = tuple[str, int]


def line_of(step: Step) -> str:
    """Write what another build can be compared with."""
    return f"{step.commit.stream} {step.commit.n} {step.commit_hash} {step.state_hash}"


def read(path: Path) -> dict[Place, Hashes]:
    """Read the lines of another build; raise SettingsError."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    found: dict[Place, Hashes] = {}
    for number, line in enumerate(lines, 1):
        words = line.split(" ")
        if len(words) != WORDS or not words[1].isdecimal():
            raise SettingsError(f"{path}, line {number}: no line of --hashes")
        found[words[0], int(words[1])] = (words[2], words[3])
    return found


def disagreements(ours: Iterable[Step], path: Path) -> Iterator[str]:
    """Yield where the two differ, in our order; what only the other one has comes last."""
    theirs = read(path)
    for step in ours:
        where = f"{step.commit.stream} {step.commit.n}"
        other = theirs.pop((step.commit.stream, step.commit.n), None)
        if other is None:
            yield f"{where}: not in {path}"
        elif other[0] != step.commit_hash:
            yield f"{where}: the logs differ: {step.commit_hash} here, {other[0]} there"
        elif other[1] != step.state_hash:
            yield f"{where}: the states differ: {step.state_hash} here, {other[1]} there"
    for stream, n in theirs:
        yield f"{stream} {n}: only in {path}"
