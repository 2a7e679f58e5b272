"""A tournament that runs: tables, levels, cleared hands, moves, places and prizes."""

from typing import Literal, final

import msgspec

from shared.contracts.director.terms import Level
from shared.contracts.hand import KnockOut, SeatStack
from shared.contracts.message import Command, Event
from shared.poker.rule_sets import RuleSet


class DealtSeat(msgspec.Struct, frozen=True):
    """One seat of a cleared hand."""

    seat: int
    player: str


class Placing(msgspec.Struct, frozen=True):
    """Where a player finished, and with what prize."""

    place: int
    player: str
    prize_cents: int


@final
class PauseTournament(Command, frozen=True, tag="director.pause-tournament.v1"):
    """Let hands in play end and clear no other."""

    author: str
    reason: str


@final
class ResumeTournament(Command, frozen=True, tag="director.resume-tournament.v1"):
    author: str


@final
class TournamentStarted1(Event, frozen=True, tag="director.tournament-started.v1"):
    tournament: str
    players: tuple[str, ...]
    pool_cents: int
    prizes_cents: tuple[int, ...]


@final
class TournamentStarted(Event, frozen=True, tag="director.tournament-started.v2"):
    """So many `players` begin: who they are was told when they were registered, or qualified."""

    tournament: str
    players: int
    pool_cents: int
    prizes_cents: tuple[int, ...]


@final
class TableFormed(Event, frozen=True, tag="director.table-formed.v1"):
    """A table with its first players (PP-SEAT) and its first button."""

    tournament: str
    table: str
    number: int
    rule_set: RuleSet
    seats_max: int
    action_ms: int
    button_seat: int
    seats: tuple[SeatStack, ...]
    time_bank_ms: int = 0
    time_bank_refill_ms: int = 0
    player_entropy: bool = False
    seed_ms: int = 0


@final
class LevelBegan(Event, frozen=True, tag="director.level-began.v1"):
    """`number` counts from 1; `ends_at_ms` is None when levels last by hands, or for ever."""

    tournament: str
    number: int
    level: Level
    ends_at_ms: int | None


@final
class ClockExtended(Event, frozen=True, tag="director.clock-extended.v1"):
    """An outage is given back to the level that runs, as much as had not been given yet.

    From `down_from_ms` to `up_at_ms`, which is `by_ms`, the tournament stood still.
    """

    tournament: str
    level_number: int
    down_from_ms: int
    up_at_ms: int
    by_ms: int
    ends_at_ms: int


@final
class BreakBegan(Event, frozen=True, tag="director.break-began.v1"):
    """All tables rest; the next level begins when it is over."""

    tournament: str
    after_level: int
    ends_at_ms: int


@final
class BreakExtended(Event, frozen=True, tag="director.break-extended.v1"):
    """An outage is given back to the break that runs, like `ClockExtended` to a level."""

    tournament: str
    after_level: int
    down_from_ms: int
    up_at_ms: int
    by_ms: int
    ends_at_ms: int


@final
class TournamentPaused(Event, frozen=True, tag="director.tournament-paused.v1"):
    """No hand is cleared until it is resumed; hands in play go on to their end."""

    tournament: str
    author: str
    reason: str
    at_ms: int


@final
class TournamentResumed(Event, frozen=True, tag="director.tournament-resumed.v1"):
    """Level or break end later by what was not given back yet; None where neither has an end."""

    tournament: str
    author: str
    at_ms: int
    ends_at_ms: int | None


@final
class HandCleared(Event, frozen=True, tag="director.hand-cleared.v1"):
    """This table may play this one hand, with exactly this roster (seats ascending)."""

    tournament: str
    table: str
    hand: str
    number: int
    level: Level
    roster: tuple[DealtSeat, ...]
    not_before_ms: int
    level_number: int = 1


@final
class HandDigested(Event, frozen=True, tag="director.hand-digested.v1"):
    """The director has taken in a table's `HandEnded`, commit `upstream_number` of `upstream`.

    `ended_at_ms` is the moment of that commit: the pause before the next hand runs from there.
    """

    tournament: str
    table: str
    hand: str
    number: int
    button_seat: int
    small_blind_seat: int | None
    big_blind_seat: int
    seats: tuple[SeatStack, ...]
    outs: tuple[str, ...]
    ended_at_ms: int
    upstream: str
    upstream_number: int
    knock_outs: tuple[KnockOut, ...] = ()


@final
class HandSetAside(Event, frozen=True, tag="director.hand-set-aside.v1"):
    """A hand is void by an operator's word: its table gets another one, and no chip has moved."""

    tournament: str
    table: str
    hand: str
    number: int
    author: str
    reason: str


@final
class HandForHandBegan(Event, frozen=True, tag="director.hand-for-hand-began.v1"):
    """From now on one hand at each table is one round (PP-TIES)."""

    tournament: str
    players_left: int


@final
class MoveDecided(Event, frozen=True, tag="director.move-decided.v1"):
    tournament: str
    player: str
    from_table: str
    to_table: str
    to_seat: int
    reason: Literal["balance", "close"]


@final
class SeatAssigned(Event, frozen=True, tag="director.seat-assigned.v1"):
    """The chips that left the old table go to this seat; an Out player stays Out (PP-OUT).

    So does the time bank, by what has been used of it.
    """

    tournament: str
    player: str
    table: str
    seat: int
    stack_chips: int
    out: bool = False
    time_bank_used_ms: int = 0


@final
class TableClosing(Event, frozen=True, tag="director.table-closing.v1"):
    """This table plays no further hand; its players go to the others."""

    tournament: str
    table: str


@final
class TableBroken(Event, frozen=True, tag="director.table-broken.v1"):
    """Every player of this table has been moved or is out."""

    tournament: str
    table: str


@final
class PlayerEliminated(Event, frozen=True, tag="director.player-eliminated.v1"):
    tournament: str
    player: str
    table: str
    hand: str
    place: int


@final
class PrizeDue(Event, frozen=True, tag="director.prize-due.v1"):
    """With `ticket_for` the prize is an entry to that tournament, worth the amount."""

    tournament: str
    place: int
    player: str
    amount_cents: int
    ticket_for: str = ""


@final
class PlacesTold(Event, frozen=True, tag="director.places-told.v1"):
    """Places of a field that is too large for one event; `TournamentFinished` comes after them."""

    tournament: str
    places: tuple[Placing, ...]


@final
class TournamentFinished(Event, frozen=True, tag="director.tournament-finished.v1"):
    """The best places, which are all of them unless `PlacesTold` has told others before."""

    tournament: str
    places: tuple[Placing, ...]


RestEvent = BreakBegan | BreakExtended | TournamentPaused | TournamentResumed
