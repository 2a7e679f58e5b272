"""A Big Shoot (BH-BIGSHOOT): two feeders, in some worlds a middle stage, and the final.

The first feeder may begin as soon as it is sold out, the other one later, so that who is out of
one can buy into the other. In some worlds the next stage waits for one of them only: then the
other may come too late. Two shards of directors have them, by their names, so that what is said of
one is heard before or after what is said of the other.
"""

from collections.abc import Callable, Mapping
from random import Random

from msgspec.structs import replace

from shared.contracts.director import (
    BigShoot,
    QualifyingPrizes,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)
from tests.simulation.loop import START_MS

FINAL, MIDDLE, FEEDERS = "trn_final", "trn_middle", ("trn_friday", "trn_monday")
WITH_MIDDLE, NOT_WAITED_FOR, SOLD_OUT, SELLS_LATE = 0.3, 0.25, 0.5, 0.25

Draw = Callable[[Random], Terms]


def series_of(chance: Random, draw: Draw) -> dict[str, Terms]:
    """Return the terms of all its tournaments, each made of one that was drawn."""
    fed_by = 1 if chance.random() < NOT_WAITED_FOR else len(FEEDERS)
    if chance.random() < WITH_MIDDLE:
        middle = later(chance, draw(chance), BigShoot(series=FINAL, stage=2, fed_by=fed_by))
        final = later(chance, draw(chance), BigShoot(series="", stage=3, fed_by=1))
        later_stages = {FINAL: final, MIDDLE: qualifying(chance, middle, FINAL)}
    else:
        final = later(chance, draw(chance), BigShoot(series="", stage=2, fed_by=fed_by))
        later_stages = {FINAL: final}
    *_, target = later_stages
    first, second = (qualifying(chance, feeder(chance, draw(chance)), target) for _ in FEEDERS)
    if chance.random() >= SOLD_OUT:
        first = at_a_moment(chance, first, 4_000)
    second = at_a_moment(chance, second, chance.choice((7_000, 10_000)))
    return {**later_stages, **dict(zip(FEEDERS, (first, second), strict=True))}


def feeder(chance: Random, terms: Terms) -> Terms:
    """Three or four players, who begin when all have come."""
    stage = BigShoot(series=FINAL, stage=1)
    return replace(terms, entries=chance.choice((3, 4)), big_shoot=stage)


def at_a_moment(chance: Random, terms: Terms, after_ms: int) -> Terms:
    """Start with whoever has come by then; some sell entries in their first level as well."""
    late_levels = 1 if chance.random() < SELLS_LATE else 0
    return replace(
        terms,
        entries=terms.entries + late_levels,
        entries_min=2,
        start_at_ms=START_MS + after_ms,
        late_levels=late_levels,
        reentries=late_levels,
    )


def qualifying(chance: Random, terms: Terms, target: str) -> Terms:
    """Let one go on, or all but one, and no money be shared before."""
    prizes = QualifyingPrizes(
        winners=chance.choice((3_000, 7_000, 7_000)),
        target=target,
        withdrawal_cents=chance.choice((0, 300, 900)),
    )
    return replace(terms, prizes=prizes, deals=False)


def later(chance: Random, terms: Terms, stage: BigShoot) -> Terms:
    """Start once it is fed; some wait a while longer, and some need more than two players."""
    return replace(
        terms,
        entries=10,
        entries_min=chance.choice((2, 2, 2, 3)),
        fee_cents=0,
        commission_cents=0,
        start_at_ms=START_MS + chance.choice((5_000, 12_000)),
        prizes=chance.choice((StandardPrizes(), WinnersPrizes(shares=(7_000, 3_000)))),
        big_shoot=replace(stage, withdraw_ms=chance.choice((0, 500, 3_000))),
    )


def announced(drawn: Mapping[str, Terms]) -> list[tuple[str, ...]]:
    """Return what is announced one by one: what stages lead to before those, and all else at once.

    No gateway lets an operator do otherwise.
    """
    if FINAL in drawn:
        return [tuple(drawn)]
    return [(name,) for name in drawn]


def is_sold(terms: Terms) -> bool:
    """Tell whether anybody can buy in: into later stages of a Big Shoot nobody can."""
    return terms.big_shoot is None or terms.big_shoot.stage == 1


def people_of_series(drawn: Mapping[str, Terms]) -> int:
    """Return how many people want to play: one too few for all, so that somebody plays twice."""
    return sum(terms.entries for terms in drawn.values() if is_sold(terms)) - 1
