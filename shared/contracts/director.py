"""The director's language: a tournament from its terms to its last prize.

Money is integer cents, chips are integers, moments are milliseconds since 1970 UTC. An entry is
named `<tournament>/<player>/<n>`: the n-th time that this player buys in.
"""

from typing import Literal, final

import msgspec

from shared.contracts.hand import SeatStack
from shared.contracts.message import Command, Event
from shared.poker.rule_sets import Limit, RuleSet


class Level(msgspec.Struct, frozen=True):
    """What is posted while this level lasts."""

    small_blind_chips: int
    big_blind_chips: int
    ante_chips: int = 0


class WinnersPrizes(msgspec.Struct, frozen=True, tag="winners"):
    """BH-WINNERS: a fixed number of prizes; shares in hundredths of a percent, summing 10,000."""

    shares: tuple[int, ...]


class StandardPrizes(msgspec.Struct, frozen=True, tag="standard"):
    """BH-STANDARD: number and shares follow from the entries by the published table."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """All that a player must know before paying (PP-LOBBY), validated as a whole.

    Exactly one of `level_ms` and `level_hands` is positive: a level lasts that long, or until
    a table has played that many hands in it. A time bank begins with `time_bank_ms` and grows
    by `time_bank_refill_ms` with every level after the first. With `player_entropy`, players add
    to the chance of every deck, and a hand waits for their seeds `seed_ms` at most.
    `final_table_players` is for `tda`: 0 stands for one more than `seats`, at most ten.
    """

    name: str
    rule_set: str
    limit: Limit = "no_limit"
    entries: int
    seats: int
    fee_cents: int
    commission_cents: int
    starting_chips: int
    levels: tuple[Level, ...]
    level_ms: int = 0
    level_hands: int = 0
    action_ms: int = 20_000
    time_bank_ms: int = 0
    time_bank_refill_ms: int = 0
    pause_ms: int = 0
    player_entropy: bool = False
    seed_ms: int = 2_000
    prizes: WinnersPrizes | StandardPrizes
    final_table_players: int = 0


class DealtSeat(msgspec.Struct, frozen=True):
    """One seat of a cleared hand."""

    seat: int
    player: str


class Placing(msgspec.Struct, frozen=True):
    """Where a player finished, and with what prize."""

    place: int
    player: str
    prize_cents: int


# --- requests -------------------------------------------------------------------------------


@final
class CreateTournament(Command, frozen=True, tag="director.create-tournament.v1"):
    """Announce a Sit & Go (BH-SNG) on these terms; operators only."""

    tournament: str
    terms: Terms


@final
class Register(Command, frozen=True, tag="director.register.v1"):
    """Ask for an entry (PP-ENTRY); the outcome follows as a fact."""

    player: str


@final
class Unregister(Command, frozen=True, tag="director.unregister.v1"):
    """Leave before the start (PP-ENTRY)."""

    player: str


# --- events: entries ------------------------------------------------------------------------


@final
class TournamentCreated(Event, frozen=True, tag="director.tournament-created.v1"):
    """The rule set stands here in full: a replay never depends on today's presets."""

    tournament: str
    terms: Terms
    rule_set: RuleSet


@final
class EntryRequested(Event, frozen=True, tag="director.entry-requested.v1"):
    """With a `ticket` the price comes from it instead of the player's cash."""

    tournament: str
    entry: str
    player: str
    fee_cents: int
    commission_cents: int
    deadline_ms: int
    ticket: str = ""


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


# --- events: draws --------------------------------------------------------------------------


@final
class DrawAwaited(Event, frozen=True, tag="director.draw-awaited.v1"):
    """A question to the dealer, recorded before it is asked.

    `purpose` is `seats`, `button <table>`, `movers <table>`, `balance <from> <to>` or
    `tie <place>` (its best place). Where chairs are drawn with players they are `<table>/<seat>`.
    For PP-HIGHCARD it is `high card <table>`, drawn from the 52 cards: the first of the order
    are dealt to the seats of the table, ascending, one each.
    """

    purpose: str
    candidates: tuple[str, ...]


@final
class DrawTaken(Event, frozen=True, tag="director.draw-taken.v1"):
    """`order[i]` is the index of the candidate that came out i-th."""

    purpose: str
    candidates: tuple[str, ...]
    order: tuple[int, ...]


# --- events: play ---------------------------------------------------------------------------


@final
class TournamentStarted(Event, frozen=True, tag="director.tournament-started.v1"):
    tournament: str
    players: tuple[str, ...]
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
class TournamentFinished(Event, frozen=True, tag="director.tournament-finished.v1"):
    tournament: str
    places: tuple[Placing, ...]


DirectorRequest = CreateTournament | Register | Unregister
DirectorEvent = (
    TournamentCreated
    | EntryRequested
    | PlayerRegistered
    | EntryDeclined
    | EntryExpired
    | PlayerUnregistered
    | DrawAwaited
    | DrawTaken
    | TournamentStarted
    | TableFormed
    | LevelBegan
    | ClockExtended
    | HandCleared
    | HandDigested
    | HandForHandBegan
    | MoveDecided
    | SeatAssigned
    | TableClosing
    | TableBroken
    | PlayerEliminated
    | PrizeDue
    | TournamentFinished
)
