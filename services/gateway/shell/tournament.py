"""One tournament as everybody may see it, with all that a player must know (PP-LOBBY)."""

from typing import Literal

import msgspec

from shared.contracts.director import DealShare, Level, Method, Terms
from shared.poker.rule_sets import RuleSet

Status = Literal["announced", "running", "finished", "cancelled"]


class CurrentLevel(msgspec.Struct, frozen=True):
    """The level that is played; it ends by time, or `ends_at_ms` is None."""

    number: int
    level: Level
    ends_at_ms: int | None


class CurrentBreak(msgspec.Struct, frozen=True):
    """All tables rest, until the next level begins."""

    after_level: int
    ends_at_ms: int


class CurrentPause(msgspec.Struct, frozen=True):
    """An operator has stopped the play; level and break last as much longer as it does."""

    since_ms: int
    reason: str


class OpenDeal(msgspec.Struct, frozen=True):
    """A deal that the last players may agree on; without shares the hand is not over yet."""

    method: Method
    offered_by: str
    shares: tuple[DealShare, ...] = ()
    answer_by_ms: int = 0
    agreed: tuple[str, ...] = ()


class Result(msgspec.Struct):
    """Where a player finished, and with what prize; of a satellite many win and are not `out`."""

    place: int
    prize_cents: int = 0
    out: bool = False


class Tournament(msgspec.Struct, kw_only=True):
    """What its facts have made of it; `entries` maps players to their entries.

    `cancelled_because` is the reason that was given, "" unless it is cancelled. While it is
    `cancelling`, it stands still until a second operator approves, or the first one withdraws.
    `entries_sold` counts re-entries. `offers` are rebuys on offer, each with its deadline, `busted`
    players who are out without a place yet.
    """

    tournament: str
    terms: Terms
    rule_set: RuleSet
    status: Status = "announced"
    started: bool = False
    cancelling: bool = False
    cancelled_because: str = ""
    pending: dict[str, str] = {}
    entries: dict[str, str] = {}
    entries_sold: int = 0
    waiting: list[str] = []
    offers: dict[str, int] = {}
    busted: dict[str, None] = {}
    collected_cents: int = 0
    prizes_cents: tuple[int, ...] = ()
    level: CurrentLevel | None = None
    on_break: CurrentBreak | None = None
    paused: CurrentPause | None = None
    hand_for_hand: bool = False
    stage: int = 1
    deal: OpenDeal | None = None
    tables: dict[str, int] = {}
    results: dict[str, Result] = {}

    @property
    def pool_cents(self) -> int:
        """What there is to win: the fees so far, filled up to the guarantee.

        Of a tournament that was cancelled before its start nothing is; of others it is shared.
        """
        if self.status == "cancelled" and not self.started:
            return 0
        return max(self.collected_cents, self.terms.guarantee_cents)

    @property
    def players_left(self) -> int:
        """Count who is registered and not out of the tournament."""
        eliminated = sum(result.out for result in self.results.values())
        return len(self.entries) - eliminated - len(self.busted)

    @property
    def late_until_level(self) -> int:
        """Return until the end of which level one can enter after the start; 0 when one cannot."""
        played = self.level.number if self.level else 0
        if self.status == "finished" or self.status == "cancelled" or self.prizes_cents:
            return 0
        return self.terms.late_levels if played <= self.terms.late_levels else 0

    def audience(self) -> dict[str, None]:
        """Return whom its facts concern."""
        return dict.fromkeys([*self.entries, *self.pending, *self.waiting])
