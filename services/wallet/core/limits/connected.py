"""Session time: several gateways may report the same minutes, which count once."""

from collections.abc import Iterable
from typing import Final

from services.wallet.core.rules import DAY_MS
from shared.kernel.outages import Stretch, Stretches, left_of, with_credit

REMEMBERED_MAX: Final = 32


def uncounted(said: Stretch, connected: Stretches, limits_since_ms: Iterable[int]) -> Stretches:
    """Return what of a stretch was not counted yet, cut where a day or a limit begins.

    So every piece lies in one window of every limit, and each limit counts it whole or not at all.
    """
    midnights = range(said.from_ms - said.from_ms % DAY_MS, said.to_ms, DAY_MS)
    cuts = sorted([*midnights, *limits_since_ms])
    parts: list[Stretch] = []
    for left in left_of(said, connected):
        from_ms = left.from_ms
        for cut in [*[cut for cut in cuts if left.from_ms < cut < left.to_ms], left.to_ms]:
            parts.append(Stretch(from_ms, cut))
            from_ms = cut
    return tuple([part for part in parts if part.length_ms > 0])


def with_stretch(connected: Stretches, from_ms: int, to_ms: int) -> Stretches:
    """Return what was counted with one stretch more, ascending, none touching another.

    When there are too many, the gap between the two oldest is taken for counted.
    """
    merged: list[Stretch] = []
    for stretch in with_credit(connected, from_ms, to_ms):
        if merged and stretch.from_ms <= merged[-1].to_ms:
            last = merged.pop()
            merged.append(Stretch(last.from_ms, max(last.to_ms, stretch.to_ms)))
        else:
            merged.append(stretch)
    if len(merged) > REMEMBERED_MAX:
        merged[:2] = [Stretch(merged[0].from_ms, merged[1].to_ms)]
    return tuple(merged)
