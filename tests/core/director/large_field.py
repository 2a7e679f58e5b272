"""A field of any size through the director's core alone, from its announcement to the winner.

Tables end their hands in any order, and every hand is all-in between two. Ids are as long as real
ones are.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from msgspec.structs import replace

from services.director.core import DECIDER, AwaitDraw, HandReported, awaiting
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    CreateTournament,
    DirectorEvent,
    EntryRequested,
    HandCleared,
    MoveDecided,
    Register,
    SeatAssigned,
    TableFormed,
)
from shared.contracts.hand import HandEnded, KnockOut, SeatAtEnd
from shared.contracts.table import SeatVacated
from shared.contracts.wallet import EntryHeld
from shared.kernel.decider import Refused
from tests.core.director.director_play import START_MS, TERMS, blinds_after

TOURNAMENT = f"trn_{1:026}"
PACE_MS = 10


def name_of(number: int) -> str:
    """Name a player, as long as real names are, in the order of the numbers."""
    return f"ply_{number:026}"


Hear = Callable[[DirectorEvent], None]


class Field:
    """One tournament and what the world owes it; `core_s` is the core's own time."""

    def __init__(self, players: int, hear: Hear = lambda event: None, **terms: Any) -> None:
        """`hear` is told every event; `terms` are other than the sample's."""
        self.chance = Random(players)
        self.players = players
        self.state = DECIDER.initial
        self.hear = hear
        self.now_ms = START_MS
        self.core_s = 0.0
        self.events = 0
        self.asked: AwaitDraw | None = None
        self.stacks: dict[str, int] = {}
        self.big_blinds: dict[str, int] = {}
        self.playing: list[HandCleared] = []
        self.owed: deque[object] = deque()
        usual = replace(TERMS, entries=players, seats=10, starting_chips=10_000)
        chosen = replace(usual, **terms)
        self.tell(CreateTournament(tournament=TOURNAMENT, terms=chosen))

    def enter(self, players: int = 0) -> "Field":
        """Sell so many entries, or all of them; the last one starts it."""
        for number in range(players or self.players):
            self.tell(Register(player=name_of(number)))
        return self

    def tell(self, command: object) -> None:
        """Hand over a command, and all that the world makes of what follows."""
        self.owed.append(command)
        while self.owed:
            self.step(self.owed.popleft())

    def step(self, command: object) -> None:
        self.now_ms += PACE_MS
        if isinstance(command, Drawn):
            self.asked = None
        began = time.process_time()
        stepped = DECIDER.step(self.state, command, self.now_ms)
        self.core_s += time.process_time() - began
        assert not isinstance(stepped, Refused), stepped
        events, self.state = stepped
        self.events += len(events)
        self.heard(events)

    def heard(self, events: Iterable[DirectorEvent]) -> None:
        for event in events:
            self.hear(event)
            match event:
                case EntryRequested():
                    price = event.fee_cents + event.commission_cents
                    entry, player = event.entry, event.player
                    self.owed.append(EntryHeld(TOURNAMENT, entry, player, price, ()))
                case TableFormed():
                    self.stacks |= {seat.player: seat.stack_chips for seat in event.seats}
                    self.big_blinds[event.table] = event.button_seat
                case HandCleared():
                    self.playing.append(event)
                case MoveDecided():
                    self.owed.append(self.vacated(event))
                case SeatAssigned():
                    self.stacks[event.player] = event.stack_chips
        question = awaiting(self.state)
        if question is not None and question != self.asked:
            self.asked = question
            order = list(range(question.count))
            self.chance.shuffle(order)
            self.owed.append(Drawn(draw="drw", order=tuple(order)))

    def vacated(self, move: MoveDecided) -> SeatVacated:
        seats = self.state.tables[move.from_table].seats
        seat = next((s.seat for s in seats if s.player == move.player), 0)
        chips = self.stacks[move.player]
        return SeatVacated(TOURNAMENT, move.from_table, seat, move.player, chips)

    def play(self) -> None:
        """Let hands end, one after the other, until nobody plays any more."""
        while self.playing:
            index = self.chance.randrange(len(self.playing))
            self.playing[index], self.playing[-1] = self.playing[-1], self.playing[index]
            hand = self.playing.pop()
            self.tell(HandReported(self.ended(hand), "table-0", self.events))

    def ended(self, hand: HandCleared) -> HandEnded:
        """Two go all-in, and the better stack decides what is at stake."""
        winner, loser = self.chance.sample([seat.player for seat in hand.roster], 2)
        most = min(self.stacks[winner], self.stacks[loser])
        self.stacks[winner] += most
        self.stacks[loser] -= most
        seats = [seat.seat for seat in hand.roster]
        seat_of = {seat.player: seat.seat for seat in hand.roster}
        button, small, big = blinds_after(self.big_blinds[hand.table], seats)
        self.big_blinds[hand.table] = big
        return HandEnded(
            tournament=TOURNAMENT,
            table=hand.table,
            hand=hand.hand,
            number=hand.number,
            button_seat=button,
            small_blind_seat=small,
            big_blind_seat=big,
            seats=tuple(
                SeatAtEnd(s.seat, s.player, self.stacks[s.player], False) for s in hand.roster
            ),
            knock_outs=tuple(
                KnockOut(s.seat, (seat_of[winner],))
                for s in hand.roster
                if not self.stacks[s.player]
            ),
        )
