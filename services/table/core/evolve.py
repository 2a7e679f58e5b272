"""A table's history folded to state: never refuses, never branches on what is legal."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from services.table.core import hand as hands
from services.table.core.state import Doubt, Positions, Seeding, Table, Turn, opened
from shared.contracts.hand import (
    AntePosted,
    BlindPosted,
    BoardAwaited,
    BoardDealt,
    ChoiceStarted,
    ClockExtended,
    DealAwaited,
    HandBeaten,
    HandEnded,
    HandMucked,
    HandScheduled,
    HandsDealt,
    HandShown,
    HandStarted,
    OpeningAwaited,
    PlayerCalled,
    PlayerChecked,
    PlayerFolded,
    PlayerRaised,
    PotAwarded,
    PromiseAwaited,
    SeatStack,
    SeedGiven,
    SeedsInvited,
    TimeBankStarted,
    TimeBankUsed,
    TurnStarted,
    UncalledReturned,
    ViewAwaited,
)
from shared.contracts.table import (
    ChipsAdded,
    HandDoubted,
    HandVoided,
    PlayerCameBack,
    PlayerLeaving,
    PlayerWentOut,
    Said,
    SeatTaken,
    SeatVacated,
    TableClosed,
    TableEvent,
    TableHalted,
    TableOpened,
    TableWentOn,
)
from shared.kernel.outages import with_credit


def evolve(table: Table, event: TableEvent) -> Table:
    """Apply one recorded fact."""
    return EVOLVE[type(event)](table, event)


def table_opened(_table: Table, event: TableOpened) -> Table:
    return Table(
        opened=event, seats=event.seats, positions=Positions(button_seat=event.button_seat)
    )


def seat_taken(table: Table, event: SeatTaken) -> Table:
    taken = SeatStack(event.seat, event.player, event.stack_chips)
    seats = sorted((*table.seats, taken), key=lambda seat: seat.seat)
    out = (*table.out, event.player) if event.out else table.out
    brought = event.time_bank_used_ms
    used = (*table.bank_used, (event.player, brought)) if brought else table.bank_used
    return replace(table, seats=tuple(seats), out=out, bank_used=used)


def seat_vacated(table: Table, event: SeatVacated) -> Table:
    return without(table, (event.player,))


def without(table: Table, players: tuple[str, ...]) -> Table:
    """Forget players who sit here no more."""
    return replace(
        table,
        seats=tuple([taken for taken in table.seats if taken.player not in players]),
        out=tuple([player for player in table.out if player not in players]),
        leaving=tuple([player for player in table.leaving if player not in players]),
        bank_used=tuple([used for used in table.bank_used if used[0] not in players]),
        spoke=tuple([spoke for spoke in table.spoke if spoke[0] not in players]),
    )


def chips_added(table: Table, event: ChipsAdded) -> Table:
    seats = [
        replace(held, stack_chips=held.stack_chips + event.chips)
        if held.seat == event.seat
        else held
        for held in table.seats
    ]
    return replace(table, seats=tuple(seats), bought=(*table.bought, event.entry))


def player_leaving(table: Table, event: PlayerLeaving) -> Table:
    return replace(table, leaving=(*table.leaving, event.player))


def player_went_out(table: Table, event: PlayerWentOut) -> Table:
    return replace(table, out=(*table.out, event.player))


def player_came_back(table: Table, event: PlayerCameBack) -> Table:
    return replace(table, out=tuple([player for player in table.out if player != event.player]))


def said(table: Table, event: Said) -> Table:
    """Kept is when, never what."""
    others = [spoke for spoke in table.spoke if spoke[0] != event.player]
    return replace(table, spoke=(*others, (event.player, event.at_ms)))


def table_closed(table: Table, _event: TableClosed) -> Table:
    return replace(table, scheduled=None, seeding=None, closed=True)


def hand_voided(table: Table, _event: HandVoided) -> Table:
    """`seats` has the chips as they were when the hand began."""
    return replace(
        table, hand=None, scheduled=None, seeding=None, turn=None, decisions=0, doubt=None
    )


def hand_doubted(table: Table, event: HandDoubted) -> Table:
    return replace(table, doubt=Doubt(event.question, event.at_ms))


def table_halted(table: Table, _event: TableHalted) -> Table:
    return replace(table, halted=True)


def table_went_on(table: Table, _event: TableWentOn) -> Table:
    return replace(table, halted=False)


def hand_scheduled(table: Table, event: HandScheduled) -> Table:
    return replace(table, scheduled=event, cleared=event.number)


def promise_awaited(table: Table, _event: PromiseAwaited) -> Table:
    return replace(table, seeding=Seeding())


def seeds_invited(table: Table, event: SeedsInvited) -> Table:
    return replace(table, seeding=Seeding(event.promise, event.until_ms))


def seed_given(table: Table, event: SeedGiven) -> Table:
    assert table.seeding is not None
    seeding = replace(table.seeding, given=(*table.seeding.given, event))
    return replace(table, seeding=seeding)


def hand_started(table: Table, event: HandStarted) -> Table:
    assert table.opened is not None
    return replace(
        table,
        hand=hands.new_hand(table.opened.rule_set, event),
        scheduled=None,
        seeding=None,
        decisions=0,
    )


def turn_started(table: Table, event: TurnStarted) -> Table:
    return decision_opened(table, event, opened(table).action_ms)


def choice_started(table: Table, event: ChoiceStarted) -> Table:
    return decision_opened(table, event, opened(table).rule_set.show_or_muck_ms)


def decision_opened(table: Table, event: TurnStarted | ChoiceStarted, clock_ms: int) -> Table:
    """A decision begins as long before its deadline as its clock is."""
    turn = Turn(event.seat, event.decision, event.act_by_ms, event.act_by_ms - clock_ms)
    return replace(table, turn=turn, decisions=event.decision)


def time_bank_started(table: Table, event: TimeBankStarted) -> Table:
    assert table.turn is not None
    turn = replace(table.turn, act_by_ms=event.act_by_ms, bank_ms=event.left_ms)
    return replace(table, turn=turn)


def clock_extended(table: Table, event: ClockExtended) -> Table:
    turn = table.turn
    assert turn is not None
    extended = replace(
        turn,
        act_by_ms=event.act_by_ms,
        credited=with_credit(turn.credited, event.down_from_ms, event.up_at_ms),
        player_credit_ms=turn.player_credit_ms + event.by_ms * (event.outage == "player"),
    )
    return replace(table, turn=extended)


def time_bank_used(table: Table, event: TimeBankUsed) -> Table:
    """The turn that ran on the bank ends in the same commit."""
    before = dict(table.bank_used).get(event.player, 0)
    others = [used for used in table.bank_used if used[0] != event.player]
    used = (*others, (event.player, before + event.by_ms))
    return replace(table, turn=None, bank_used=used)


def in_hand(table: Table, event: hands.HandEvent) -> Table:
    assert table.hand is not None
    return replace(table, hand=hands.evolve(table.hand, event))


def seat_acted(table: Table, event: hands.HandEvent) -> Table:
    assert table.hand is not None
    return replace(table, hand=hands.evolve(table.hand, event), turn=None)


def hand_ended(table: Table, event: HandEnded) -> Table:
    """Who has no chips left is gone; the positions stay for the next hand (PP-DEADBUTTON)."""
    assert table.hand is not None
    due = event.small_blind_seat
    stacks = {seat.seat: seat.stack_chips for seat in event.seats}
    ended = replace(
        table,
        seats=tuple(
            [SeatStack(t.seat, t.player, stacks.get(t.seat, t.stack_chips)) for t in table.seats]
        ),
        positions=Positions(
            button_seat=event.button_seat,
            small_due_seat=table.positions.big_blind_seat if due is None else due,
            big_blind_seat=event.big_blind_seat,
            played="heads_up" if len(table.hand.order) == 2 else "ring",
        ),
        hand=None,
    )
    return without(ended, tuple([seat.player for seat in event.seats if not seat.stack_chips]))


EVOLVE: dict[type, Callable[[Table, Any], Table]] = {
    TableOpened: table_opened,
    SeatTaken: seat_taken,
    SeatVacated: seat_vacated,
    ChipsAdded: chips_added,
    PlayerLeaving: player_leaving,
    PlayerWentOut: player_went_out,
    PlayerCameBack: player_came_back,
    Said: said,
    TableClosed: table_closed,
    HandDoubted: hand_doubted,
    HandVoided: hand_voided,
    TableHalted: table_halted,
    TableWentOn: table_went_on,
    HandScheduled: hand_scheduled,
    PromiseAwaited: promise_awaited,
    SeedsInvited: seeds_invited,
    SeedGiven: seed_given,
    HandStarted: hand_started,
    AntePosted: in_hand,
    BlindPosted: in_hand,
    DealAwaited: in_hand,
    HandsDealt: in_hand,
    TurnStarted: turn_started,
    TimeBankStarted: time_bank_started,
    TimeBankUsed: time_bank_used,
    ClockExtended: clock_extended,
    PlayerFolded: seat_acted,
    PlayerChecked: seat_acted,
    PlayerCalled: seat_acted,
    PlayerRaised: seat_acted,
    BoardAwaited: in_hand,
    BoardDealt: in_hand,
    UncalledReturned: in_hand,
    ViewAwaited: in_hand,
    OpeningAwaited: seat_acted,
    HandShown: in_hand,
    HandBeaten: in_hand,
    ChoiceStarted: choice_started,
    HandMucked: seat_acted,
    PotAwarded: in_hand,
    HandEnded: hand_ended,
}
