"""The deadlines of a table: the start of a cleared hand, the end of a turn or of a choice."""

from services.table.core.flow import Step, after, recorded, went_on
from services.table.core.hand import Hand, default_action, start_hand
from services.table.core.positions import next_positions
from services.table.core.seeds import due_ms, seeds_of
from services.table.core.state import Table, Turn, opened, player_at
from services.table.core.time_bank import bank_started
from shared.contracts.hand import HandScheduled, HandStarted
from shared.contracts.message import TimerFired
from shared.contracts.table import PlayerWentOut, TableEvent

HAND = "hand"
TURN = "turn"
MUCK = "muck"


def timers(table: Table) -> tuple[tuple[str, int], ...]:
    """Return what is due when; while a question is open there is nothing."""
    if table.turn is not None:
        choosing = table.hand is not None and table.hand.choosing is not None
        return ((MUCK if choosing else TURN, table.turn.act_by_ms),)
    if table.scheduled is None or table.hand is not None:
        return ()
    due = due_ms(table, table.scheduled)
    return () if due is None else ((HAND, due),)


def fire(table: Table, firing: TimerFired, at_ms: int) -> Step:
    """A firing is a hint: only a deadline in the state that has passed counts."""
    due = dict(timers(table)).get(firing.name)
    if due is None or at_ms < due:
        return (), table
    if table.hand is not None and table.turn is not None:
        return time_up(table, table.hand, table.turn, at_ms)
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
        level_number=coming.level_number,
    )
    events, _ = start_hand(rules, started, *seeds_of(table))
    return recorded(table, (started, *events))


def time_up(table: Table, hand: Hand, turn: Turn, at_ms: int) -> Step:
    """The time bank goes on; without one the system acts (PP-CLOCK, BH-CLOCK).

    In PP the player is then Out. Nobody is Out for letting a choice to show or muck pass.
    """
    if hand.choosing is None:
        bank = bank_started(table, turn, at_ms)
        if bank is not None:
            return recorded(table, (bank,))
    events: tuple[TableEvent, ...] = ()
    if hand.choosing is None and opened(table).rule_set.timeout_sets_out:
        player = player_at(hand.started.seats, turn.seat) or ""
        events, table = recorded(table, (PlayerWentOut(player=player, seat=turn.seat),))
    acted = default_action(hand, turn.seat, "clock")
    return after(events, went_on(table, acted, at_ms))
