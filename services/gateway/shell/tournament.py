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


class Fed(msgspec.Struct, frozen=True):
    """What one stage of a Big Shoot sends to the next: who goes on, and the whole pool."""

    players: tuple[str, ...]
    amount_cents: int


class Qualified(msgspec.Struct, frozen=True):
    """Who has come from the stage before, and what that player may have instead of playing on.

    `instead_cents` is None for who plays on; who has not withdrawn has it because there is nothing
    to play for.
    """

    withdrawal_cents: int
    withdrew: bool = False
    instead_cents: int | None = None


class Tournament(msgspec.Struct, kw_only=True):
    """What its facts have made of it; `entries` maps players to their entries.

    `cancelled_because` is the reason that was given, "" unless it is cancelled. While it is
    `cancelling`, it stands still until a second operator approves, or the first one withdraws.
    `entries_sold` counts re-entries. `offers` are rebuys on offer, each with its deadline, `busted`
    players who are out without a place yet.

    In a Big Shoot, `fed` is by tournament of the stage before what has come from it, `sent` what
    went to the next stage, and `qualified` is by player and the tournament that they come from. A
    player who has qualified has no entry of their own: "". It does not start `not_before_ms`.
    """

    tournament: str
    terms: Terms
    rule_set: RuleSet
    status: Status = "announced"
    not_before_ms: int = 0
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
    fed: dict[str, Fed] = {}
    sent: Fed | None = None
    qualified: dict[tuple[str, str], Qualified] = {}

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
        if self.status in {"finished", "cancelled"} or self.cancelling or self.prizes_cents:
            return 0
        return self.terms.late_levels if played <= self.terms.late_levels else 0

    def shown_players(self) -> list[str]:
        """Return whom the lobby names; who has withdrawn is registered no more."""
        came = (player for player, _ in self.qualified)
        return list(dict.fromkeys([*self.entries, *self.waiting, *came]))

    def audience(self) -> dict[str, None]:
        """Return whom its facts concern."""
        return dict.fromkeys([*self.entries, *self.pending, *self.waiting])
