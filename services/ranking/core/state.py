"""What the ranking must remember to decide: how strong everybody is, and what is not rated yet."""

import msgspec

from shared.contracts.ranking import Finisher
from shared.kernel.pmap import PMap


class Belief(msgspec.Struct, frozen=True):
    """What the model believes of a player, in millionths."""

    mu_micros: int
    sigma_micros: int


class Standing(msgspec.Struct, frozen=True):
    """A rated player."""

    belief: Belief
    rating: int
    tournaments: int


class Results(msgspec.Struct, frozen=True):
    """A finished tournament that waits for its ratings, the best place first."""

    tournament: str
    finished_at_ms: int
    entries: int
    finishers: tuple[Finisher, ...]


class AwaitRatings(msgspec.Struct, frozen=True):
    """The question to the model: what was believed of the players, the best place first."""

    tournament: str
    beliefs: tuple[Belief, ...]


class Ranking(msgspec.Struct, frozen=True):
    """All ratings, and the tournaments that are to be rated, in the order of their finish.

    `known` has every tournament that was recorded, with the number of its players, `noted` the
    places of those whose best ones are still to be told.
    """

    standings: PMap[str, Standing] = PMap()
    known: PMap[str, int] = PMap()
    noted: PMap[str, tuple[Finisher, ...]] = PMap()
    waiting: tuple[Results, ...] = ()
    asked: AwaitRatings | None = None
