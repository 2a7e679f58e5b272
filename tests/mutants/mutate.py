"""Small faults in a module, one at a time: a wrong operator, a constant off by one, a lost line.

A mutant is named by what it changes and not by its line, so that names outlive edits elsewhere.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Path = tuple[tuple[str, int | None], ...]

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
NO_CODE = ("annotation", "returns", "decorator_list", "type_params", "ctx")
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One fault: its name, and where the module's tree changes into what."""

    module: str
    name: str
    tree: ast.Module
    path: Path
    changed: ast.AST

    def source(self) -> str:
        """Return the whole module with the fault."""
        return ast.unparse(replaced(self.tree, self.path, self.changed))


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Yield every single fault of a module; the same fault twice in a function is numbered."""
    tree = ast.parse(source)
    seen: Counter[str] = Counter()
    for function, path in places(tree):
        node = at(tree, path)
        for changed in changes(node):
            name = f"{module}.{function}: {difference(node, changed)}"
            seen[name] += 1
            if seen[name] > 1:
                name += f" #{seen[name]}"
            yield Mutant(module, name, tree, path, changed)


def places(tree: ast.Module) -> Iterator[tuple[str, Path]]:
    """Yield constants and the nodes of all functions, by path."""
    for index, statement in enumerate(tree.body):
        if isinstance(statement, ast.FunctionDef):
            yield from walk(statement, (("body", index),), statement.name)
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            yield told(statement), (("body", index), ("value", None))


def walk(node: ast.AST, path: Path, function: str) -> Iterator[tuple[str, Path]]:
    """Yield a node and all below it; annotations and docstrings are no code."""
    yield function, path
    for name, value in ast.iter_fields(node):
        if name in NO_CODE:
            continue
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if isinstance(child, ast.AST) and not is_docstring(node, name, index):
                step = (name, index if isinstance(value, list) else None)
                yield from walk(child, (*path, step), function)


def is_docstring(node: ast.AST, field: str, index: int) -> bool:
    return isinstance(node, ast.FunctionDef) and field == "body" and index == 0 and (
        ast.get_docstring(node) is not None
    )  # fmt: skip


def at(tree: ast.AST, path: Path) -> ast.AST:
    for name, index in path:
        value = getattr(tree, name)
        tree = value if index is None else value[index]
    return tree


def replaced(tree: ast.Module, path: Path, changed: ast.AST) -> ast.Module:
    whole = copy.deepcopy(tree)
    parent = at(whole, path[:-1])
    name, index = path[-1]
    if index is None:
        setattr(parent, name, changed)
    else:
        getattr(parent, name)[index] = changed
    return ast.fix_missing_locations(whole)


def difference(before: ast.AST, after: ast.AST) -> str:
    if isinstance(before, ast.Call) and isinstance(after, ast.Call):
        lost = [keyword for keyword in before.keywords if keyword not in after.keywords]
        if lost:
            return f"without {told(lost[0])}"
    return f"{told(before)} → {told(after)}"


def told(node: ast.AST) -> str:
    """One line for a node: the head of what spans lines."""
    text = ast.unparse(node).splitlines()
    return " ".join(text[0].split()) + (" …" if len(text) > 1 else "")


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield this node with one fault."""
    change = CHANGES.get(type(node))
    if change is not None:
        yield from change(node)


def compared(node: ast.Compare) -> Iterator[ast.AST]:
    for index, operator in enumerate(node.ops):
        for other in COMPARISONS.get(type(operator), ()):
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def calculated(node: ast.BinOp) -> Iterator[ast.AST]:
    other = OPERATORS.get(type(node.op))
    if other is not None:
        yield ast.BinOp(node.left, other(), node.right)


def increased(node: ast.AugAssign) -> Iterator[ast.AST]:
    other = OPERATORS.get(type(node.op))
    if other is not None:
        yield ast.AugAssign(node.target, other(), node.value)
    yield ast.Pass()


def joined(node: ast.BoolOp) -> Iterator[ast.AST]:
    """`and` for `or`, and each operand left out."""
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for index in range(len(node.values)):
        left = [*node.values[:index], *node.values[index + 1 :]]
        yield ast.BoolOp(node.op, left) if len(left) > 1 else left[0]


def negated(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)


def branched(node: ast.If) -> Iterator[ast.AST]:
    yield ast.If(ast.Constant(True), node.body, node.orelse)
    yield ast.If(ast.Constant(False), node.body, node.orelse)


def chosen(node: ast.IfExp) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse


def called(node: ast.Call) -> Iterator[ast.AST]:
    """The opposite function, and a change of state that leaves one field out."""
    if not isinstance(node.func, ast.Name):
        return
    if node.func.id in FUNCTIONS:
        yield ast.Call(ast.Name(FUNCTIONS[node.func.id], ast.Load()), node.args, node.keywords)
    if node.func.id == "replace":
        for index in range(len(node.keywords)):
            kept = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield ast.Call(node.func, node.args, kept)


def filtered(node: ast.ListComp) -> Iterator[ast.AST]:
    """A comprehension without its condition."""
    for index, part in enumerate(node.generators):
        if part.ifs:
            all_of_it = ast.comprehension(part.target, part.iter, [], part.is_async)
            others = [*node.generators[:index], all_of_it, *node.generators[index + 1 :]]
            yield type(node)(node.elt, others)


def statement(node: ast.Expr | ast.Assign) -> Iterator[ast.AST]:
    yield ast.Pass()


CHANGES: dict[type[ast.AST], Callable[..., Iterator[ast.AST]]] = {
    ast.Compare: compared,
    ast.BinOp: calculated,
    ast.AugAssign: increased,
    ast.BoolOp: joined,
    ast.UnaryOp: negated,
    ast.Constant: constant,
    ast.If: branched,
    ast.IfExp: chosen,
    ast.Call: called,
    ast.ListComp: filtered,
    ast.GeneratorExp: filtered,
    ast.Expr: statement,
    ast.Assign: statement,
}
