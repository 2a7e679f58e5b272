"""A verdict: one sentence about a platform, true or false, and what it rests on."""

from collections.abc import Iterable
from itertools import islice

import msgspec

TOLD_MAX = 3
COUNTED_MAX = 1_000


class Verdict(msgspec.Struct, frozen=True):
    """What was judged, whether it holds, and the sums behind it or the first complaints."""

    name: str
    true: bool
    detail: str


def judged(name: str, complaints: Iterable[str], summary: str) -> Verdict:
    """A verdict is true when there is nothing to complain about."""
    found = list(islice(complaints, COUNTED_MAX))
    if not found:
        return Verdict(name, true=True, detail=summary)
    told = "; ".join(found[:TOLD_MAX])
    more = len(found) - TOLD_MAX
    return Verdict(name, true=False, detail=f"{told}; and {more} more" if more > 0 else told)
