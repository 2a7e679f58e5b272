"""A runbook as a script: its labelled blocks, in order, run as they stand.

A label reads `step=NAME`, then `as=postgres` for the user that PostgreSQL runs as, `when=CASE` for
a step of one case only, and `stays` for a command that runs until it is stopped.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from shared.runtime.adapters.engine_files import User

ROOT = Path(__file__).resolve().parents[2]
RUNBOOKS = ROOT / "deploy" / "runbooks"
BLOCK = re.compile(r"^```sh *(?P<label>[^\n]*)\n(?P<script>.*?)^```$", re.MULTILINE | re.DOTALL)
STEP_SECONDS = 90


class Step(NamedTuple):
    """One block: what it is called, how it is run, and its text."""

    name: str
    as_postgres: bool
    case: str
    stays: bool
    script: str


def steps_of(text: str) -> tuple[Step, ...]:
    """Return a runbook's blocks; one without a name is a mistake."""
    return tuple(step_of(block["label"], block["script"]) for block in BLOCK.finditer(text))


def step_of(label: str, script: str) -> Step:
    words = label.split()
    given = dict(word.split("=", 1) for word in words if "=" in word)
    known = {"step", "as", "when"}
    assert given.keys() <= known, f"{label!r}: only {known} are known"
    assert given.get("step"), f"{label!r} has no step: {script}"
    return Step(
        given["step"],
        given.get("as") == "postgres",
        given.get("when", ""),
        "stays" in words,
        script,
    )


class Duty:
    """Somebody with a terminal: runs the steps, with an environment that grows on the way."""

    def __init__(self, book: str, environ: Mapping[str, str], postgres: User | None) -> None:
        self.steps = steps_of((RUNBOOKS / book).read_text())
        self.environ = dict(environ)
        self.done: list[str] = []
        self._postgres = postgres

    def named(self, name: str) -> Step:
        (found,) = [step for step in self.steps if step.name == name]
        return found

    def run(self, name: str) -> str:
        """Run one step to its end, and return what it printed."""
        step = self.named(name)
        user = self._postgres if step.as_postgres else None
        ran = subprocess.run(
            ["sh", "-eu", "-c", step.script],
            check=False,
            capture_output=True,
            text=True,
            timeout=STEP_SECONDS,
            cwd="/" if user else ROOT,
            env=self._env(),
            user=user.uid if user else None,
            group=user.gid if user else None,
            extra_groups=[] if user else None,
        )
        assert ran.returncode == 0, f"{name}: {ran.stdout}{ran.stderr}"
        self.done.append(name)
        return ran.stdout

    def begin(self, name: str, output: Path) -> subprocess.Popen[bytes]:
        """Start a step that stays."""
        step = self.named(name)
        assert step.stays
        self.done.append(name)
        with output.open("wb") as file:
            return subprocess.Popen(
                ["sh", "-eu", "-c", f"exec {step.script}"],
                stdout=file,
                stderr=file,
                cwd=ROOT,
                env=self._env(),
            )

    def _env(self) -> dict[str, str]:
        """Everything that is on an operator's path."""
        path = [self.environ.get("PROGRAMS", ""), str(Path(sys.executable).parent)]
        return {
            **os.environ,
            **self.environ,
            "PATH": os.pathsep.join([*path, os.environ["PATH"]]),
        }


def links_of(text: str) -> Iterator[str]:
    """Yield the files that a page links to."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            yield target
