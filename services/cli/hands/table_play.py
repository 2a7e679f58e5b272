"""One production table whose players, director and dealer are a record.

Commands go through the table's decider as on the platform: the director forms the table, seats
and moves players and clears the hands; the dealer is asked, and answers from the record.
"""

from collections.abc import Callable

from msgspec.structs import replace

from services.cli.hands.answers import answer
from services.cli.hands.placed import agree, leading_to, placed_by_site, placed_by_us, reason
from services.cli.hands.recorded import Broken, Moved
from services.cli.hands.replay import Outcome, recorded_rules, told
from services.cli.hands.runs import SeatedHand
from services.table.core import (
    DECIDER,
    LegalActions,
    Table,
    TableCommand,
    awaiting,
    legal_actions,
    show_or_muck,
)
from shared.contracts.director import (
    DealtSeat,
    HandCleared,
    Level,
    MoveDecided,
    SeatAssigned,
    TableFormed,
)
from shared.contracts.hand import HandEnded, HandStarted, PotAwarded, SeatStack, UncalledReturned
from shared.contracts.message import TimerFired
from shared.contracts.table import Call, Check, Fold, Muck, RaiseTo, Show, TableEvent
from shared.kernel.decider import Refused
from shared.poker.rule_sets import RuleSet

TOURNAMENT = "trn_recorded"
TABLE = "tbl_recorded"
ELSEWHERE = "tbl_elsewhere"
ACTION_MS = 20_000
PAUSE_MS = 1_000

Action = Fold | Check | Call | RaiseTo
Commits = list[tuple[TableEvent, ...]]


class RecordedTable:
    """A table that plays hands one after the other; `commits` is its whole log."""

    def __init__(self, first: SeatedHand, rules: RuleSet, seats_max: int) -> None:
        self.table: Table = DECIDER.initial
        self.at_ms = 0
        self.commits: Commits = []
        self.bought: dict[str, int] = {}
        formed = TableFormed(
            tournament=TOURNAMENT,
            table=TABLE,
            number=1,
            rule_set=recorded_rules(rules, first.recorded),
            seats_max=seats_max,
            action_ms=ACTION_MS,
            button_seat=first.button_seat or 0,
            seats=seat_stacks(first),
        )
        self.tell(formed)

    def tell(self, command: TableCommand) -> tuple[TableEvent, ...]:
        """Feed a command; what the table refuses, the record cannot have been."""
        try:
            stepped = DECIDER.step(self.table, command, self.at_ms)
        except ValueError as error:
            raise Broken(str(error)) from None
        if isinstance(stepped, Refused):
            detail = f" ({stepped.detail})" if stepped.detail else ""
            raise Broken(f"refused: {stepped.reason}{detail}")
        events, self.table = stepped
        if events:
            self.commits.append(events)
        return events

    # --- the director ---------------------------------------------------------------------

    def seat(self, hand: SeatedHand) -> None:
        """Move out who is not dealt in next, move in who is new, and add what was bought."""
        coming = {taken.player: taken for taken in seat_stacks(hand)}
        for taken in self.table.seats:
            stays = coming.get(taken.player)
            if stays == taken:
                continue
            if stays is not None and stays.seat == taken.seat:
                self.check_purchase(taken, stays, self.bought.get(taken.player, 0))
            self.tell(moved_away(taken.player))
        here = [taken.player for taken in self.table.seats]
        for taken in coming.values():
            if taken.player not in here:
                self.tell(assigned(taken))

    def check_purchase(self, taken: SeatStack, stays: SeatStack, bought: int) -> None:
        if stays.stack_chips != taken.stack_chips + bought:
            raise Broken(
                f"{taken.player} has {taken.stack_chips} chips and bought {bought}, "
                f"the record says {stays.stack_chips}"
            )

    def begin(self, hand: SeatedHand) -> str:
        """Clear the hand and let it start; return why positions are not ours, if they are not."""
        self.tell(cleared(hand, self.table.cleared + 1, self.at_ms + PAUSE_MS))
        self.at_ms += PAUSE_MS
        before, last = self.table, self.table.positions
        site, ours = placed_by_site(hand), placed_by_us(started(self.tell(TimerFired(name="hand"))))
        if agree(site, ours):
            return ""
        known = reason(hand.recorded.name, site, ours, last)
        if known is None:
            raise Broken(f"positions: expected {site}, got {ours}")
        self.commits.pop()
        self.table = replace(before, positions=leading_to(site))
        ours = placed_by_us(started(self.tell(TimerFired(name="hand"))))
        if not agree(site, ours):
            raise Broken(f"positions cannot be reached: {site}")
        return known

    # --- players and dealer ---------------------------------------------------------------

    def play(self, hand: SeatedHand, leaving: tuple[str, ...]) -> tuple[Outcome, str]:
        """Seat its players and play a hand to its end; who leaves is told to while it runs."""
        self.seat(hand)
        log_start = len(self.commits)
        known = self.begin(hand)
        self.answer(hand)
        for player in leaving:
            self.tell(moved_away(player))
        for step in hand.recorded.steps:
            if isinstance(step, Moved):
                self.act(hand, step)
                self.answer(hand)
        if self.table.hand is not None:
            raise Broken("the record ends before the hand")
        self.bought = hand.bought
        log = [event for events in self.commits[log_start:] for event in events]
        return outcome(hand, log), known

    def answer(self, hand: SeatedHand) -> None:
        """Answer the dealer's part, and choose as recorded whether to show or to muck."""
        while self.table.hand is not None:
            if (asked := awaiting(self.table)) is not None:
                self.tell(answer(asked, hand))
            elif (choice := show_or_muck(self.table)) is not None:
                mucked = hand.seats.index(choice.seat) + 1 in hand.recorded.mucked
                kind = Muck if mucked else Show
                name = hand.recorded.name
                self.tell(kind(hand=name, player=choice.player, decision=choice.decision))
            else:
                return

    def act(self, hand: SeatedHand, step: Moved) -> None:
        """Take one recorded action; it has to be this player's, and a call the call due."""
        legal = legal_actions(self.table)
        if legal is None:
            raise Broken(f"{told(step)} is refused, the hand is over", step.number)
        if legal.seat != hand.seats[step.player - 1]:
            raise Broken(f"{told(step)} is refused: not_your_turn", step.number)
        if step.move == "call" and step.chips != legal.call_chips:
            raise Broken(f"{told(step)}, by the rules {legal.call_chips}", step.number)
        try:
            self.tell(ACTIONS[step.move](hand.recorded.name, legal, step))
        except Broken as broken:
            raise Broken(f"{told(step)} is {broken}", step.number) from None


def fold(hand: str, legal: LegalActions, _step: Moved) -> Action:
    return Fold(hand=hand, player=legal.player, decision=legal.decision)


def check(hand: str, legal: LegalActions, _step: Moved) -> Action:
    return Check(hand=hand, player=legal.player, decision=legal.decision)


def call(hand: str, legal: LegalActions, _step: Moved) -> Action:
    return Call(hand=hand, player=legal.player, decision=legal.decision)


def check_or_call(hand: str, legal: LegalActions, step: Moved) -> Action:
    return (call if legal.call_chips else check)(hand, legal, step)


def raise_to(hand: str, legal: LegalActions, step: Moved) -> Action:
    chips = step.chips or 0
    return RaiseTo(hand=hand, player=legal.player, decision=legal.decision, to_chips=chips)


ACTIONS: dict[str, Callable[[str, LegalActions, Moved], Action]] = {
    "fold": fold,
    "check": check,
    "call": call,
    "check_or_call": check_or_call,
    "raise_to": raise_to,
}


def seat_stacks(hand: SeatedHand) -> tuple[SeatStack, ...]:
    stacks = zip(hand.seats, hand.names, hand.recorded.stacks, strict=True)
    return tuple(sorted([SeatStack(*taken) for taken in stacks], key=lambda taken: taken.seat))


def moved_away(player: str) -> MoveDecided:
    return MoveDecided(
        tournament=TOURNAMENT,
        player=player,
        from_table=TABLE,
        to_table=ELSEWHERE,
        to_seat=1,
        reason="balance",
    )


def assigned(taken: SeatStack) -> SeatAssigned:
    return SeatAssigned(
        tournament=TOURNAMENT,
        player=taken.player,
        table=TABLE,
        seat=taken.seat,
        stack_chips=taken.stack_chips,
    )


def cleared(hand: SeatedHand, number: int, not_before_ms: int) -> HandCleared:
    record = hand.recorded
    return HandCleared(
        tournament=TOURNAMENT,
        table=TABLE,
        hand=record.name,
        number=number,
        level=Level(record.small_blind_chips, record.big_blind_chips, record.ante_chips),
        roster=tuple([DealtSeat(taken.seat, taken.player) for taken in seat_stacks(hand)]),
        not_before_ms=not_before_ms,
    )


def started(events: tuple[TableEvent, ...]) -> HandStarted:
    return next(event for event in events if isinstance(event, HandStarted))


def outcome(hand: SeatedHand, log: list[TableEvent]) -> Outcome:
    """Read the result off the events, seats turned back to players of the record."""
    player_at = {seat: player for player, seat in enumerate(hand.seats, 1)}
    pots, uncalled, stacks = [], [], {}
    for event in log:
        match event:
            case PotAwarded():
                shares = [(player_at[share.seat], share.chips) for share in event.shares]
                pots.append(tuple(sorted(shares)))
            case UncalledReturned():
                uncalled.append((player_at[event.seat], event.by_chips))
            case HandEnded():
                stacks = {player_at[seat.seat]: seat.stack_chips for seat in event.seats}
    final_stacks = tuple([stacks[player] for player in sorted(stacks)])
    return Outcome(tuple(pots), tuple(sorted(uncalled)), final_stacks)
