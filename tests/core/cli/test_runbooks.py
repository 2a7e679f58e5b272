"""The runbooks are complete: every reason that readiness can give is in one, every link leads."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.integration.runbook import ROOT, RUNBOOKS, links_of, step_of, steps_of

BOOKS = sorted(RUNBOOKS.glob("*.md"))
OUTAGES = RUNBOOKS / "ownership-and-outages.md"
HANDED_ON = ("shared/runtime/health.py", "shared/runtime/supervisor.py")


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the services and of what they run on, by path."""
    paths = sorted(path for top in ("services", "shared") for path in (ROOT / top).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text()) for path in paths}


def reasons() -> dict[str, set[str]]:
    """Every name under which something is said to be wrong, and the modules that say it.

    A name's variable parts are cut off: `relay table-0` is `relay`.
    """
    found: dict[str, set[str]] = {}
    for path, module in modules().items():
        if path in HANDED_ON or path.startswith("services/cli/"):
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and called(node) in {"wrong", "start"} and node.args:
                for name in names(node.args[0], module):
                    found.setdefault(name, set()).add(path)
    return found


def called(node: ast.Call) -> str:
    """The method of a call on `health` or `supervisor`, such as `self._health.wrong`."""
    if not isinstance(node.func, ast.Attribute):
        return ""
    target = ast.unparse(node.func.value)
    wanted = {"wrong": "health", "start": "supervisor"}.get(node.func.attr)
    return node.func.attr if wanted and target.endswith(wanted) else ""


def names(node: ast.expr, module: ast.Module) -> Iterator[str]:
    """Follow an expression to the texts it can be; one that leads nowhere fails the test."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.split()[0]
    elif isinstance(node, ast.JoinedStr):
        first = node.values[0]
        yield from names(first.value if isinstance(first, ast.FormattedValue) else first, module)
    elif isinstance(node, ast.BinOp):
        yield from names(node.left, module)
    elif isinstance(node, ast.Call):
        yield from returned_by(ast.unparse(node.func))
    elif ast.unparse(node) == "self._service":
        yield "{service}"
    else:
        yield from assigned_to(ast.unparse(node), module)


def assigned_to(name: str, module: ast.Module) -> Iterator[str]:
    values = [
        node.value
        for node in ast.walk(module)
        if (isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets))
        or (isinstance(node, ast.AnnAssign) and node.value and ast.unparse(node.target) == name)
    ]
    values += list(looped_over(name, module))
    assert values, f"where does {name} come from?"
    for value in values:
        yield from names(value, module)


def looped_over(name: str, module: ast.Module) -> Iterator[ast.expr]:
    """What a loop over a written table of tuples gives a name, one after the other."""
    for node in ast.walk(module):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            targets = list(map(ast.unparse, getattr(node.target, "elts", ())))
            if name in targets:
                for row in node.iter.elts:
                    assert isinstance(row, ast.Tuple)
                    yield row.elts[targets.index(name)]


def returned_by(name: str) -> Iterator[str]:
    found = [
        (node.value, module)
        for module in modules().values()
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef) and function.name == name.rpartition(".")[2]
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value
    ]
    assert found, f"what does {name} return?"
    for value, module in found:
        yield from names(value, module)


def told_of(page: str) -> set[str]:
    """The reasons in its table of them: the first word of each name in a row's first cell."""
    table = page.partition("| reason |")[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    return {name.split()[0] for cell in cells for name in re.findall("`([^`]+)`", cell)}


def test_reasons_are_found_where_they_are_known_to_be():
    assert {"relay", "follow", "take", "store", "leases", "nats", "inbox", "catch"} <= {*reasons()}


def test_every_reason_of_readiness_is_in_the_runbook():
    missing = {name: paths for name, paths in reasons().items() if name not in told()}
    assert not missing


def told() -> set[str]:
    return told_of(OUTAGES.read_text())


def test_the_runbook_tells_of_no_reason_that_nobody_gives():
    assert told() <= {*reasons()}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_links_lead_somewhere(book: Path):
    assert all((book.parent / target).exists() for target in links_of(book.read_text()))


def test_every_runbook_is_in_the_index():
    index = {*links_of((RUNBOOKS / "README.md").read_text())}
    assert index == {book.name for book in BOOKS} - {"README.md"}


def test_blocks_are_steps_with_names_of_their_own():
    for book in BOOKS:
        steps = [step.name for step in steps_of(book.read_text())]
        assert len(steps) == len({*steps}), book.name


def test_a_step_is_read_from_its_label():
    (step,) = steps_of("x\n```sh step=a as=postgres when=b stays\nls\npwd\n```\n")
    assert step == ("a", True, "b", True, "ls\npwd\n")


@pytest.mark.parametrize("label", ["", "stays", "step= stays", "step=a who=me"])
def test_a_block_that_is_no_step_is_refused(label):
    with pytest.raises(AssertionError):
        step_of(label, "ls")
