"""The tables as everybody may see them, folded from their facts: who sits where, the hand so far.

A table is forgotten when it closes. Facts of a hand are kept as they were told until it ends, so
that a player who connects in the middle of it can act.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec

from services.gateway.shell.facts import Told
from shared.contracts.commit import Actor
from shared.contracts.dealer import SealedCards
from shared.contracts.hand import (
    ChoiceStarted,
    HandEnded,
    HandScheduled,
    HandsDealt,
    HandStarted,
    SeatStack,
    TurnStarted,
)
from shared.contracts.table import (
    ChipsAdded,
    HandVoided,
    PlayerCameBack,
    PlayerLeaving,
    PlayerWentOut,
    Said,
    SeatTaken,
    SeatVacated,
    TableClosed,
    TableOpened,
)

OUTSIDE_HANDS = (
    TableOpened,
    SeatTaken,
    SeatVacated,
    ChipsAdded,
    PlayerLeaving,
    PlayerWentOut,
    PlayerCameBack,
    Said,
    TableClosed,
    HandEnded,
)


class Seat(msgspec.Struct):
    """A taken seat; `out` is PP-OUT."""

    player: str
    stack_chips: int
    out: bool = False


class Table(msgspec.Struct, kw_only=True):
    """One open table; stacks are those between hands, `told` are the facts of the current hand.

    `coming` is the hand that is scheduled and has not started.
    """

    table: str
    tournament: str = ""
    seats_max: int = 0
    line: str = ""
    number: int = 0
    n: int = 0
    seats: dict[int, Seat] = {}
    hand: str | None = None
    coming: str | None = None
    dealt: tuple[SeatStack, ...] = ()
    sealed: tuple[SealedCards, ...] = ()
    told: list[str] = []
    turn: int = 0

    def decides(self, player: str) -> bool:
        """Tell whether the last decision that was opened in this hand is this player's."""
        return self.turn in self.seats and self.seats[self.turn].player == player

    def seated(self) -> dict[str, None]:
        """Return the players here, in the order of their seats."""
        return {self.seats[seat].player: None for seat in sorted(self.seats)}

    def seat_of(self, player: str) -> Seat | None:
        """Return where a player sits."""
        return next((seat for seat in self.seats.values() if seat.player == player), None)

    def snapshot(self) -> str:
        """Return the table as a message: the seats, and the facts of the hand so far."""
        seats = [
            {
                "seat": number,
                "player": seat.player,
                "stack_chips": seat.stack_chips,
                "out": seat.out,
            }
            for number, seat in sorted(self.seats.items())
        ]
        head = {
            "table": self.table,
            "tournament": self.tournament,
            "seats_max": self.seats_max,
            "line": self.line,
            "number": self.number,
            "n": self.n,
            "hand": self.hand,
            "seats": seats,
        }
        opening = msgspec.json.encode(head).decode()[:-1]
        return f'{{"snapshot":{opening},"facts":[{",".join(self.told)}]}}}}'


class Tables:
    """All open tables, and which of them each player is at.

    A table may close in the middle of its last hand: what comes after that is of no table here.
    """

    def __init__(self) -> None:
        self._tables: dict[str, Table] = {}
        self._of: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._out_by: dict[tuple[str, str], Actor] = {}

    def get(self, table: str) -> Table | None:
        """Return an open table."""
        return self._tables.get(table)

    def open(self) -> list[Table]:
        """Return every open table."""
        return list(self._tables.values())

    def of(self, player: str) -> list[Table]:
        """Return the tables at which a player sits."""
        return [self._tables[table] for table in self._of.get(player, ())]

    def before(self, told: Told) -> Table:
        """Return the table that a commit is about, as it was before; a new one is empty."""
        return self._tables.get(told.stream) or Table(table=told.stream)

    def fold(self, told: Told) -> None:
        """Take in one commit of a table."""
        table = self._tables.setdefault(told.stream, Table(table=told.stream))
        was_here = table.seated()
        table.line, table.number, table.n = str(told.line), told.number, told.n
        for event, text in told.facts:
            fold = FOLD.get(type(event))
            if fold is not None:
                fold(table, event)
            self._note_out(table, event, told.by)
            if not isinstance(event, OUTSIDE_HANDS):
                table.told.append(text)
        self._index(table, was_here)

    def out_by(self, table: Table, player: str) -> Actor | None:
        """Return who set a player Out, at this table or at one before it."""
        return self._out_by.get((table.tournament, player))

    def _note_out(self, table: Table, event: Any, by: Actor) -> None:
        """Who it was goes along when the player is moved; lines come in any order."""
        if isinstance(event, PlayerWentOut):
            self._out_by[table.tournament, event.player] = by
        elif isinstance(event, PlayerCameBack):
            self._out_by.pop((table.tournament, event.player), None)

    def _index(self, table: Table, was_here: dict[str, None]) -> None:
        """Keep the tables of each player, and forget a table that has closed."""
        if table.seats_max == 0:
            del self._tables[table.table]
            self._forget_outs(table.tournament)
        is_here = table.seated()
        for player in was_here:
            if player not in is_here:
                self._of[player].pop(table.table, None)
                if not self._of[player]:
                    del self._of[player]
        for player in is_here:
            self._of[player][table.table] = None

    def _forget_outs(self, tournament: str) -> None:
        """When a tournament's last table has closed, nobody comes back to it."""
        if all(table.tournament != tournament for table in self._tables.values()):
            gone = [key for key in self._out_by if key[0] == tournament]
            for key in gone:
                del self._out_by[key]


def table_opened(table: Table, event: TableOpened) -> None:
    table.tournament = event.tournament
    table.seats_max = event.seats_max
    table.seats = {taken.seat: Seat(taken.player, taken.stack_chips) for taken in event.seats}


def seat_taken(table: Table, event: SeatTaken) -> None:
    table.seats[event.seat] = Seat(event.player, event.stack_chips, event.out)


def seat_vacated(table: Table, event: SeatVacated) -> None:
    table.seats.pop(event.seat, None)


def chips_added(table: Table, event: ChipsAdded) -> None:
    if seat := table.seats.get(event.seat):
        seat.stack_chips += event.chips


def player_went_out(table: Table, event: PlayerWentOut) -> None:
    if seat := table.seats.get(event.seat):
        seat.out = True


def player_came_back(table: Table, event: PlayerCameBack) -> None:
    if seat := table.seats.get(event.seat):
        seat.out = False


def table_closed(table: Table, _event: TableClosed) -> None:
    table.seats = {}
    table.seats_max = 0


def hand_scheduled(table: Table, event: HandScheduled) -> None:
    table.coming = event.hand
    table.told = []


def hand_started(table: Table, event: HandStarted) -> None:
    table.hand = event.hand
    table.coming = None
    table.dealt = event.seats


def hands_dealt(table: Table, event: HandsDealt) -> None:
    table.sealed = event.sealed


def decision_opened(table: Table, event: TurnStarted | ChoiceStarted) -> None:
    table.turn = event.seat


def hand_voided(table: Table, _event: HandVoided) -> None:
    """Stacks stay as they were between hands."""
    no_hand(table)
    table.coming = None


def hand_ended(table: Table, event: HandEnded) -> None:
    """Who has no chips left is gone."""
    for end in event.seats:
        if not end.stack_chips:
            table.seats.pop(end.seat, None)
        elif end.seat in table.seats:
            table.seats[end.seat].stack_chips = end.stack_chips
    no_hand(table)


def no_hand(table: Table) -> None:
    """Nothing is played here any more."""
    table.hand = None
    table.dealt = ()
    table.sealed = ()
    table.told = []
    table.turn = 0


FOLD: dict[type, Callable[[Table, Any], None]] = {
    TableOpened: table_opened,
    SeatTaken: seat_taken,
    ChipsAdded: chips_added,
    SeatVacated: seat_vacated,
    PlayerWentOut: player_went_out,
    PlayerCameBack: player_came_back,
    TableClosed: table_closed,
    HandScheduled: hand_scheduled,
    HandStarted: hand_started,
    HandsDealt: hands_dealt,
    TurnStarted: decision_opened,
    ChoiceStarted: decision_opened,
    HandEnded: hand_ended,
    HandVoided: hand_voided,
}
