"""Who has how many chips and where, and what happened last: one line's facts, as of one commit.

All of it comes from the director's own line, so that it fits together at any moment: a stack is
the one after the last hand that the director has digested, and chips in transit count.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import msgspec

from services.gateway.shell.facts import Told
from shared.contracts.director import (
    BountyDue,
    BreakBegan,
    ChipsAssigned,
    EntriesClosed,
    HandDigested,
    HandForHandBegan,
    LevelBegan,
    MoveDecided,
    PlayerBusted,
    PlayerEliminated,
    PlayerRegistered,
    PlayersQualified,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    SeatAssigned,
    StageEnded,
    StagePrizeDue,
    TableBroken,
    TableFormed,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from shared.contracts.hand import SeatStack
from shared.runtime.ports import Line

FEED_MAX: Final = 1_000

What = Literal[
    "announced",
    "started",
    "level",
    "break",
    "paused",
    "resumed",
    "hand_for_hand",
    "moves",
    "moved",
    "seated",
    "table_broken",
    "busted",
    "rebuy",
    "add_on",
    "entries_closed",
    "eliminated",
    "prize",
    "bounty",
    "stage_ended",
    "qualified",
    "pool_carried",
    "withdrew",
    "stage_prize",
    "finished",
    "cancelled",
]


class Happening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a tournament's feed: commit `number` of the director's line, and its moment.

    What does not belong to it is left out: a level's number, a place, a table. Of a bounty
    `amount_cents` are won, `added_cents` are the winner's to lose; nobody has knocked out who wins
    the own one. In a Big Shoot, `players` have qualified, and their pool goes to or comes from
    another `tournament`.
    """

    number: int
    at: str
    what: What
    player: str = ""
    table: str = ""
    to_table: str = ""
    place: int = 0
    amount_cents: int = 0
    added_cents: int = 0
    level: int = 0
    knocked_out: str = ""
    stage: int = 0
    players: tuple[str, ...] = ()
    tournament: str = ""


class Holding(msgspec.Struct, frozen=True):
    """A player who is still in: where, and with how many chips; on the way there is no seat."""

    table: str
    seat: int | None
    stack_chips: int


class Standing(msgspec.Struct):
    """One tournament as of commit `number` of `line`; `begun` with its first level.

    `bounties` are what there is to win of each player now, `bounty_cents` what an entry brings.
    """

    line: Line
    number: int = 0
    begun: bool = False
    holdings: dict[str, Holding] = {}
    bounty_cents: int = 0
    bounties: dict[str, int] = {}
    feed: deque[Happening] = msgspec.field(default_factory=lambda: deque(maxlen=FEED_MAX))

    def ranked(self) -> list[tuple[str, Holding]]:
        """Return who is still in, the most chips first; equal ones by the player's id."""
        return sorted(self.holdings.items(), key=lambda held: (-held[1].stack_chips, held[0]))

    def seat_all(self, table: str, seats: Sequence[SeatStack]) -> None:
        """Take the stacks of a table; who has none is out."""
        for held in seats:
            if held.stack_chips:
                self.holdings[held.player] = Holding(table, held.seat, held.stack_chips)
            else:
                self.holdings.pop(held.player, None)

    def raise_bounty(self, player: str, by_cents: int) -> None:
        """Let there be so much more to win of a player, or less; one of nothing is none."""
        cents = self.bounties.pop(player, 0) + by_cents
        if cents:
            self.bounties[player] = cents


class Standings:
    """All tournaments."""

    def __init__(self) -> None:
        self._standings: dict[str, Standing] = {}

    def get(self, tournament: str) -> Standing | None:
        """Return how a tournament stands."""
        return self._standings.get(tournament)

    def fold(self, told: Told) -> None:
        """Take in one commit of the director."""
        if told.line.service != "director":
            return
        standing = self._standings.setdefault(told.stream, Standing(told.line))
        standing.number = told.number
        for event, _ in told.facts:
            about = told_of(standing, event)
            if about is not None:
                standing.feed.append(Happening(number=told.number, at=told.at, **about))
            change = CHANGES.get(type(event))
            if change is not None:
                change(standing, event)


def told_of(standing: Standing, event: object) -> dict[str, Any] | None:
    """Return what the feed says of a fact, None for nothing."""
    tell = TOLD_AS.get(type(event))
    return None if tell is None else tell(standing, event)


def opened(standing: Standing, event: TableFormed) -> dict[str, Any] | None:
    """Tell who opens a table late, all chairs being taken; not who sits there from a beginning."""
    player = event.seats[0].player
    if not standing.begun or player in standing.holdings:
        return None
    return {"what": "seated", "player": player, "table": event.table}


def level_began(standing: Standing, _: LevelBegan) -> None:
    standing.begun = True


def move_decided(standing: Standing, event: MoveDecided) -> None:
    """The chips are on their way."""
    held = standing.holdings[event.player]
    standing.holdings[event.player] = Holding(event.to_table, None, held.stack_chips)


def seat_assigned(standing: Standing, event: SeatAssigned) -> None:
    standing.holdings[event.player] = Holding(event.table, event.seat, event.stack_chips)


def stage_ended(standing: Standing, event: StageEnded) -> None:
    """Who goes on has the chips of the next stage, and no seat until its tables are formed."""
    standing.holdings = {
        going_on.player: Holding(going_on.table, None, going_on.stack_chips)
        for going_on in event.standings
    }


def chips_assigned(standing: Standing, event: ChipsAssigned) -> None:
    """An add-on comes on top of the stack."""
    held = standing.holdings[event.player]
    chips = held.stack_chips + event.chips
    standing.holdings[event.player] = Holding(held.table, held.seat, chips)


def created(standing: Standing, event: TournamentCreated) -> None:
    standing.bounty_cents = event.terms.bounty_cents


def entered(standing: Standing, event: PlayerRegistered) -> None:
    standing.raise_bounty(event.player, standing.bounty_cents)


def left(standing: Standing, event: PlayerUnregistered) -> None:
    standing.raise_bounty(event.player, -standing.bounty_cents)


def bought(standing: Standing, event: RebuyGranted) -> None:
    """A rebuy brings a bounty as an entry does, an add-on none."""
    if event.kind == "rebuy":
        standing.raise_bounty(event.player, standing.bounty_cents)


def bounty_due(standing: Standing, event: BountyDue) -> None:
    standing.raise_bounty(event.knocked_out, -event.amount_cents - event.added_cents)
    standing.raise_bounty(event.player, event.added_cents)


def over(standing: Standing, _: TournamentCancelled | TournamentFinished) -> None:
    standing.holdings.clear()


CHANGES: dict[type, Callable[[Standing, Any], None]] = {
    TournamentCreated: created,
    PlayerRegistered: entered,
    PlayerUnregistered: left,
    RebuyGranted: bought,
    BountyDue: bounty_due,
    LevelBegan: level_began,
    TableFormed: lambda standing, event: standing.seat_all(event.table, event.seats),
    HandDigested: lambda standing, event: standing.seat_all(event.table, event.seats),
    MoveDecided: move_decided,
    SeatAssigned: seat_assigned,
    StageEnded: stage_ended,
    ChipsAssigned: chips_assigned,
    TournamentCancelled: over,
    TournamentFinished: over,
}
TOLD_AS: dict[type, Callable[[Standing, Any], dict[str, Any] | None]] = {
    TournamentCreated: lambda _, __: {"what": "announced"},
    TournamentStarted: lambda _, __: {"what": "started"},
    LevelBegan: lambda _, event: {"what": "level", "level": event.number},
    BreakBegan: lambda _, event: {"what": "break", "level": event.after_level},
    TournamentPaused: lambda _, __: {"what": "paused"},
    TournamentResumed: lambda _, __: {"what": "resumed"},
    HandForHandBegan: lambda _, __: {"what": "hand_for_hand"},
    MoveDecided: lambda _, event: {
        "what": "moves",
        "player": event.player,
        "table": event.from_table,
        "to_table": event.to_table,
    },
    SeatAssigned: lambda standing, event: {
        "what": "moved" if event.player in standing.holdings else "seated",
        "player": event.player,
        "table": event.table,
    },
    TableFormed: opened,
    TableBroken: lambda _, event: {"what": "table_broken", "table": event.table},
    PlayerBusted: lambda _, event: {
        "what": "busted",
        "player": event.player,
        "table": event.table,
    },
    RebuyGranted: lambda _, event: {"what": event.kind, "player": event.player},
    EntriesClosed: lambda _, __: {"what": "entries_closed"},
    PlayerEliminated: lambda _, event: {
        "what": "eliminated",
        "player": event.player,
        "table": event.table,
        "place": event.place,
    },
    PrizeDue: lambda _, event: {
        "what": "prize",
        "player": event.player,
        "place": event.place,
        "amount_cents": event.amount_cents,
    },
    BountyDue: lambda _, event: {
        "what": "bounty",
        "player": event.player,
        "knocked_out": event.knocked_out,
        "amount_cents": event.amount_cents,
        "added_cents": event.added_cents,
    },
    StageEnded: lambda _, event: {"what": "stage_ended", "stage": event.number},
    QualifiersNamed: lambda _, event: {
        "what": "qualified",
        "players": event.players,
        "tournament": event.target,
        "amount_cents": event.amount_cents,
    },
    PlayersQualified: lambda _, event: {
        "what": "pool_carried",
        "players": event.players,
        "tournament": event.from_tournament,
        "amount_cents": event.amount_cents,
    },
    StagePrizeDue: lambda _, event: {
        "what": "withdrew" if event.withdrew else "stage_prize",
        "player": event.player,
        "amount_cents": event.amount_cents,
    },
    TournamentFinished: lambda _, __: {"what": "finished"},
    TournamentCancelled: lambda _, __: {"what": "cancelled"},
}
