"""What tables report: an ended hand is digested, a vacated seat becomes an assigned one."""

from services.director.core.commands import HandReported
from services.director.core.hall import Table
from services.director.core.state import Bust, TableContradictionError, Tournament
from shared.contracts.director import DirectorEvent, HandDigested, HandSetAside, SeatAssigned
from shared.contracts.hand import SeatStack
from shared.contracts.table import HandVoided, SeatVacated


def hand_id(tournament: Tournament, table: Table, number: int) -> str:
    """Name a hand after its tournament, its table's number and its own."""
    return f"hnd_{tournament.token}_{table.number}_{number}"


def digest(tournament: Tournament, report: HandReported, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Take in the hand that this table was cleared for; any other is an old story."""
    fact = report.fact
    table = tournament.tables.get(fact.table)
    if table is None or not table.playing or fact.number != table.hand:
        return ()
    seats = tuple(SeatStack(end.seat, end.player, end.stack_chips) for end in fact.seats)
    check_against_cleared(table, seats)
    return (
        HandDigested(
            tournament=tournament.tournament,
            table=fact.table,
            hand=fact.hand,
            number=fact.number,
            button_seat=fact.button_seat,
            small_blind_seat=fact.small_blind_seat,
            big_blind_seat=fact.big_blind_seat,
            seats=seats,
            outs=tuple(end.player for end in fact.seats if end.out and end.stack_chips),
            ended_at_ms=at_ms,
            upstream=report.upstream,
            upstream_number=report.number,
            knock_outs=fact.knock_outs,
        ),
    )


def check_against_cleared(table: Table, ended: tuple[SeatStack, ...]) -> None:
    """The players of the cleared roster, and their chips to the last one, must come back."""
    began = [held for held in table.seats if held.seat in table.dealt]
    if [(s.seat, s.player) for s in began] != sorted((s.seat, s.player) for s in ended):
        raise TableContradictionError(f"{table.table} ended a hand with other players")
    if sum(s.stack_chips for s in began) != sum(s.stack_chips for s in ended):
        raise TableContradictionError(f"{table.table} ended a hand with other chips")
    if any(s.stack_chips < 0 for s in ended):
        raise TableContradictionError(f"{table.table} ended a hand with negative chips")


def set_aside(tournament: Tournament, fact: HandVoided) -> tuple[DirectorEvent, ...]:
    """Take in an operator's word on the hand that is played; a table that halts says so itself."""
    table = tournament.tables.get(fact.table)
    if table is None or not table.playing or fact.number != table.hand or not fact.author:
        return ()
    return (
        HandSetAside(
            tournament=tournament.tournament,
            table=fact.table,
            hand=fact.hand,
            number=fact.number,
            author=fact.author,
            reason=fact.reason,
        ),
    )


def assign(tournament: Tournament, fact: SeatVacated) -> tuple[DirectorEvent, ...]:
    """Bring the chips that left one table to the seat decided on; not every chair that empties."""
    move = tournament.moves.get(fact.player)
    if move is None or move.from_table != fact.table:
        return ()
    if move.stack_chips != fact.stack_chips:
        raise TableContradictionError(f"{fact.player} left {fact.table} with other chips")
    return (
        SeatAssigned(
            tournament=tournament.tournament,
            player=fact.player,
            table=move.to_table,
            seat=move.to_seat,
            stack_chips=fact.stack_chips,
            out=fact.out,
            time_bank_used_ms=fact.time_bank_used_ms,
        ),
    )


def busts_of(table: Table, hand: HandDigested) -> tuple[Bust, ...]:
    """Return who has no chips left, with what decides between them (PP-TIES)."""
    at_start = {held.seat: held.stack_chips for held in table.seats}
    player_at = {end.seat: end.player for end in hand.seats}
    by = {fallen.seat: fallen.by for fallen in hand.knock_outs}
    return tuple(
        Bust(
            player=end.player,
            table=table.table,
            hand=hand.hand,
            seat=end.seat,
            chips_at_start=at_start[end.seat],
            from_dealer=(end.seat - hand.button_seat) % table.seats_max,
            by=tuple(player_at[seat] for seat in by.get(end.seat, ())),
        )
        for end in hand.seats
        if end.stack_chips == 0
    )
