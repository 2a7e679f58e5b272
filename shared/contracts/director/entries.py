"""Announcing a tournament, and entries: asked for, held by the wallet, registered or not.

An entry is named `<tournament>/<player>/<n>`: the n-th time that this player buys in.
"""

from typing import final

from shared.contracts.director.terms import Terms
from shared.contracts.message import Command, Event
from shared.poker.rule_sets import RuleSet


@final
class CreateTournament(Command, frozen=True, tag="director.create-tournament.v1"):
    """Announce a tournament on these terms; operators only."""

    tournament: str
    terms: Terms


@final
class Register(Command, frozen=True, tag="director.register.v1"):
    """Ask for an entry (PP-ENTRY), by `ticket` or in cash; the outcome follows as a fact."""

    player: str
    ticket: str = ""


@final
class Unregister(Command, frozen=True, tag="director.unregister.v1"):
    """Leave before the start (PP-ENTRY)."""

    player: str


@final
class CancelTournament(Command, frozen=True, tag="director.cancel-tournament.v1"):
    """Give a tournament up: before its start everybody gets everything back (PP-CRASH-REG).

    While it runs, the tables halt and a sheet is drawn up, which a second operator approves.
    """

    author: str
    reason: str


@final
class TournamentCreated(Event, frozen=True, tag="director.tournament-created.v1"):
    """The rule set stands here in full: a replay never depends on today's presets."""

    tournament: str
    terms: Terms
    rule_set: RuleSet


@final
class EntryRequested(Event, frozen=True, tag="director.entry-requested.v1"):
    """With a `ticket` the price comes from it instead of the player's cash.

    A range of ratings needs the player's to be told, 0 leaves that end open (PP-LEVELGATE). Into
    stage 1 of a Big Shoot, `series`, nobody may buy who is still in it.
    """

    tournament: str
    entry: str
    player: str
    fee_cents: int
    commission_cents: int
    deadline_ms: int
    ticket: str = ""
    rating_min: int = 0
    rating_max: int = 0
    series: str = ""


@final
class EntryFunded(Event, frozen=True, tag="director.entry-funded.v1"):
    """The price is held, and the entry counts once the player's rating is known to be admitted."""

    tournament: str
    entry: str
    player: str


@final
class EntryAdmitted(Event, frozen=True, tag="director.entry-admitted.v1"):
    """The player's rating is within the range; the entry counts once its price is held."""

    tournament: str
    entry: str
    player: str
    rating: int


@final
class PlayerRegistered(Event, frozen=True, tag="director.player-registered.v1"):
    tournament: str
    entry: str
    player: str
    fee_cents: int
    commission_cents: int


@final
class EntryDeclined(Event, frozen=True, tag="director.entry-declined.v1"):
    tournament: str
    entry: str
    player: str
    reason: str


@final
class EntryExpired(Event, frozen=True, tag="director.entry-expired.v1"):
    tournament: str
    entry: str
    player: str


@final
class PlayerUnregistered(Event, frozen=True, tag="director.player-unregistered.v1"):
    """A price paid by ticket comes back as the ticket, or as money when there is no target."""

    tournament: str
    entry: str
    player: str
    refund_cents: int
    tournament_cancelled: bool = False


@final
class TournamentCancelled(Event, frozen=True, tag="director.tournament-cancelled.v1"):
    """It is over; without an author too few players had come by its time (BH-MTT).

    With a `sheet_hash` it was running, and what follows are the payouts of that sheet.
    """

    tournament: str
    author: str
    reason: str
    sheet_hash: str = ""
