"""The shape of the code, kept by tests: sizes, docstrings, purity of the cores and leftovers.

Every check takes one source and returns complaints, so that a failure names places, not a file.
"""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
LINE_COLUMNS_MAX = 100

TOP_LEVEL = {
    *("pyproject.toml", "README.md", "Makefile", "requirements.lock"),
    *("services", "shared", "tests", "deploy"),
}
CORE_IMPORTS = {
    *("shared.contracts", "shared.poker", "shared.kernel", "msgspec"),
    *("__future__", "bisect", "collections", "dataclasses", "enum", "fractions", "functools"),
    *("hashlib", "itertools", "math", "operator", "types", "typing"),
}
NOTE_TO_ONESELF = re.compile(r"\b(TODO|FIXME|XXX)\b")
BARE_SILENCER = re.compile(r"#\s*(noqa(?!:\s*[A-Z]+\d)|type:\s*ignore(?!\[[a-z]))", re.IGNORECASE)


class Source(NamedTuple):
    """One module, read once."""

    path: str
    lines: tuple[str, ...]
    tree: ast.Module

    @property
    def in_core(self) -> bool:
        parts = self.path.split("/")
        return parts[0] == "services" and "core" in parts[2:3]


@cache
def sources(*tops: str) -> tuple[Source, ...]:
    paths = sorted(path for top in tops for path in (ROOT / top).rglob("*.py"))
    return tuple(source(path.relative_to(ROOT).as_posix(), path.read_text()) for path in paths)


def source(path: str, text: str) -> Source:
    return Source(path, tuple(text.splitlines()), ast.parse(text, path))


def long_file(module: Source) -> Iterator[str]:
    if len(module.lines) > FILE_LINES_MAX:
        yield f"{module.path}: {len(module.lines)} lines, at most {FILE_LINES_MAX}"


def long_function(module: Source) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                yield f"{module.path}:{node.lineno}: {node.name} has {length} lines"


def long_line(module: Source) -> Iterator[str]:
    for number, line in enumerate(module.lines, 1):
        if len(line) > LINE_COLUMNS_MAX:
            yield f"{module.path}:{number}: over {LINE_COLUMNS_MAX} columns"


def no_module_docstring(module: Source) -> Iterator[str]:
    if module.lines and not ast.get_docstring(module.tree):
        yield f"{module.path}: no module docstring that says why the file exists"


def impure_core(module: Source) -> Iterator[str]:
    """A core may import an allowed list only, and itself."""
    if not module.in_core:
        return
    allowed = {*CORE_IMPORTS, ".".join(module.path.split("/")[:3])}
    for line, name in imports(module.tree):
        if not any(name == good or name.startswith(f"{good}.") for good in allowed):
            yield f"{module.path}:{line}: a core imports {name}"


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every import as line and dotted name; a name taken from a package counts whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            whole = f"{'.' * node.level}{node.module or ''}"
            yield from ((node.lineno, f"{whole}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in {"__import__", "open", "input"}:
            yield node.lineno, f"by calling {called(node)}"


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def stray_print(module: Source) -> Iterator[str]:
    """Only the command line talks to a terminal; everything else logs."""
    if module.path.startswith("services/cli/"):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and called(node) == "print":
            yield f"{module.path}:{node.lineno}: print outside the command line"


def note_to_oneself(module: Source) -> Iterator[str]:
    for number, line in enumerate(module.lines, 1):
        if found := NOTE_TO_ONESELF.search(line):
            yield f"{module.path}:{number}: {found[1]} belongs in an issue"


def bare_silencer(module: Source) -> Iterator[str]:
    for number, line in enumerate(module.lines, 1):
        if BARE_SILENCER.search(line):
            yield f"{module.path}:{number}: a silenced check without its code"


CODE_CHECKS = [long_file, long_function, no_module_docstring, impure_core, stray_print]
TEXT_CHECKS = [long_line, note_to_oneself, bare_silencer]


@pytest.mark.parametrize("check", CODE_CHECKS + TEXT_CHECKS)
def test_code_is_tidy(check: Callable[[Source], Iterator[str]]):
    found = [complaint for module in sources("services", "shared") for complaint in check(module)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("check", [long_file, long_line, no_module_docstring])
def test_tests_are_tidy(check: Callable[[Source], Iterator[str]]):
    found = [complaint for module in sources("tests") for complaint in check(module)]
    assert not found, "\n".join(found)


def test_the_top_level_holds_only_what_belongs_there():
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no git to ask what belongs to the repository")
    listed = subprocess.run([git, "ls-files"], check=True, cwd=ROOT, capture_output=True, text=True)
    tops = {name.partition("/")[0] for name in listed.stdout.splitlines()}
    assert {name for name in tops if not name.startswith(".")} <= TOP_LEVEL


UNTIDY = [
    # check, path, text that it must complain about
    (long_file, "shared/x.py", "x = 1\n" * 401),
    (long_function, "shared/x.py", "def f():\n" + "    x = 1\n" * 60),
    (long_line, "shared/x.py", f"x = '{'x' * 96}'"),
    (no_module_docstring, "shared/x.py", "x = 1"),
    (impure_core, "services/table/core/x.py", "import time"),
    (impure_core, "services/table/core/x.py", "from datetime import datetime"),
    (impure_core, "services/table/core/deeper/x.py", "def f():\n    import os"),
    (impure_core, "services/table/core/x.py", "from services.table.shell import app"),
    (impure_core, "services/table/core/x.py", "from . import state"),
    (impure_core, "services/table/core/x.py", "open('/etc/hosts')"),
    (stray_print, "services/table/shell/x.py", "print(1)"),
    (note_to_oneself, "shared/x.py", "# TODO later"),
    (bare_silencer, "shared/x.py", "x = 1  # noqa"),
    (bare_silencer, "shared/x.py", "x = 1  # type: ignore"),
]
TIDY = [
    (impure_core, "services/table/core/x.py", "from shared.kernel.decider import Refused"),
    (impure_core, "services/table/core/x.py", "from services.table.core.state import Table"),
    (impure_core, "services/table/core/x.py", "from collections.abc import Iterable"),
    (impure_core, "services/table/shell/x.py", "import time"),
    (stray_print, "services/cli/x.py", "print(1)"),
    (bare_silencer, "shared/x.py", "x = 1  # noqa: S101"),
    (bare_silencer, "shared/x.py", "x = 1  # type: ignore[arg-type]"),
]


@pytest.mark.parametrize(("check", "path", "text"), UNTIDY)
def test_checks_see_what_is_wrong(check, path, text):
    assert list(check(source(path, text)))


@pytest.mark.parametrize(("check", "path", "text"), TIDY)
def test_checks_let_pass_what_is_right(check, path, text):
    assert not list(check(source(path, text)))
