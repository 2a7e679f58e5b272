"""The terms of a tournament as a file: TOML or JSON, the fields those of `Terms`.

Two more make a start readable: `start` is a date with a time, and `zone` the time zone in which
it is one where it has no offset, and in which it is shown. They become `start_at_ms`.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from services.cli.tournament.faults import ROOT, Fault, faults_in
from services.cli.tournament.moments import NoMoment, moment_ms, zone_named
from services.director.core.terms import problems
from shared.contracts.director import Terms
from shared.runtime.settings import SettingsError

START, ZONE, START_AT = "start", "zone", "start_at_ms"
ANY_MOMENT_MS = 1
TERMS = "terms"


class Wrong(Exception):
    """The terms cannot be announced; `faults` are all the reasons.

    Not `judged_whole`, more may come to light once what is named is right.
    """

    def __init__(self, faults: list[Fault], *, judged_whole: bool) -> None:
        super().__init__(f"{len(faults)} faults")
        self.faults = faults
        self.judged_whole = judged_whole


class Announcement(NamedTuple):
    """Good terms, and the zone in which their file tells the start."""

    terms: Terms
    zone: ZoneInfo | None


def read(file: Path) -> Announcement:
    """Read a file; raise SettingsError when it holds nothing of the kind, Wrong when it does."""
    return understood(document(file))


def document(file: Path) -> Any:
    """Read TOML or JSON, by the file's ending."""
    parse = PARSERS.get(file.suffix.lower())
    if parse is None:
        raise SettingsError(f"{file}: neither {' nor '.join(PARSERS)}")
    try:
        return parse(file.read_bytes().decode())
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file}: {error}") from error


def understood(said: Any) -> Announcement:
    """Make terms of a document; raise Wrong with everything that is wrong with it.

    What the terms must be as a whole is judged only once every field is of its type.
    """
    if not isinstance(said, dict):
        raise Wrong(list(faults_in(said, Terms)), judged_whole=False)
    fields, zone, faults = with_start(said)
    faults += faults_in(fields, Terms)
    if not all(fault.surplus for fault in faults):
        raise Wrong(faults, judged_whole=False)
    terms = msgspec.convert(fields, Terms)
    faults += [Fault(TERMS, problem) for problem in problems(terms)]
    if faults:
        raise Wrong(faults, judged_whole=True)
    return Announcement(terms, zone)


def with_start(said: Mapping[str, Any]) -> tuple[dict[str, Any], ZoneInfo | None, list[Fault]]:
    """Let a readable start become `start_at_ms`; for one that is wrong stands just any moment."""
    fields = {name: value for name, value in said.items() if name not in (START, ZONE)}
    zone, faults = None, []
    if ZONE in said:
        try:
            zone = zone_named(said[ZONE])
        except NoMoment as error:
            faults.append(Fault(f"{ROOT}.{ZONE}", str(error), surplus=True))
    if START in said:
        try:
            at_ms = ANY_MOMENT_MS if faults else moment_ms(said[START], zone)
        except NoMoment as error:
            at_ms = ANY_MOMENT_MS
            faults.append(Fault(f"{ROOT}.{START}", str(error), surplus=True))
        if START_AT in said:
            why = f"says the start again, after {START_AT}"
            faults.append(Fault(f"{ROOT}.{START}", why, surplus=True))
        fields.setdefault(START_AT, at_ms)
    elif ZONE in said:
        faults.append(Fault(f"{ROOT}.{ZONE}", f"says nothing without a {START}", surplus=True))
    return fields, zone, faults


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a name that is given twice, as TOML does: one of the values would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{max(names, key=names.count)} is given twice")
    return found


def parse_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=once_each)


PARSERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".json": parse_json}
