"""What is played: three players; every street and a look at a hand, then a side pot, then the end.

In the first hand two go to a showdown that nobody is all-in at, so that stacks are unequal; in
the second the shortest is all-in and the others bet on behind; from the third on everybody is
all-in. What is done depends on the recorded facts alone, so it is the same in every run.
"""

from collections.abc import Sequence

import msgspec

from shared.contracts.director import Level, Terms, WinnersPrizes
from shared.contracts.hand import BoardDealt, HandStarted, PlayerRaised, TurnStarted
from shared.contracts.table import Action, Call, Check, Fold, RaiseTo

TOURNAMENT = "trn_kill"
PLAYERS = ("ply_1", "ply_2", "ply_3")
DEPOSIT_CENTS = 5_000
RAISE_TO, BET_CHIPS = 60, 100
STREETS = ("", "flop", "turn", "river")

TERMS = Terms(
    name="Killed",
    rule_set="big_holdem",
    entries=len(PLAYERS),
    seats=len(PLAYERS),
    fee_cents=1_000,
    commission_cents=100,
    starting_chips=1_000,
    levels=(Level(10, 20), Level(15, 30, 5)),
    level_hands=1,
    action_ms=10 * 60 * 1_000,
    prizes=WinnersPrizes(shares=(7_000, 3_000)),
)


class Seen(msgspec.Struct):
    """What a player at the table has seen of the running hand."""

    started: HandStarted
    street: str = ""
    raised: bool = False

    def see(self, event: object) -> None:
        if isinstance(event, BoardDealt):
            self.street, self.raised = event.street, False
        elif isinstance(event, PlayerRaised):
            self.raised = True


def decided(seen: Seen, turn: TurnStarted) -> Action:
    """Return what the seat does whose turn it is."""
    started = seen.started
    player = next(seat.player for seat in started.seats if seat.seat == turn.seat)
    named = {"hand": started.hand, "player": player, "decision": turn.decision}
    raise_to, folds = wish(seen, turn)
    if raise_to and turn.max_raise_to:
        to_chips = max(turn.min_raise_to, min(raise_to, turn.max_raise_to))
        return RaiseTo(**named, to_chips=to_chips)
    if not turn.call_chips:
        return Check(**named)
    return Fold(**named) if folds else Call(**named)


def wish(seen: Seen, turn: TurnStarted) -> tuple[int, bool]:
    """Return what to raise to, 0 for nothing, and whether to fold before a call."""
    if seen.started.number == 1:
        return first_hand(seen, turn)
    if seen.started.number == 2:
        return second_hand(seen, turn)
    return turn.max_raise_to, False


def first_hand(seen: Seen, turn: TurnStarted) -> tuple[int, bool]:
    """A raise, a call and a fold; then bets on the flop and on the river are called."""
    if not seen.street:
        return (0 if seen.raised else RAISE_TO), turn.seat == seen.started.big_blind_seat
    bets = seen.street != "turn" and not seen.raised
    return (BET_CHIPS if bets else 0), False


def second_hand(seen: Seen, turn: TurnStarted) -> tuple[int, bool]:
    """The shortest is all-in before the flop; the others call, and bet for a side pot."""
    shortest = min(seen.started.seats, key=lambda seat: (seat.stack_chips, seat.seat))
    if not seen.street:
        return (turn.max_raise_to if turn.seat == shortest.seat else 0), False
    bets = seen.street in {"flop", "turn"} and not seen.raised
    return (turn.min_raise_to if bets else 0), False


def acts_on(events: Sequence[object]) -> TurnStarted | None:
    """Return the decision that a commit leaves open."""
    last = events[-1] if events else None
    return last if isinstance(last, TurnStarted) else None
