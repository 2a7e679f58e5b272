"""A tournament's history folded to state: one small function per event, none of them refuses."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from services.director.core.hands import busts_of
from services.director.core.seating import (
    BUTTON_DRAW,
    HIGH_CARD_DRAW,
    SEATS_DRAW,
    button_by_draw,
    positions_before_first_hand,
    seat_by_draw,
)
from services.director.core.state import (
    Bust,
    Move,
    Pending,
    Positions,
    Question,
    Table,
    Tournament,
    Vacancy,
)
from shared.contracts.director import (
    BreakBegan,
    BreakExtended,
    ClockExtended,
    DirectorEvent,
    DrawAwaited,
    DrawTaken,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    HandCleared,
    HandDigested,
    HandForHandBegan,
    LevelBegan,
    MoveDecided,
    Placing,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    SeatAssigned,
    TableBroken,
    TableClosing,
    TableFormed,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from shared.contracts.director_money import GuaranteeDue
from shared.contracts.hand import SeatStack
from shared.kernel.outages import Stretch, left_of, with_credit


def evolve(tournament: Tournament, event: DirectorEvent) -> Tournament:
    """Apply one recorded fact."""
    return APPLY[type(event)](tournament, event)


def with_table(tournament: Tournament, table: Table) -> dict[str, Table]:
    """Return the tables with this one as it is now."""
    return {**tournament.tables, table.table: table}


# --- entries --------------------------------------------------------------------------------


def created(tournament: Tournament, event: TournamentCreated) -> Tournament:
    return replace(
        tournament,
        tournament=event.tournament,
        phase="registering",
        terms=event.terms,
        rules=event.rule_set,
    )


def entry_requested(tournament: Tournament, event: EntryRequested) -> Tournament:
    times = (tournament.bought.get(event.player) or 0) + 1
    return replace(
        tournament,
        bought=tournament.bought.insert(event.player, times),
        pending=tournament.pending.insert(event.player, Pending(event.entry, event.deadline_ms)),
    )


def entry_ended(tournament: Tournament, event: EntryDeclined | EntryExpired) -> Tournament:
    return replace(tournament, pending=tournament.pending.remove(event.player))


def player_registered(tournament: Tournament, event: PlayerRegistered) -> Tournament:
    return replace(
        tournament,
        pending=tournament.pending.remove(event.player),
        registered=tournament.registered.insert(event.player, event.entry),
    )


def cancelled(tournament: Tournament, _: TournamentCancelled) -> Tournament:
    return replace(tournament, phase="cancelled")


def guarantee_due(tournament: Tournament, _: GuaranteeDue) -> Tournament:
    """The pool announced at the start has it already."""
    return tournament


def player_unregistered(tournament: Tournament, event: PlayerUnregistered) -> Tournament:
    return replace(tournament, registered=tournament.registered.remove(event.player))


# --- start and draws ------------------------------------------------------------------------


def started(tournament: Tournament, event: TournamentStarted) -> Tournament:
    return replace(
        tournament,
        phase="running",
        prizes_cents=event.prizes_cents,
        left=len(event.players),
    )


def draw_awaited(tournament: Tournament, event: DrawAwaited) -> Tournament:
    return replace(tournament, question=Question(event.purpose, event.candidates))


def draw_taken(tournament: Tournament, event: DrawTaken) -> Tournament:
    """Seats and buttons are kept until the tables are formed; other draws are used at once."""
    answered = replace(tournament, question=None)
    terms = tournament.agreed
    if event.purpose == SEATS_DRAW:
        return replace(answered, seating=seat_by_draw(event, terms.seats, terms.starting_chips))
    if event.purpose.startswith((BUTTON_DRAW, HIGH_CARD_DRAW)):
        button = button_by_draw(event, tournament.seating[len(tournament.buttons)])
        return replace(answered, buttons=(*answered.buttons, button))
    return answered


def table_formed(tournament: Tournament, event: TableFormed) -> Tournament:
    table = Table(
        table=event.table,
        number=event.number,
        seats_max=event.seats_max,
        seats=event.seats,
        last_place=tournament.agreed.entries + 1,
        last=positions_before_first_hand(event.seats, event.button_seat),
    )
    return replace(
        tournament,
        seating=tournament.seating[1:],
        buttons=tournament.buttons[1:],
        tables=with_table(tournament, table),
    )


# --- hands ----------------------------------------------------------------------------------


def level_began(tournament: Tournament, event: LevelBegan) -> Tournament:
    return replace(
        tournament,
        level=event.number,
        level_ends_ms=event.ends_at_ms,
        level_credited=(),
        hands_in_level=0,
        resting=False,
    )


def break_began(tournament: Tournament, event: BreakBegan) -> Tournament:
    return replace(
        tournament,
        level_ends_ms=event.ends_at_ms,
        level_credited=(),
        resting=True,
        rested_after=event.after_level,
    )


def clock_extended(tournament: Tournament, event: ClockExtended | BreakExtended) -> Tournament:
    credited = with_credit(tournament.level_credited, event.down_from_ms, event.up_at_ms)
    return replace(tournament, level_ends_ms=event.ends_at_ms, level_credited=credited)


def paused(tournament: Tournament, event: TournamentPaused) -> Tournament:
    return replace(tournament, paused_ms=event.at_ms)


def resumed(tournament: Tournament, event: TournamentResumed) -> Tournament:
    """What of the pause had not been given back yet now is."""
    credited = tournament.level_credited
    began_ms = event.at_ms if tournament.paused_ms is None else tournament.paused_ms
    for left in left_of(Stretch(began_ms, event.at_ms), credited):
        credited = with_credit(credited, left.from_ms, left.to_ms)
    ends_ms = event.ends_at_ms
    return replace(tournament, paused_ms=None, level_ends_ms=ends_ms, level_credited=credited)


def hand_cleared(tournament: Tournament, event: HandCleared) -> Tournament:
    table = tournament.tables[event.table]
    same_level = table.level == tournament.level
    cleared = replace(
        table,
        hand=event.number,
        playing=True,
        dealt=tuple(dealt.seat for dealt in event.roster),
        level=tournament.level,
        hands_in_level=table.hands_in_level if same_level else 0,
    )
    return replace(tournament, tables=with_table(tournament, cleared))


def hand_digested(tournament: Tournament, event: HandDigested) -> Tournament:
    """Take the stacks; whoever has none has left the table and waits for a place."""
    before = tournament.tables[event.table]
    ended_as = tournament.hands_digested + 1
    hands_in_level = before.hands_in_level + 1
    table = replace(
        before,
        seats=seats_after(before, event),
        outs=event.outs,
        last=Positions(
            event.button_seat, event.small_blind_seat, event.big_blind_seat, before.dealt
        ),
        playing=False,
        hands_in_level=hands_in_level,
        ended_at_ms=event.ended_at_ms,
        ended_as=ended_as,
    )
    in_this_level = hands_in_level if before.level == tournament.level else 0
    return replace(
        tournament,
        tables=with_table(tournament, table),
        unranked=unranked_after(tournament, busts_of(before, event)),
        hands_digested=ended_as,
        hands_in_level=max(tournament.hands_in_level, in_this_level),
    )


def seats_after(table: Table, event: HandDigested) -> tuple[SeatStack, ...]:
    """Keep who arrived during the hand, and who still has chips after it."""
    arrived = (held for held in table.seats if held.seat not in table.dealt)
    still_in = (held for held in event.seats if held.stack_chips > 0)
    return by_seat((*arrived, *still_in))


def by_seat(seats: tuple[SeatStack, ...]) -> tuple[SeatStack, ...]:
    """Order by the number of the seat."""
    return tuple(sorted(seats, key=lambda held: held.seat))


def unranked_after(tournament: Tournament, busts: tuple[Bust, ...]) -> tuple[tuple[Bust, ...], ...]:
    """Every hand with busts is a round of its own; hand for hand they join the open round."""
    rounds = tournament.unranked
    if not busts:
        return rounds
    if tournament.hand_for_hand and rounds:
        return (*rounds[:-1], rounds[-1] + busts)
    return (*rounds, busts)


def hand_for_hand_began(tournament: Tournament, _: HandForHandBegan) -> Tournament:
    return replace(tournament, hand_for_hand=True)


# --- moves ----------------------------------------------------------------------------------


def move_decided(tournament: Tournament, event: MoveDecided) -> Tournament:
    """The chips leave one table's sheet and stand on the other's as arriving, in one event."""
    source, target = tournament.tables[event.from_table], tournament.tables[event.to_table]
    stack = next(held.stack_chips for held in source.seats if held.player == event.player)
    left_behind = replace(
        source,
        seats=tuple(held for held in source.seats if held.player != event.player),
        departing=source.departing + 1,
    )
    awaited = replace(
        target,
        arriving=(*target.arriving, SeatStack(event.to_seat, event.player, stack)),
        vacancies=tuple(v for v in target.vacancies if v.seat != event.to_seat),
    )
    move = Move(event.from_table, event.to_table, event.to_seat, stack)
    return replace(
        tournament,
        tables={**with_table(tournament, left_behind), awaited.table: awaited},
        moves=tournament.moves.insert(event.player, move),
    )


def seat_assigned(tournament: Tournament, event: SeatAssigned) -> Tournament:
    move = tournament.moves[event.player]
    source, target = tournament.tables[move.from_table], tournament.tables[event.table]
    arrived = SeatStack(event.seat, event.player, event.stack_chips)
    seated = replace(
        target,
        seats=by_seat((*target.seats, arrived)),
        arriving=tuple(held for held in target.arriving if held.player != event.player),
        outs=(*target.outs, event.player) if event.out else target.outs,
    )
    left_behind = replace(source, departing=source.departing - 1)
    return replace(
        tournament,
        tables={**with_table(tournament, left_behind), seated.table: seated},
        moves=tournament.moves.remove(event.player),
    )


def table_closing(tournament: Tournament, event: TableClosing) -> Tournament:
    return replace(tournament, closing=(*tournament.closing, event.table))


def table_broken(tournament: Tournament, event: TableBroken) -> Tournament:
    chips = sum(held.stack_chips for held in tournament.tables[event.table].seats)
    return replace(
        tournament,
        chips_won=chips,
        tables={name: held for name, held in tournament.tables.items() if name != event.table},
        closing=tuple(name for name in tournament.closing if name != event.table),
    )


# --- places ---------------------------------------------------------------------------------


def player_eliminated(tournament: Tournament, event: PlayerEliminated) -> Tournament:
    """Note the place and the vacated seat.

    The seat may have been given away already, while the place waited for a draw.
    """
    oldest, *later = tournament.unranked
    seat = next(bust.seat for bust in oldest if bust.player == event.player)
    waiting = tuple(bust for bust in oldest if bust.player != event.player)
    table = tournament.tables[event.table]
    free = (Vacancy(seat, event.place),) if seat in table.free_seats else ()
    vacated = replace(table, vacancies=table.vacancies + free, last_place=event.place)
    return replace(
        tournament,
        left=tournament.left - 1,
        unranked=(waiting, *later) if waiting else tuple(later),
        places=tournament.places.insert(event.place, Placing(event.place, event.player, 0)),
        tables=with_table(tournament, vacated),
    )


def prize_due(tournament: Tournament, event: PrizeDue) -> Tournament:
    placing = Placing(event.place, event.player, event.amount_cents)
    return replace(tournament, places=tournament.places.insert(event.place, placing))


def finished(tournament: Tournament, event: TournamentFinished) -> Tournament:
    places = tournament.places.insert(1, event.places[0])
    return replace(tournament, phase="finished", places=places)


APPLY: dict[type[DirectorEvent], Callable[[Tournament, Any], Tournament]] = {
    TournamentCreated: created,
    EntryRequested: entry_requested,
    EntryDeclined: entry_ended,
    EntryExpired: entry_ended,
    PlayerRegistered: player_registered,
    PlayerUnregistered: player_unregistered,
    TournamentCancelled: cancelled,
    TournamentStarted: started,
    GuaranteeDue: guarantee_due,
    DrawAwaited: draw_awaited,
    DrawTaken: draw_taken,
    TableFormed: table_formed,
    LevelBegan: level_began,
    ClockExtended: clock_extended,
    BreakBegan: break_began,
    BreakExtended: clock_extended,
    TournamentPaused: paused,
    TournamentResumed: resumed,
    HandCleared: hand_cleared,
    HandDigested: hand_digested,
    HandForHandBegan: hand_for_hand_began,
    MoveDecided: move_decided,
    SeatAssigned: seat_assigned,
    TableClosing: table_closing,
    TableBroken: table_broken,
    PlayerEliminated: player_eliminated,
    PrizeDue: prize_due,
    TournamentFinished: finished,
}
