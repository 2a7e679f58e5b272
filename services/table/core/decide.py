"""The table's decisions: every command comes in here, and `step` decides and folds at once.

A player's action is refused for the first of these that holds:

    unknown_hand         no hand runs here, or another one
    not_seated           the player has no seat at this table
    not_dealt_in         the player has a seat, but no cards in this hand
    decision_passed      the decision was taken, by the player or by the clock
    decision_not_open    it is yet to come; while a question is open there is none
    no_choice_open       Show, Muck: the decision is another one
    not_your_turn        another seat decides, or the decision is to show or muck
    cannot_check         Check: there is something to call
    nothing_to_call      Call: there is nothing
    amount_must_be_positive, raise_not_allowed, not_enough_chips, raise_above_maximum,
    raise_below_minimum  RaiseTo, in this order

Why a seed is refused stands in `seeds.py`, why a message is in `chat.py`, and why an operator who
gives a hand up in `voiding.py`.
"""

from collections.abc import Callable
from typing import Any

from services.table.core.answers import take_board, take_hands, take_openings, take_view
from services.table.core.chat import say
from services.table.core.clock import fire
from services.table.core.evolve import evolve
from services.table.core.facts import (
    add_chips,
    close_table,
    let_go,
    open_table,
    schedule_hand,
    take_seat,
)
from services.table.core.flow import Step, after, go_on, recorded, went_on
from services.table.core.halting import go_on_again, halt
from services.table.core.hand import (
    Hand,
    call,
    check,
    default_action,
    fold,
    muck,
    raise_to,
    show,
)
from services.table.core.legal import is_live
from services.table.core.outages import credit_player, outage_over
from services.table.core.questions import SeatSeen
from services.table.core.seeds import give_seed, take_promise
from services.table.core.state import Table, seat_of
from services.table.core.voiding import void_hand
from shared.contracts.dealer import DealtBoard, DealtHands, OpenedSeats, PromisedDeck
from shared.contracts.director import (
    ChipsAssigned,
    HandCleared,
    MoveDecided,
    SeatAssigned,
    TableBroken,
    TableFormed,
    TableHalting,
    TableReleased,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.table import (
    Action,
    Call,
    Check,
    ComeBack,
    CreditPlayer,
    Fold,
    GiveSeed,
    GoOut,
    Muck,
    PlayerCameBack,
    PlayerWentOut,
    RaiseTo,
    Say,
    Show,
    TableRequest,
    VoidHand,
)
from shared.kernel.decider import Refused

TableFact = (
    TableFormed
    | HandCleared
    | MoveDecided
    | SeatAssigned
    | ChipsAssigned
    | TableBroken
    | TableHalting
    | TableReleased
)
TableAnswer = PromisedDeck | DealtHands | DealtBoard | OpenedSeats | SeatSeen
TableCommand = TableRequest | TableFact | TableAnswer | TimerFired | OutageOver

NOT_SEATED = Refused("not_seated")


def step(table: Table, command: TableCommand, at_ms: int) -> Step | Refused:
    """Decide one command, and return the state after it."""
    return STEP[type(command)](table, command, at_ms)


def in_time(table: Table, action: Action) -> tuple[Hand, int] | Refused:
    """Return the hand and the seat of a player; that it is this seat's turn, the hand checks."""
    hand, turn = table.hand, table.turn
    if hand is None or hand.started.hand != action.hand:
        return Refused("unknown_hand")
    seat = seat_of(hand.started.seats, action.player)
    if seat is None:
        seated = seat_of(table.seats, action.player) is not None
        return Refused("not_dealt_in") if seated else NOT_SEATED
    passed = table.decisions if turn is None else turn.decision - 1
    if action.decision <= passed:
        return Refused("decision_passed")
    if turn is None or action.decision > turn.decision:
        return Refused("decision_not_open")
    return hand, seat


def play_fold(table: Table, action: Fold, at_ms: int) -> Step | Refused:
    acting = in_time(table, action)
    return acting if isinstance(acting, Refused) else go_on(table, fold(*acting), at_ms)


def play_check(table: Table, action: Check, at_ms: int) -> Step | Refused:
    acting = in_time(table, action)
    return acting if isinstance(acting, Refused) else go_on(table, check(*acting), at_ms)


def play_call(table: Table, action: Call, at_ms: int) -> Step | Refused:
    acting = in_time(table, action)
    return acting if isinstance(acting, Refused) else go_on(table, call(*acting), at_ms)


def play_raise(table: Table, action: RaiseTo, at_ms: int) -> Step | Refused:
    acting = in_time(table, action)
    if isinstance(acting, Refused):
        return acting
    return go_on(table, raise_to(*acting, action.to_chips), at_ms)


def play_show(table: Table, action: Show, at_ms: int) -> Step | Refused:
    acting = in_time(table, action)
    return acting if isinstance(acting, Refused) else go_on(table, show(*acting), at_ms)


def play_muck(table: Table, action: Muck, at_ms: int) -> Step | Refused:
    acting = in_time(table, action)
    return acting if isinstance(acting, Refused) else go_on(table, muck(*acting), at_ms)


def go_out(table: Table, command: GoOut, at_ms: int) -> Step | Refused:
    """Out at any time; on the player's own turn the system acts at once (PP-OUT)."""
    seat = seat_of(table.seats, command.player)
    if seat is None or not is_live(table):
        return NOT_SEATED
    if command.player in table.out:
        return (), table
    went_out = PlayerWentOut(player=command.player, seat=seat)
    table = evolve(table, went_out)
    if table.hand is None or table.turn is None or table.turn.seat != seat:
        return (went_out,), table
    acted = default_action(table.hand, seat, "out")
    return after((went_out,), went_on(table, acted, at_ms))


def come_back(table: Table, command: ComeBack, _at_ms: int) -> Step | Refused:
    """Back at any time (PP-OUT)."""
    seat = seat_of(table.seats, command.player)
    if seat is None or not is_live(table):
        return NOT_SEATED
    if command.player not in table.out:
        return (), table
    return recorded(table, (PlayerCameBack(player=command.player, seat=seat),))


STEP: dict[type, Callable[[Table, Any, int], Step | Refused]] = {
    Fold: play_fold,
    Check: play_check,
    Call: play_call,
    RaiseTo: play_raise,
    Show: play_show,
    Muck: play_muck,
    GiveSeed: give_seed,
    GoOut: go_out,
    ComeBack: come_back,
    Say: say,
    CreditPlayer: credit_player,
    VoidHand: void_hand,
    TableFormed: open_table,
    HandCleared: schedule_hand,
    MoveDecided: let_go,
    SeatAssigned: take_seat,
    ChipsAssigned: add_chips,
    TableBroken: close_table,
    TableHalting: halt,
    TableReleased: go_on_again,
    PromisedDeck: take_promise,
    DealtHands: take_hands,
    DealtBoard: take_board,
    OpenedSeats: take_openings,
    SeatSeen: take_view,
    TimerFired: fire,
    OutageOver: outage_over,
}
