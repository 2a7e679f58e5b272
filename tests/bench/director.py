"""What an event of a freeze-out costs the director's core, by the size of the field.

Whole tournaments through the core alone, from the first entry to the winner: tables end their
hands in any order, and every hand is all-in between two. Only the core's own time counts. They
begin with their first event: a request for so many entries would be refused, since lists of all
players must fit into one event.
"""

import time
from collections import deque
from collections.abc import Iterable
from random import Random

from msgspec.structs import replace

from services.director.core import DECIDER, AwaitDraw, HandReported, awaiting
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    DirectorEvent,
    EntryRequested,
    HandCleared,
    MoveDecided,
    Register,
    SeatAssigned,
    TableFormed,
    TournamentCreated,
)
from shared.contracts.hand import HandEnded, SeatAtEnd
from shared.contracts.table import SeatVacated
from shared.contracts.wallet import EntryHeld
from shared.kernel.decider import Refused
from shared.poker.rule_sets import PRESETS
from tests.core.director.director_play import START_MS, TERMS, TOURNAMENT, blinds_after

FIELDS = (100, 1_000, 10_000)
SEATS = 10
PACE_MS = 10

Figures = dict[str, dict[str, object]]


class Field:
    """One tournament and what the world owes it; `core_s` is the core's own time."""

    def __init__(self, players: int, rule_set: str) -> None:
        self.chance = Random(players)
        terms = replace(
            TERMS, rule_set=rule_set, entries=players, seats=SEATS, starting_chips=10_000
        )
        created = TournamentCreated(TOURNAMENT, terms, PRESETS[rule_set])
        self.state = DECIDER.evolve(DECIDER.initial, created)
        self.now_ms = START_MS
        self.core_s = 0.0
        self.events = 0
        self.asked: AwaitDraw | None = None
        self.stacks: dict[str, int] = {}
        self.big_blinds: dict[str, int] = {}
        self.playing: list[HandCleared] = []
        self.owed: deque[object] = deque()
        for number in range(players):
            self.tell(Register(player=f"ply_{number:05}"))

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
            order = list(range(len(question.candidates)))
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
        )


def run() -> Figures:
    """Play a freeze-out of every size, and compare the cost of an event with the smallest's."""
    found: Figures = {}
    for rule_set in PRESETS:
        costs = {players: cost_us(players, rule_set) for players in FIELDS}
        least = costs[FIELDS[0]]
        for players, cost in costs.items():
            found[f"director, {rule_set}, an event of a freeze-out of {players:,}"] = {
                "value": round(cost, 1),
                "unit": "us",
                "peer": f"of {FIELDS[0]:,}",
                "peer_value": round(least, 1),
                "ratio": round(cost / least, 2),
            }
    return found


def cost_us(players: int, rule_set: str) -> float:
    """Return what an event costs in a tournament of that size, played to its end."""
    field = Field(players, rule_set)
    field.play()
    assert len(field.state.places) == players
    return 1e6 * field.core_s / field.events
