"""A director with the world around it: wallet, dealer and tables that answer in any order.

The tables here keep their own chips, from the director's facts alone, and refuse what a table
could not do. `Play.outstanding` is what the world still owes the director.
"""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from services.director.core import DECIDER, HandReported, awaiting, timers
from services.director.core.state import Tournament
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    ChipsAssigned,
    CreateTournament,
    DirectorEvent,
    EntryRequested,
    HandCleared,
    Level,
    MoveDecided,
    PlayerEliminated,
    RebuyRequested,
    Register,
    SeatAssigned,
    StageEnded,
    StandardPrizes,
    TableBroken,
    TableFormed,
    Terms,
    TournamentFinished,
    WinnersPrizes,
)
from shared.contracts.hand import HandEnded, KnockOut, SeatAtEnd
from shared.contracts.message import TimerFired
from shared.contracts.table import SeatVacated
from shared.contracts.wallet import EntryHeld, EntryRefused
from shared.kernel.decider import Refused

TOURNAMENT = "trn_0001"
LEVELS = (Level(10, 20), Level(20, 40), Level(40, 80, 10))
TERMS = Terms(
    name="Sunday",
    rule_set="big_holdem",
    entries=4,
    seats=2,
    fee_cents=1_000,
    commission_cents=100,
    starting_chips=1_000,
    levels=LEVELS,
    level_ms=60_000,
    pause_ms=500,
    prizes=StandardPrizes(),
)
START_MS = 1_800_000_000_000


def terms(**changes) -> Terms:
    """The sample terms with other values."""
    return replace(TERMS, **changes)


def winners(*shares: int) -> WinnersPrizes:
    return WinnersPrizes(shares=shares)


def equal_winners(places: int) -> WinnersPrizes:
    """So many prizes, as equal as hundredths of a percent allow."""
    share, odd = divmod(10_000, places)
    return WinnersPrizes(shares=tuple(share + (place < odd) for place in range(places)))


def players_named(count: int) -> tuple[str, ...]:
    return tuple(f"ply_{number:03}" for number in range(1, count + 1))


Buying = EntryRequested | RebuyRequested


def held(request: Buying) -> EntryHeld:
    return EntryHeld(
        tournament=request.tournament,
        entry=request.entry,
        player=request.player,
        price_cents=request.fee_cents + request.commission_cents,
        postings=(),
    )


def refusal(request: Buying, reason: str = "insufficient_funds") -> EntryRefused:
    return EntryRefused(
        tournament=request.tournament,
        entry=request.entry,
        player=request.player,
        reason=reason,
    )


def of(kind, events):
    """Keep the events of this kind."""
    return [event for event in events if isinstance(event, kind)]


def sizes(play):
    """Players at each open table, the largest first."""
    return sorted((table.size for table in play.state.tables.open), reverse=True)


def places(events):
    return {event.player: event.place for event in of(PlayerEliminated, events)}


def moved(events):
    """Who moves to which table's number and seat."""
    return [(move.player, move.to_table[-1], move.to_seat) for move in of(MoveDecided, events)]


def cleared(events):
    """The numbers of the tables that may play a hand."""
    return [event.table[-1] for event in of(HandCleared, events)]


class TableDouble:
    """A table as the director's facts describe it, with its own account of the chips."""

    def __init__(self, formed: TableFormed):
        self.table = formed.table
        self.stacks = {seat.player: seat.stack_chips for seat in formed.seats}
        self.seat_of = {seat.player: seat.seat for seat in formed.seats}
        self.seats_max = formed.seats_max
        self.big_blind = formed.button_seat
        self.hand: HandCleared | None = None

    def clear(self, hand: HandCleared) -> None:
        assert self.hand is None
        assert len(hand.roster) >= 2
        dealt = {dealt.player: dealt.seat for dealt in hand.roster}
        assert dealt.items() <= self.seat_of.items()
        self.hand = hand

    def vacate(self, move: MoveDecided) -> SeatVacated:
        assert self.hand is None, "moves are decided from tables at rest"
        return SeatVacated(
            tournament=move.tournament,
            table=self.table,
            seat=self.seat_of.pop(move.player),
            player=move.player,
            stack_chips=self.stacks.pop(move.player),
        )

    def take(self, assigned: SeatAssigned) -> None:
        assert assigned.seat not in self.seat_of.values()
        assert 1 <= assigned.seat <= self.seats_max
        self.seat_of[assigned.player] = assigned.seat
        self.stacks[assigned.player] = assigned.stack_chips

    def add(self, chips: ChipsAssigned) -> None:
        assert self.hand is None, "chips come between hands"
        assert self.seat_of[chips.player] == chips.seat
        self.stacks[chips.player] += chips.chips

    def end_hand(
        self, stacks: dict[str, int], out: tuple[str, ...] = (), by: tuple[str, ...] = ()
    ) -> HandEnded:
        """End the hand with these stacks for those who were dealt in; the blinds go on.

        Who has none left was knocked out `by` these, or by who has won the most.
        """
        assert self.hand is not None
        dealt = sorted((seat.seat, seat.player) for seat in self.hand.roster)
        seats = [seat for seat, _ in dealt]
        button, small, big = blinds_after(self.big_blind, seats)
        most = max((player for _, player in dealt), key=lambda p: stacks[p] - self.stacks[p])
        takers = tuple(self.seat_of[player] for player in by or (most,))
        fact = HandEnded(
            tournament=self.hand.tournament,
            table=self.table,
            hand=self.hand.hand,
            number=self.hand.number,
            button_seat=button,
            small_blind_seat=small,
            big_blind_seat=big,
            seats=tuple(
                SeatAtEnd(seat, player, stacks[player], player in out) for seat, player in dealt
            ),
            knock_outs=tuple(
                KnockOut(seat, takers) for seat, player in dealt if not stacks[player]
            ),
        )
        for _, player in dealt:
            self.stacks[player] = stacks[player]
            if not stacks[player]:
                del self.stacks[player], self.seat_of[player]
        self.hand, self.big_blind = None, big
        return fact


def blinds_after(last_big_blind: int, seats: list[int]) -> tuple[int, int | None, int]:
    """Return button, small and big blind of the next hand (PP-DEADBUTTON, near enough)."""
    ring = sorted(seats, key=lambda seat: (seat - last_big_blind - 1) % 16)
    big = ring[0]
    if len(ring) == 2:
        return ring[1], ring[1], big
    small = last_big_blind if last_big_blind in seats else None
    return (ring[-2] if small else ring[-1]), small, big


class Play:
    """One tournament from its first command on; every commit is kept and its state checked."""

    def __init__(
        self,
        chosen: Terms,
        after_commit: Callable[["Play"], None] = lambda play: None,
        tournament: str = TOURNAMENT,
    ):
        self.state: Tournament = DECIDER.initial
        self.now_ms = START_MS
        self.terms = chosen
        self.events: list[DirectorEvent] = []
        self.commits: list[tuple[DirectorEvent, ...]] = []
        self.tables: dict[str, TableDouble] = {}
        self.vacated: list[SeatVacated] = []
        self.asked: list[Buying] = []
        self.after_commit = after_commit
        self.must(CreateTournament(tournament=tournament, terms=chosen))

    def tell(self, command) -> tuple[DirectorEvent, ...] | Refused:
        """Hand over a command; its facts reach the tables and the wallet at once."""
        self.told = command
        stepped = DECIDER.step(self.state, command, self.now_ms)
        if isinstance(stepped, Refused):
            return stepped
        events, self.state = stepped
        self.events += events
        self.commits.append(events)
        for event in events:
            self.deliver(event)
        self.after_commit(self)
        return events

    def must(self, command) -> tuple[DirectorEvent, ...]:
        """Hand over a command that is not refused."""
        decision = self.tell(command)
        assert not isinstance(decision, Refused), decision
        return decision

    def deliver(self, event: DirectorEvent) -> None:
        match event:
            case EntryRequested() | RebuyRequested():
                self.asked.append(event)
            case TableFormed():
                self.tables[event.table] = TableDouble(event)
            case HandCleared():
                self.tables[event.table].clear(event)
            case MoveDecided():
                self.vacated.append(self.tables[event.from_table].vacate(event))
            case SeatAssigned():
                self.tables[event.table].take(event)
            case ChipsAssigned():
                self.tables[event.table].add(event)
            case TableBroken():
                broken = self.tables.pop(event.table)
                goes_on = any(isinstance(other, StageEnded) for other in self.commits[-1])
                over = len(self.state.places) == len(self.state.registered)
                assert not broken.stacks or goes_on or over
            case TournamentFinished():
                assert not self.tables
            case _:
                pass

    # --- what a test asks for ---------------------------------------------------------------

    def enter(self, *players: str) -> "Play":
        """Register these players, or as many as there are entries, all of them held."""
        for player in players or players_named(self.terms.entries):
            (request, *_) = self.must(Register(player=player))
            self.asked.remove(request)
            self.must(held(request))
        return self

    def answer_draw(self, order: tuple[int, ...] | None = None) -> tuple[DirectorEvent, ...]:
        """Answer the open question, in recorded order unless told otherwise."""
        question = awaiting(self.state)
        assert question is not None
        return self.must(Drawn(draw="drw", order=order or tuple(range(question.count))))

    def answer_all_draws(self) -> "Play":
        while awaiting(self.state) is not None:
            self.answer_draw()
        return self

    def begin(self) -> "Play":
        """Sell all entries and seat everybody in recorded order."""
        return self.enter().answer_all_draws()

    def end_hand(
        self, table: int, out: tuple[str, ...] = (), by: tuple[str, ...] = (), **stacks: int
    ) -> tuple[DirectorEvent, ...]:
        """End table's hand; players not named keep their stack, the chip leader pays."""
        double = self.tables[f"tbl_0001_{table}"]
        dealt = [seat.player for seat in double.hand.roster]
        after = {player: stacks.get(player, double.stacks[player]) for player in dealt}
        balance = sum(double.stacks[player] for player in dealt) - sum(after.values())
        leader = max((p for p in dealt if p not in stacks), key=lambda p: after[p])
        after[leader] += balance
        return self.report(double.end_hand(after, out, by))

    def report(self, fact: HandEnded) -> tuple[DirectorEvent, ...]:
        return self.must(HandReported(fact, f"table-{fact.table[-1]}", len(self.events)))

    def arrive(self) -> tuple[DirectorEvent, ...]:
        """Deliver every vacated seat."""
        events: list[DirectorEvent] = []
        while self.vacated:
            events += self.must(self.vacated.pop(0))
        return tuple(events)

    # --- chance -----------------------------------------------------------------------------

    def outstanding(self) -> list[tuple[str, object]]:
        """Everything that may happen next."""
        return [
            *(("entry", request) for request in self.asked),
            *(("vacated", fact) for fact in self.vacated),
            *(("hand", table) for table in self.tables.values() if table.hand),
            *(("draw", question) for question in [awaiting(self.state)] if question),
        ]

    def armed(self) -> tuple[tuple[str, int], ...]:
        """Every deadline that is running."""
        return timers(self.state)

    def happen(self, chance: Random) -> None:
        """Let one outstanding thing happen, or a timer fire."""
        self.now_ms += chance.choice((0, 1, 700, 15_000))
        due = [name for name, at_ms in self.armed() if at_ms <= self.now_ms]
        if due and chance.random() < 0.5:
            self.must(TimerFired(name=chance.choice(due)))
            return
        kind, thing = chance.choice(self.outstanding())
        if kind == "entry":
            self.answer_entry(thing, chance)
        elif kind == "vacated":
            self.vacated.remove(thing)
            self.must(thing)
        elif kind == "hand":
            self.report(random_end(thing, chance))
        else:
            order = list(range(thing.count))
            chance.shuffle(order)
            self.answer_draw(tuple(order))

    def answer_entry(self, asked: Buying, chance: Random) -> None:
        """Let the wallet hold the price, or refuse it."""
        self.asked.remove(asked)
        self.must(held(asked) if chance.random() < 0.8 else refusal(asked))


def random_end(table: TableDouble, chance: Random) -> HandEnded:
    """Play all-in pots until some chips have changed hands; often enough somebody busts."""
    stacks = {seat.player: table.stacks[seat.player] for seat in table.hand.roster}
    for _ in range(chance.choice((1, 1, 2, 4))):
        winner, loser = chance.sample(sorted(stacks), 2)
        most = min(stacks[winner], stacks[loser])
        lost = most if chance.random() < 0.6 else most // 2
        stacks[winner] += lost
        stacks[loser] -= lost
    out = tuple(player for player in sorted(stacks) if chance.random() < 0.2)
    return table.end_hand(stacks, out)
