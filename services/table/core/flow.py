"""What a hand's step means for its table: the next turn, the system's own actions, the end."""

from msgspec.structs import replace

from services.table.core.evolve import evolve
from services.table.core.hand import (
    Hand,
    Stepped,
    actor,
    default_action,
    knock_outs,
    options,
)
from services.table.core.state import Table, Turn, opened, player_at
from services.table.core.time_bank import bank_used_by
from shared.contracts.hand import ChoiceStarted, HandEnded, SeatAtEnd, TurnStarted
from shared.contracts.table import SeatVacated, TableEvent
from shared.kernel.decider import Refused

Events = tuple[TableEvent, ...]
Step = tuple[Events, Table]


def recorded(table: Table, events: Events) -> Step:
    """Fold what was decided."""
    for event in events:
        table = evolve(table, event)
    return events, table


def after(events: Events, step: Step) -> Step:
    """Put these events, folded already, before a step's own."""
    return events + step[0], step[1]


def go_on(table: Table, stepped: Stepped | Refused, at_ms: int) -> Step | Refused:
    """Take over a hand's step, if it was not refused."""
    return stepped if isinstance(stepped, Refused) else went_on(table, stepped, at_ms)


def went_on(table: Table, stepped: Stepped, at_ms: int) -> Step:
    """Take over a hand's step, and act for players who are Out in the same commit (PP-OUT)."""
    if table.turn is not None and table.turn.bank_ms:
        used = bank_used_by(table, table.turn, at_ms)
        return after((used,), went_on(evolve(table, used), stepped, at_ms))
    events: Events
    events, hand = stepped
    while hand.asked is None:
        seat = actor(hand)
        if seat is None:
            seat = hand.choosing
        if seat is None:
            return after(events, ended(replace(table, hand=hand, turn=None), hand))
        if not (table.out and player_at(hand.started.seats, seat) in table.out):
            opens = next_turn(table, hand, at_ms) or next_choice(table, seat, at_ms)
            turn = Turn(seat, opens.decision, opens.act_by_ms, began_ms=at_ms)
            after_turn = replace(table, hand=hand, turn=turn, decisions=turn.decision)
            return (*events, opens), after_turn
        more, hand = default_action(hand, seat, "out")
        events += more
    return events, replace(table, hand=hand, turn=None)


def next_turn(table: Table, hand: Hand, at_ms: int) -> TurnStarted | None:
    """Open the next decision and start its clock (PP-CLOCK, BH-CLOCK)."""
    choice = options(hand)
    if choice is None:
        return None
    return TurnStarted(
        seat=choice.seat,
        decision=table.decisions + 1,
        act_by_ms=at_ms + opened(table).action_ms,
        call_chips=choice.call_chips,
        min_raise_to=choice.min_raise_to,
        max_raise_to=choice.max_raise_to,
    )


def next_choice(table: Table, seat: int, at_ms: int) -> ChoiceStarted:
    """Let a beaten seat show or muck, for as long as the rule set says (PP-SHOWDOWN)."""
    return ChoiceStarted(
        seat=seat,
        decision=table.decisions + 1,
        act_by_ms=at_ms + opened(table).rule_set.show_or_muck_ms,
    )


def ended(table: Table, hand: Hand) -> Step:
    """Close the hand; who has to move leaves now."""
    facts = opened(table)
    started = hand.started
    end = HandEnded(
        tournament=facts.tournament,
        table=facts.table,
        hand=started.hand,
        number=started.number,
        button_seat=started.button_seat,
        small_blind_seat=started.small_blind_seat,
        big_blind_seat=started.big_blind_seat,
        seats=seats_at_end(table, hand),
        knock_outs=knock_outs(hand),
    )
    after_end = evolve(table, end)
    return after((end,), recorded(after_end, vacated(after_end, after_end.leaving)))


def seats_at_end(table: Table, hand: Hand) -> tuple[SeatAtEnd, ...]:
    """Return everybody who was dealt in; who came meanwhile has played nothing yet."""
    return tuple(
        [
            SeatAtEnd(
                seat=taken.seat,
                player=taken.player,
                stack_chips=hand.stacks[taken.seat],
                out=taken.player in table.out,
            )
            for taken in table.seats
            if taken.seat in hand.order
        ]
    )


def vacated(table: Table, players: tuple[str, ...]) -> tuple[SeatVacated, ...]:
    """Let these players leave with their chips."""
    facts = opened(table)
    used = dict(table.bank_used)
    return tuple(
        [
            SeatVacated(
                tournament=facts.tournament,
                table=facts.table,
                seat=taken.seat,
                player=taken.player,
                stack_chips=taken.stack_chips,
                out=taken.player in table.out,
                time_bank_used_ms=used.get(taken.player, 0),
            )
            for taken in table.seats
            if taken.player in players
        ]
    )
