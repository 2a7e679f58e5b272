"""What no table of counts can see: that only the operating system's generator feeds the shuffle.

The chain is short and each link is checked in the source: decks and orders are fed by
`buffers()`, buffers are made by `entropy`, whoever takes `entropy` is given `entropy`, and the
first to have it is the runtime's system adapter, where it is the generator itself. The dealer
imports no other source of chance and no clock, and asks nowhere for the printed bound.

Mixed decks are the one exception: they are fed by `stretched(secret, given)`, each of its bytes
keyed with `secret`, and a secret is made by `entropy` or read out of its sealed box.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
DEALER: Final = "services/dealer"
SHUFFLE: Final = "services/dealer/core/shuffle.py"
MIXING: Final = "services/dealer/core/mixing.py"
SEEDED: Final = "services/cli/rng/seeded.py"
CHAIN: Final = ("shared/runtime/adapters/system.py", "shared/runtime/service.py")

FED: Final = {"below", "deck_from", "deck_in", "drawn_from", "order_from", "shuffled"}
GENERATORS: Final = {"os.urandom", "secrets.token_bytes"}
ENTROPY: Final = {"entropy", "_entropy"}
SECRET: Final = {"secret"}
UNSEALED: Final = {"unseal", "unseal_secret", "opened_secret"}
HOME: Final = "shared.runtime.adapters.system"
OTHER_CHANCE: Final = {"datetime", "numpy", "random", "scipy", "secrets", "time", "uuid"}
HIDDEN_IMPORTS: Final = {"__import__", "eval", "exec", "import_module"}

Found = tuple[int, str]


def dealer_sources() -> dict[str, str]:
    """Read the dealer, and the two modules that hand it its generator."""
    paths = [*sorted((ROOT / DEALER).rglob("*.py")), *(ROOT / path for path in CHAIN)]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def seeded_sources() -> dict[str, str]:
    """Read the bench's own seeded dealers, which have to be flagged."""
    return {SEEDED: (ROOT / SEEDED).read_text("utf-8")}


def source_complaints(sources: Mapping[str, str]) -> list[str]:
    """Return every place where something else might reach the shuffle."""
    trees = {path: ast.parse(text, path) for path, text in sources.items()}
    takers, keepers = (
        {name: at for tree in trees.values() for name, at in takers_in(tree, names)}
        for names in (ENTROPY, SECRET)
    )
    complaints = [
        f"{path}:{line}: {what}"
        for path, tree in trees.items()
        for line, what in complaints_in(path, tree, takers, keepers)
    ]
    if not any(fed(node) for tree in trees.values() for node in ast.walk(tree)):
        complaints.append("no shuffle is fed anywhere")
    return complaints


def complaints_in(
    path: str, tree: ast.Module, takers: Mapping[str, int], keepers: Mapping[str, int]
) -> Iterator[Found]:
    for node in ast.walk(tree):
        if path not in CHAIN:
            yield from other_chance(node)
        if path != SHUFFLE:
            yield from wrongly_fed(node, path)
        yield from wrong_buffers(node)
        yield from wrong_stretching(node)
        yield from wrong_entropy(node)
        yield from wrong_secret(node)
        yield from renamed(node)
        yield from given_otherwise(node, takers, ENTROPY)
        yield from given_otherwise(node, keepers, SECRET)


def other_chance(node: ast.AST) -> Iterator[Found]:
    """Imports of clocks and other generators, and ways to import them unseen."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        for name in imported(node):
            if name.partition(".")[0] in OTHER_CHANCE:
                yield node.lineno, f"imports {name}"
    elif isinstance(node, ast.Call) and last_name(node.func) in HIDDEN_IMPORTS:
        yield node.lineno, f"calls {last_name(node.func)}"


def imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names]


def fed(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in FED


def wrongly_fed(node: ast.AST, path: str) -> Iterator[Found]:
    """A shuffle takes `self.buffers()`, a mixed one its secret stretched, and no other bound."""
    if not (isinstance(node, ast.Call) and fed(node)):
        return
    source = "stretched(secret, given)" if path == MIXING else "self.buffers()"
    if not node.args or ast.unparse(node.args[-1]) != source or node.keywords:
        yield node.lineno, f"{ast.unparse(node)} is not fed by {source} alone"


def wrong_buffers(node: ast.AST) -> Iterator[Found]:
    """What `buffers` yields, it has from `entropy`."""
    if not (isinstance(node, ast.FunctionDef) and node.name == "buffers"):
        return
    yields = [one.value for one in ast.walk(node) if isinstance(one, ast.Yield | ast.YieldFrom)]
    made = [one for one in yields if isinstance(one, ast.Call) and is_entropy(one.func)]
    if not yields or len(made) != len(yields):
        yield node.lineno, "buffers that do not come from entropy"


def wrong_stretching(node: ast.AST) -> Iterator[Found]:
    """What `stretched` yields is all keyed with the secret."""
    if not (isinstance(node, ast.FunctionDef) and node.name == "stretched"):
        return
    for one in ast.walk(node):
        if isinstance(one, ast.Yield | ast.YieldFrom) and not is_keyed(one.value):
            yield node.lineno, "stretched bytes that are not keyed with the secret"


def is_keyed(value: ast.expr | None) -> bool:
    """Whether this joins `keyed_digest(secret, …)` and nothing else."""
    match value:
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=b""), attr="join"),
            args=[ast.GeneratorExp(elt=ast.Call(func=ast.Name("keyed_digest"), args=[key, *_]))],
        ):
            return last_name(key) in SECRET
        case _:
            return False


def wrong_secret(node: ast.AST) -> Iterator[Found]:
    """A secret is fresh from the generator, or was read out of its box."""
    if isinstance(node, ast.Assign) and any(last_name(one) in SECRET for one in node.targets):
        made = node.value.func if isinstance(node.value, ast.Call) else node.value
        if not is_entropy(made) and last_name(made) not in UNSEALED:
            yield node.lineno, f"the secret is {ast.unparse(node.value)}"


def wrong_entropy(node: ast.AST) -> Iterator[Found]:
    """What is called entropy is entropy: assigned, given by keyword, or made by hand."""
    match node:
        case ast.Assign(targets=targets, value=value):
            if any(last_name(target) in ENTROPY for target in targets) and not is_entropy(value):
                yield node.lineno, f"entropy is {ast.unparse(value)}"
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.NamedExpr(target=target, value=value)
        ):
            if last_name(target) in ENTROPY and not is_entropy(value):
                yield node.lineno, f"entropy is {ast.unparse(value)}"
        case ast.Call():
            for keyword in node.keywords:
                if keyword.arg in ENTROPY and not is_entropy(keyword.value):
                    yield node.lineno, f"entropy is {ast.unparse(keyword.value)}"
        case ast.FunctionDef(name=name) if name in ENTROPY:
            yield node.lineno, "entropy is made by hand"


def renamed(node: ast.AST) -> Iterator[Found]:
    """Under another name a shuffle would pass unseen, and anything could be called entropy."""
    if not isinstance(node, ast.ImportFrom):
        return
    for alias in node.names:
        names = {alias.name, alias.asname}
        if names & ENTROPY and node.module != HOME:
            yield node.lineno, f"entropy is imported from {node.module}"
        if names & (FED | ENTROPY) and alias.asname:
            yield node.lineno, f"{alias.name} is renamed"


def takers_in(tree: ast.Module, names: set[str]) -> Iterator[tuple[str, int]]:
    """Return who takes what is called so, and as which argument; a class by its `__init__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                    yield from ((node.name, at - 1) for at in taken_at(part, names))
        elif isinstance(node, ast.FunctionDef) and node.name != "__init__":
            yield from ((node.name, at) for at in taken_at(node, names))


def taken_at(function: ast.FunctionDef, names: set[str]) -> list[int]:
    return [at for at, arg in enumerate(function.args.args) if arg.arg in names]


def given_otherwise(node: ast.AST, takers: Mapping[str, int], names: set[str]) -> Iterator[Found]:
    """Whoever takes entropy or a secret is given just that, through `partial` too."""
    if not isinstance(node, ast.Call):
        return
    name, arguments = last_name(node.func), node.args
    if name == "partial" and arguments:
        name, arguments = last_name(arguments[0]), arguments[1:]
    at = takers.get(name)
    if at is None or at >= len(arguments):
        return
    given = arguments[at]
    if last_name(given) not in names and not (names is ENTROPY and is_entropy(given)):
        yield node.lineno, f"{name} is given {ast.unparse(given)} as {min(names, key=len)}"


def is_entropy(value: ast.expr) -> bool:
    return last_name(value) in ENTROPY or ast.unparse(value) in GENERATORS


def last_name(value: ast.expr) -> str:
    """Return `c` of `a.b.c`."""
    if isinstance(value, ast.Attribute):
        return value.attr
    return value.id if isinstance(value, ast.Name) else ""
