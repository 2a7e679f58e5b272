"""A table whose director, players and dealer are the test; the laws hold after every commit."""

from functools import reduce
from random import Random

import msgspec

from services.table.core import (
    DECIDER,
    AwaitBoard,
    AwaitDeal,
    AwaitPromise,
    AwaitView,
    SeatSeen,
    awaiting,
    is_live,
    legal_actions,
    show_or_muck,
    timers,
)
from shared.contracts.dealer import (
    DealtBoard,
    DealtHands,
    OpenedSeats,
    Opening,
    PromisedDeck,
    SealedCards,
    SeatOpening,
)
from shared.contracts.director import (
    ChipsAssigned,
    DealtSeat,
    HandCleared,
    Level,
    MoveDecided,
    SeatAssigned,
    TableFormed,
)
from shared.contracts.hand import HandEnded, HandStarted, PotAwarded, SeatStack, UncalledReturned
from shared.contracts.message import TimerFired
from shared.contracts.table import (
    Call,
    Check,
    ChipsAdded,
    Fold,
    Muck,
    RaiseTo,
    SeatTaken,
    SeatVacated,
    Show,
)
from shared.kernel.decider import Refused
from shared.poker.deck import CARDS, board_positions, hole_positions
from shared.poker.rule_sets import BIG_HOLDEM

TABLE = "tbl_1"
TOURNAMENT = "trn_1"
ACTION_MS = 20_000
MOVES = {"fold": Fold, "check": Check, "call": Call, "show": Show, "muck": Muck}
BEGAN_MS = 1_700_000_000_000


def player_of(seat):
    return f"ply_{seat}"


def shuffled(seed):
    deck = list(CARDS)
    Random(seed).shuffle(deck)
    return tuple(deck)


def formed(stacks, *, button, rules=BIG_HOLDEM, seats_max=10, bank=0, refill=0, seed_ms=0):
    return TableFormed(
        tournament=TOURNAMENT,
        table=TABLE,
        number=1,
        rule_set=rules,
        seats_max=seats_max,
        action_ms=ACTION_MS,
        button_seat=button,
        seats=tuple(SeatStack(seat, player_of(seat), chips) for seat, chips in stacks.items()),
        time_bank_ms=bank,
        time_bank_refill_ms=refill,
        player_entropy=seed_ms > 0,
        seed_ms=seed_ms,
    )


def assigned(player, seat, chips, *, table=TABLE, **more):
    return SeatAssigned(
        tournament=TOURNAMENT, player=player, table=table, seat=seat, stack_chips=chips, **more
    )


def bought(seat, chips, *, table=TABLE, player=None):
    return ChipsAssigned(
        tournament=TOURNAMENT,
        entry=f"{TOURNAMENT}/{player_of(seat)}/2",
        player=player or player_of(seat),
        table=table,
        seat=seat,
        chips=chips,
    )


def move(player, *, table=TABLE):
    return MoveDecided(
        tournament=TOURNAMENT,
        player=player,
        from_table=table,
        to_table="tbl_2",
        to_seat=4,
        reason="balance",
    )


def kinds(events):
    return [type(event) for event in events]


class Play:
    """One table, driven; `log` holds its events."""

    def __init__(self, stacks, *, button=None, rules=BIG_HOLDEM, **more):
        self.table = DECIDER.initial
        self.at_ms = BEGAN_MS
        self.log = []
        self.deck = CARDS
        self.total = sum(stacks.values())
        self.paid = 0
        button = max(stacks) if button is None else button
        self.tell(formed(stacks, button=button, rules=rules, **more))

    # --- one command ----------------------------------------------------------------------

    def tell(self, command, at_ms=None):
        """Feed a command that must be accepted; return its events."""
        before = self.table
        stepped = DECIDER.step(before, command, self.at_ms if at_ms is None else at_ms)
        assert not isinstance(stepped, Refused), (command, stepped)
        events, self.table = stepped
        self.check_fold(before, events)
        self.log += events
        self.check_state()
        return events

    def refused(self, command):
        """Feed a command that must be refused; return the reason."""
        stepped = DECIDER.step(self.table, command, self.at_ms)
        assert isinstance(stepped, Refused), (command, stepped)
        return stepped.reason

    # --- the laws -------------------------------------------------------------------------

    def check_fold(self, before, events):
        """Every event survives the wire; folding gives the step's state; no chip is lost."""
        table = before
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
            table = DECIDER.evolve(table, event)
            self.count(event)
            self.check_chips(table, event)
        assert table == self.table
        assert reduce(DECIDER.evolve, events, before) == self.table

    def count(self, event):
        match event:
            case HandStarted():
                self.paid = 0
            case PotAwarded(shares=shares):
                self.paid += sum(share.chips for share in shares)
            case SeatVacated(stack_chips=chips):
                self.total -= chips
            case SeatTaken(stack_chips=chips) | ChipsAdded(chips=chips):
                self.total += chips

    def check_chips(self, table, event):
        hand = table.hand
        outside = [
            taken.stack_chips
            for taken in table.seats
            if hand is None or taken.seat not in hand.order
        ]
        if hand is None:
            assert sum(outside) == self.total, event
            return
        assert min(*hand.stacks, *hand.bets, *hand.paid, hand.dead) >= 0
        middle = sum(hand.bets) + sum(hand.paid) + hand.dead
        assert sum(outside) + sum(hand.stacks) + middle - self.paid == self.total, event
        assert 0 <= self.paid <= middle
        if isinstance(event, UncalledReturned):
            assert event.seat in hand.to_act + hand.acted + hand.all_in
            assert event.by_chips > 0

    def check_state(self):
        """Play waits for one thing at a time."""
        waiting = awaiting(self.table)
        legal, choice = legal_actions(self.table), show_or_muck(self.table)
        names = [name for name, _ in timers(self.table)]
        if self.table.hand is None:
            assert (legal, choice) == (None, None)
            assert waiting is None or type(waiting) is AwaitPromise
            assert names == (["hand"] if self.table.scheduled and not waiting else [])
        elif waiting is not None:
            assert (legal, choice) == (None, None)
            assert names == []
        elif choice is not None:
            assert legal is None
            assert names == ["muck"]
        else:
            assert legal is not None
            assert names == ["turn"]
        assert is_live(self.table) or self.table.closed

    # --- the director ---------------------------------------------------------------------

    @property
    def stacks(self):
        return {taken.seat: taken.stack_chips for taken in self.table.seats}

    def cleared(self, *, small=5, big=10, ante=0, seats=None, number=None, level=1):
        roster = [
            DealtSeat(taken.seat, taken.player)
            for taken in self.table.seats
            if seats is None or taken.seat in seats
        ]
        number = self.table.cleared + 1 if number is None else number
        return HandCleared(
            tournament=TOURNAMENT,
            table=TABLE,
            hand=f"hnd_{number}",
            number=number,
            level=Level(small, big, ante),
            roster=tuple(roster),
            not_before_ms=self.at_ms + 1_000,
            level_number=level,
        )

    def begin(self, **level):
        """Clear a hand and let its timer fire; the deal is not answered yet."""
        self.tell(self.cleared(**level))
        self.at_ms += 1_000
        return self.tell(TimerFired(name="hand"))

    def start(self, **level):
        """Begin a hand and deal it."""
        return self.begin(**level) + self.answer()

    def run_down(self, by_ms=0):
        """Let the clock of the turn, or of the time bank it runs on, run down."""
        self.at_ms = dict(timers(self.table))["turn"] + by_ms
        return self.tell(TimerFired(name="turn"))

    # --- the dealer -----------------------------------------------------------------------

    @property
    def hand(self):
        return f"hnd_{self.table.cleared}"

    def holes(self, seat):
        order = self.table.hand.order
        positions = hole_positions(order.index(seat), len(order))
        return tuple(self.deck[position] for position in positions)

    def board(self, street):
        positions = board_positions(street, len(self.table.hand.order))
        return tuple(self.deck[position] for position in positions)

    def opening(self, position):
        return Opening(position, self.deck[position], b"salt", (b"path",))

    def reply(self):
        """What an honest dealer answers to the open question."""
        question = awaiting(self.table)
        if type(question) is AwaitPromise:
            return PromisedDeck(hand=question.hand, promise=b"promise")
        order = self.table.hand.order
        match question:
            case AwaitDeal(hand=hand, roster=roster):
                sealed = tuple(SealedCards(dealt.seat, b"sealed") for dealt in roster)
                return DealtHands(hand=hand, root=b"root", sealed=sealed)
            case AwaitBoard(hand=hand, street=street):
                openings = tuple(self.opening(p) for p in board_positions(street, len(order)))
                return DealtBoard(hand=hand, street=street, openings=openings)
            case AwaitView(hand=hand, seat=seat):
                return SeatSeen(hand, seat, self.holes(seat))
        seats = tuple(
            SeatOpening(
                seat,
                tuple(self.opening(p) for p in hole_positions(order.index(seat), len(order))),
            )
            for seat in question.seats
        )
        return OpenedSeats(hand=question.hand, seats=seats)

    def answer(self):
        """Answer until no question is open; return the events."""
        events = ()
        while awaiting(self.table) is not None:
            events += self.tell(self.reply())
        return events

    # --- the players ----------------------------------------------------------------------

    def action(self, kind, *, to=None, player=None, decision=None):
        open_now = legal_actions(self.table) or show_or_muck(self.table)
        fields = {
            "hand": self.hand,
            "player": open_now.player if player is None else player,
            "decision": open_now.decision if decision is None else decision,
        }
        return kind(**fields) if to is None else kind(**fields, to_chips=to)

    def act(self, move):
        """Play one of `MOVES` or an amount to raise to, and answer the dealer's part."""
        match move:
            case int():
                command = self.action(RaiseTo, to=move)
            case _:
                command = self.action(MOVES[move])
        events = self.tell(command)
        return events + self.answer()

    def play(self, *moves):
        """Play these moves, each by the seat to act; return all events."""
        return tuple(event for move in moves for event in self.act(move))

    def ended(self):
        """Return how the last hand ended."""
        return next(event for event in reversed(self.log) if isinstance(event, HandEnded))
