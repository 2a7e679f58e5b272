"""Golden messages: lines as they were once written, which every later build must read alike.

A line is added when there is no such line yet, and never changed: what it says is in somebody's
log. A message whose meaning changes gets a new Struct, a new tag and an upcast.
"""

import json
import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from shared import contracts
from shared.contracts.message import Command, tag_of
from shared.contracts.registry import REGISTRY
from tests.contract.samples import samples

FOLDER = Path(__file__).parent / "golden"
ADVICE = (
    "leave the old Struct as it was, write a new one with the next version in its tag, and lead"
    " from the old to the new in shared/contracts/upcasts.py"
)

Messages = Mapping[str, type[Any]]


def messages() -> dict[str, type[Any]]:
    """Return every event, of every version, and every request, by tag."""
    modules = [
        one.name for one in pkgutil.walk_packages(contracts.__path__, f"{contracts.__name__}.")
    ]
    for module in modules:
        import_module(module)
    requests = [one for one in kinds_of(Command) if one.__module__ != Command.__module__]
    events = [one.type for one in REGISTRY.values()]
    return {tag_of(one): one for one in events + requests if one.__module__ in modules}


def kinds_of(base: type[Any]) -> list[type[Any]]:
    """Return what is derived from a class and has nothing derived from it: the messages."""
    derived = base.__subclasses__()
    return [kind for one in derived for kind in kinds_of(one)] if derived else [base]


def lines(folder: Path = FOLDER) -> Iterator[bytes]:
    """Yield all golden lines, file by file."""
    for file in sorted(folder.glob("*.jsonl")):
        yield from file.read_bytes().splitlines()


def missing(known: Messages, folder: Path = FOLDER) -> dict[str, list[bytes]]:
    """Return the lines that are not there yet, by service."""
    there = set(lines(folder))
    found: dict[str, list[bytes]] = {}
    for tag, message in known.items():
        new = [line for one in samples(message) if (line := msgspec.json.encode(one)) not in there]
        if new:
            found.setdefault(tag.split(".")[0], []).extend(new)
    return found


def add_missing(known: Messages, folder: Path = FOLDER) -> int:
    """Add what is missing behind what is there; return how many lines."""
    folder.mkdir(exist_ok=True)
    new = missing(known, folder)
    for service, added in new.items():
        with (folder / f"{service}.jsonl").open("ab") as file:
            file.writelines([line + b"\n" for line in added])
    return sum(map(len, new.values()))


def complaint(line: bytes, known: Messages) -> str | None:
    """Say what is wrong with how a golden line is read now, and what to do; None if nothing."""
    written = json.loads(line)
    tag = written["type"]
    if tag not in known:
        return f"{tag} is gone, but it is in logs for ever: {ADVICE}"
    try:
        read = msgspec.json.decode(line, type=known[tag])
    except msgspec.MsgspecError as error:
        return f"{tag} cannot be read as it was written ({error}): {ADVICE}"
    lost = difference(written, json.loads(msgspec.json.encode(read)))
    return f"{tag} is read otherwise than it was written ({lost}): {ADVICE}" if lost else None


def difference(written: Any, read: Any, where: str = "") -> str:
    """Say where something written is not read; what is only read is a field with a default."""
    if isinstance(written, dict) and isinstance(read, dict):
        for key, value in written.items():
            if key not in read:
                return f"{where}.{key} is not read"
            if found := difference(value, read[key], f"{where}.{key}"):
                return found
        return ""
    if isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        pairs = enumerate(zip(written, read, strict=True))
        return next(filter(None, (difference(*two, f"{where}[{n}]") for n, two in pairs)), "")
    return "" if written == read else f"{where} was {written!r}, now {read!r}"
