"""The two deadlines of a table: the start of a cleared hand, and the end of a turn."""

from services.table.core.evolve import evolve
from services.table.core.flow import Step, after, opened, recorded, went_on
from services.table.core.hand import Hand, check_or_fold, start_hand
from services.table.core.positions import next_positions
from services.table.core.state import Table, player_at
from shared.contracts.message import TimerFired
from shared.contracts.table import (
    HandScheduled,
    HandStarted,
    PlayerWentOut,
    SeatStack,
    TableEvent,
)

HAND = "hand"
TURN = "turn"


def timers(table: Table) -> tuple[tuple[str, int], ...]:
    """Return what is due when; a turn has no clock while a question is open."""
    if table.turn is not None:
        return ((TURN, table.turn.act_by_ms),)
    if table.scheduled is not None and table.hand is None:
        return ((HAND, table.scheduled.not_before_ms),)
    return ()


def fire(table: Table, firing: TimerFired, at_ms: int) -> Step:
    """A firing is a hint: only a deadline in the state that has passed counts."""
    due = dict(timers(table)).get(firing.name)
    if due is None or at_ms < due:
        return (), table
    if table.hand is not None:
        return time_up(table, table.hand, at_ms)
    if table.scheduled is not None:
        return begin_hand(table, table.scheduled)
    return (), table


def begin_hand(table: Table, coming: HandScheduled) -> Step:
    """Assign the positions, post antes and blinds, and ask for the cards."""
    live = tuple([dealt.seat for dealt in coming.roster])
    rules = opened(table).rule_set
    assigned = next_positions(rules, table.positions, live)
    stacks = {taken.seat: taken for taken in table.seats}
    started = HandStarted(
        hand=coming.hand,
        number=coming.number,
        small_blind_chips=coming.small_blind_chips,
        big_blind_chips=coming.big_blind_chips,
        ante_chips=coming.ante_chips,
        button_seat=assigned.button_seat,
        small_blind_seat=assigned.small_blind_seat,
        big_blind_seat=assigned.big_blind_seat,
        seats=tuple([stacks[seat] for seat in assigned.order]),
    )
    events, _ = start_hand(rules, started)
    return recorded(table, (started, *events))


def time_up(table: Table, hand: Hand, at_ms: int) -> Step:
    """Check if that is free, else fold (PP-CLOCK, BH-CLOCK); PP: and the player is Out."""
    seat = hand.to_act[0]
    events: tuple[TableEvent, ...] = ()
    if opened(table).rule_set.timeout_sets_out:
        went_out = went_out_at(hand.started.seats, seat)
        events, table = (went_out,), evolve(table, went_out)
    return after(events, went_on(table, check_or_fold(hand, seat, "clock"), at_ms))


def went_out_at(seats: tuple[SeatStack, ...], seat: int) -> PlayerWentOut:
    """Say who is Out."""
    return PlayerWentOut(player=player_at(seats, seat) or "", seat=seat)
