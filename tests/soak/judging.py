"""What must be true in the end, and how long nothing happened on the way there."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from services.cli.verdicts import LineCopy, Verdict
from shared.contracts.commit import moment_ms
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.ports import Line


class Dated(msgspec.Struct, frozen=True):
    """When a commit was made."""

    at: str


class Gap(NamedTuple):
    """How long nothing at all was recorded, and since when."""

    seconds: float
    since: str


decode = msgspec.json.Decoder(Dated).decode


def all_placed(players: Iterable[str], lobby: Mapping[str, Any]) -> Verdict:
    """Every player has one place, and every place one player."""
    wanted = sorted(players)
    found = sorted(place["player"] for place in lobby["places"])
    places = sorted(place["place"] for place in lobby["places"])
    true = found == wanted and places[:1] == [1]
    return Verdict("everybody has a place", true, f"{len(found)} of {len(wanted)} players")


async def nothing_parked(database_url: str, lines: Iterable[Line]) -> Verdict:
    """No fact waits for an operator."""
    found = []
    with patient_stores(database_url, lines) as stores:
        for line, store in stores.items():
            found += [f"{line}: {what}" for what in (await store.parked_streams()).items()]
    return Verdict("no fact is parked", not found, "; ".join(found))


def nothing_fell(fell: Iterable[str]) -> Verdict:
    """No process ended that nobody had ended."""
    return Verdict("nothing fell by itself", not fell, ", ".join(fell))


def longest_gap(copies: Mapping[Line, LineCopy], since: str) -> Gap:
    """Find the longest time without a commit of anybody, after a moment."""
    moments = sorted(
        {at for copy in copies.values() for row in copy.rows if (at := decode(row.data).at)}
    )
    during = [at for at in moments if at >= since]
    gaps = [
        Gap((moment_ms(after) - moment_ms(before)) / 1000, before)
        for before, after in pairwise(during)
    ]
    return max(gaps, default=Gap(0.0, since))
