"""The faults themselves: what each looks like, and that the list of survivors is current."""

import ast

import pytest

from tests.mutants.__main__ import MODULES, mutants_of, reasons
from tests.mutants.mutate import mutants

FAULTS = [
    # statement, what it becomes
    ("return a < b", ["return a <= b", "return a >= b"]),
    ("return a == b", ["return a != b"]),
    ("return a in b", ["return a not in b"]),
    ("return a + b", ["return a - b"]),
    ("return a // b", ["return a * b"]),
    ("return a and b", ["return a or b", "return b", "return a"]),
    ("return not a", ["return a"]),
    ("return a[1]", ["return a[2]"]),
    ("return True", ["return False"]),
    ("return b if a else c", ["return b", "return c"]),
    ("return min(a, b)", ["return max(a, b)"]),
    ("return any(a)", ["return all(a)"]),
    ("return replace(a, b=b, c=c)", ["return replace(a, c=c)", "return replace(a, b=b)"]),
    ("return [b for b in a if b]", ["return [b for b in a]"]),
    ("a += b", ["a -= b", "pass"]),
    ("a = b", ["pass"]),
    ("a.append(b)", ["pass"]),
    ("if a:\n        return b", ["if True:\n        return b", "if False:\n        return b"]),
    ('return "text"', []),
]


@pytest.mark.parametrize(("statement", "faults"), FAULTS, ids=[row[0] for row in FAULTS])
def test_faults(statement, faults):
    function = "def f(a: 'x < y', b: int) -> 1:\n    'Says a < b.'\n    {}"
    expected = [ast.unparse(ast.parse(function.format(fault))) for fault in faults]
    found = list(mutants("m", function.format(statement)))
    assert [mutant.source() for mutant in found] == expected
    assert all(mutant.name.startswith("m.f: ") for mutant in found)


def test_a_constant_of_the_module():
    (mutant,) = mutants("m", "LIMIT = 4\nNAMES = {'a': 1}\n")
    assert mutant.name == "m.LIMIT = 4: 4 → 5"
    assert "LIMIT = 5" in mutant.source()


def test_the_same_fault_twice_has_two_names():
    names = [mutant.name for mutant in mutants("m", "def f(a):\n    return a[0] or a[0]")]
    assert "m.f: 0 → 1" in names
    assert "m.f: 0 → 1 #2" in names


def test_mutants_of_the_engine_compile_and_have_names_of_their_own():
    found = mutants_of(MODULES)
    assert len({mutant.name for mutant in found}) == len(found)
    for mutant in found[::25]:
        compile(mutant.source(), mutant.name, "exec")


def test_survivors_with_a_reason_are_mutants_of_today():
    assert set(reasons()) <= {mutant.name for mutant in mutants_of(MODULES)}
