"""What is played: small, in stages, with rebuys, two at once, a whole series or tournament."""

from collections.abc import Mapping
from random import Random
from typing import Literal

import msgspec

from services.cli.run.terms import quick_terms
from shared.contracts.director import (
    Level,
    Purchase,
    SatellitePrizes,
    Stage,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)
from tests.simulation.loop import START_MS
from tests.simulation.series import is_sold, people_of_series, series_of

Size = Literal["small", "staged", "double", "rebuys", "series", "whole"]

PATIENT_MS = 8_000
WITH_ENTROPY = 0.25
WITH_RANGE = 0.5
WITH_DEALS = 0.5
WITH_LATE_ENTRIES = 0.5
MAY_COME_AGAIN = 3
BEGINNERS_MAX = 250
LADDERS = (
    (Level(5, 10), Level(40, 80)),
    (Level(5, 10), Level(40, 80, 5)),
    (Level(4, 8, 1), Level(40, 80)),
)


def drawn_terms(chance: Random, size: Size, *, patient: bool = False) -> dict[str, Terms]:
    """Two tables and four players with few chips, or a tournament as `rollforward run` has it.

    With `patient`, players have so much time that a lost gateway is noticed in it. In a part of
    the worlds they add to the chance of the decks.
    """
    drawn = terms_of(chance, size, patient=patient)
    if chance.random() >= WITH_ENTROPY:
        return drawn
    seed_ms = chance.choice((20, 100, 500))
    return {
        name: msgspec.structs.replace(terms, player_entropy=True, seed_ms=seed_ms)
        for name, terms in drawn.items()
    }


def for_beginners(chance: Random, drawn: dict[str, Terms]) -> dict[str, Terms]:
    """In a part of the worlds only beginners may enter, which all of them are (PP-LEVELGATE)."""
    if chance.random() >= WITH_RANGE:
        return drawn
    return {
        name: msgspec.structs.replace(terms, rating_max=BEGINNERS_MAX) if is_sold(terms) else terms
        for name, terms in drawn.items()
    }


def terms_of(chance: Random, size: Size, *, patient: bool) -> dict[str, Terms]:
    if size == "whole":
        terms = quick_terms(chance.choice((9, 12, 18)), chance.choice((3, 6, 9)))
        action_ms = PATIENT_MS if patient else 3_000
        return {"trn_sim": msgspec.structs.replace(terms, action_ms=action_ms)}
    if size == "series":
        drawn = series_of(chance, small_terms)
    else:
        names = ("trn_sim", "trn_too") if size == "double" else ("trn_sim",)
        draw = staged_terms if size == "staged" else small_terms
        drawn = {name: draw(chance) for name in names}
    if size == "rebuys":
        drawn = {name: with_purchases(chance, terms) for name, terms in drawn.items()}
        if chance.random() < WITH_LATE_ENTRIES:
            drawn = {name: with_late_entries(chance, terms) for name, terms in drawn.items()}
    if not patient:
        return drawn
    return {n: msgspec.structs.replace(t, action_ms=PATIENT_MS) for n, t in drawn.items()}


def with_purchases(chance: Random, terms: Terms) -> Terms:
    """Sell rebuys and add-ons in all levels but the last; nobody has money for all of them."""
    extra = Purchase(fee_cents=3_500, commission_cents=300, chips=25, until_level=2, most=2)
    return msgspec.structs.replace(
        terms,
        rebuy=extra,
        add_on=msgspec.structs.replace(extra, fee_cents=500, commission_cents=50, chips=40, most=1),
        levels=(Level(5, 10), Level(10, 20), Level(40, 80)),
        rebuy_offer_ms=chance.choice((300, 2_000)),
        level_ms=2_000 if terms.level_ms else 0,
        level_hands=4 if terms.level_hands else 0,
    )


def with_late_entries(chance: Random, terms: Terms) -> Terms:
    """Start at a moment, whoever has come by then, and sell entries in all levels but the last."""
    return msgspec.structs.replace(
        terms,
        entries=6 + MAY_COME_AGAIN,
        entries_min=3,
        start_at_ms=START_MS + chance.choice((3_000, 6_000, 10_000)),
        late_levels=2,
        reentries=2,
        pause_ms=300,
    )


def people_for(size: Size, drawn: Mapping[str, Terms]) -> int:
    """Return how many people want to play: what else is sold they buy by entering again."""
    if size == "series":
        return people_of_series(drawn)
    return max(
        terms.entries - (MAY_COME_AGAIN if terms.late_levels else 0) for terms in drawn.values()
    )


def staged_terms(chance: Random) -> Terms:
    """A heads-up bracket, with a bye or without, or a satellite; some with bounties."""
    terms = small_terms(chance)
    bounty_cents = chance.choice((0, 333))
    terms = msgspec.structs.replace(
        terms,
        bounty_cents=bounty_cents,
        progressive=bounty_cents > 0 and chance.random() < 0.5,
    )
    if chance.random() < 0.3:
        prizes = SatellitePrizes(winners=7_000, target="trn_final")
        return msgspec.structs.replace(terms, prizes=prizes, deals=False)
    stacks = chance.choice(((), (30,)))
    final = Stage(seats=2, stacks_chips=stacks, first_level=chance.choice((0, 1)))
    semifinal = msgspec.structs.replace(final, first_level=0)
    return msgspec.structs.replace(
        terms,
        entries=chance.choice((3, 4, 5)),
        seats=2,
        stages=(Stage(seats=2), semifinal, final),
    )


def small_terms(chance: Random) -> Terms:
    by_time = chance.random() < 0.3
    return Terms(
        name="Small",
        rule_set="big_holdem",
        entries=4,
        seats=chance.choice((2, 3)),
        fee_cents=1_000,
        commission_cents=100,
        starting_chips=chance.choice((20, 20, 30)),
        levels=chance.choice(LADDERS),
        level_ms=300 if by_time else 0,
        level_hands=0 if by_time else 2,
        action_ms=chance.choice((1_000, 3_000)),
        pause_ms=chance.choice((0, 100, 300)),
        prizes=chance.choice((StandardPrizes(), WinnersPrizes(shares=(5_000, 3_000, 2_000)))),
        deals=chance.random() < WITH_DEALS,
    )
