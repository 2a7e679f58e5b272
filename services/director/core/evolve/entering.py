"""How entries change, and the draws that seat them."""

from msgspec.structs import replace

from services.director.core.evolve.bounties import with_bounty
from services.director.core.evolve.purchases import asked_for, paid_for, without_waiter
from services.director.core.evolve.rows import Rows
from services.director.core.hall import Table
from services.director.core.seating import (
    BUTTON_DRAW,
    HIGH_CARD_DRAW,
    SEATS_DRAW,
    button_by_draw,
    positions_before_first_hand,
    seat_by_draw,
)
from services.director.core.state import Pending, Question, Tournament
from shared.contracts.director import (
    DrawAwaited,
    DrawTaken,
    EntryAdmitted,
    EntryDeclined,
    EntryExpired,
    EntryFunded,
    EntryRequested,
    GuaranteeDue,
    PlayerRegistered,
    PlayerUnregistered,
    TableFormed,
    TournamentCreated,
    TournamentStarted,
)


def created(tournament: Tournament, event: TournamentCreated) -> Tournament:
    return replace(
        tournament,
        tournament=event.tournament,
        phase="registering",
        terms=event.terms,
        rules=event.rule_set,
    )


def entry_requested(tournament: Tournament, event: EntryRequested) -> Tournament:
    """Who was waiting for it waits no more."""
    asked = asked_for(tournament, event, Pending(event.entry, event.deadline_ms))
    return without_waiter(asked, event.player)


def entry_funded(tournament: Tournament, event: EntryFunded) -> Tournament:
    pending = replace(tournament.pending[event.player], funded=True)
    return replace(tournament, pending=tournament.pending.insert(event.player, pending))


def entry_admitted(tournament: Tournament, event: EntryAdmitted) -> Tournament:
    pending = replace(tournament.pending[event.player], admitted=True)
    return replace(tournament, pending=tournament.pending.insert(event.player, pending))


def entry_ended(tournament: Tournament, event: EntryDeclined | EntryExpired) -> Tournament:
    return replace(tournament, pending=tournament.pending.remove(event.player))


def player_registered(tournament: Tournament, event: PlayerRegistered) -> Tournament:
    """After the start a player more is in, or in again."""
    entered = paid_for(tournament, event.player, "entry")
    running = tournament.phase == "running"
    return replace(
        entered,
        registered=tournament.registered.insert(event.player, event.entry),
        left=tournament.left + 1 if running else tournament.left,
    )


def guarantee_due(tournament: Tournament, _: GuaranteeDue) -> Tournament:
    """The pool announced at the start has it already."""
    return tournament


def player_unregistered(tournament: Tournament, event: PlayerUnregistered) -> Tournament:
    return replace(
        tournament,
        registered=tournament.registered.remove(event.player),
        bounties=with_bounty(tournament, event.player, -tournament.agreed.bounty_cents),
        paid=tournament.paid.remove(event.player),
        sold=replace(tournament.sold, entries=tournament.sold.entries - 1),
    )


def started(tournament: Tournament, event: TournamentStarted) -> Tournament:
    return replace(
        tournament,
        phase="running",
        prizes_cents=event.prizes_cents,
        left=event.players,
    )


def draw_awaited(tournament: Tournament, event: DrawAwaited) -> Tournament:
    return replace(tournament, question=Question(event.purpose, event.candidates, event.unnamed))


def draw_taken(tournament: Tournament, event: DrawTaken) -> Tournament:
    """Seats and buttons are kept until the tables are formed; other draws are used at once."""
    answered = replace(tournament, question=None)
    if event.purpose == SEATS_DRAW:
        return replace(answered, seating=seat_by_draw(tournament, event), going_on=())
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
        last=positions_before_first_hand(event.seats, event.button_seat),
    )
    return replace(
        tournament,
        seating=tournament.seating[1:],
        buttons=tournament.buttons[1:],
        tables=tournament.tables.with_table(table),
        tables_formed=event.number,
    )


APPLY: Rows = {
    TournamentCreated: created,
    EntryRequested: entry_requested,
    EntryFunded: entry_funded,
    EntryAdmitted: entry_admitted,
    EntryDeclined: entry_ended,
    EntryExpired: entry_ended,
    PlayerRegistered: player_registered,
    PlayerUnregistered: player_unregistered,
    TournamentStarted: started,
    GuaranteeDue: guarantee_due,
    DrawAwaited: draw_awaited,
    DrawTaken: draw_taken,
    TableFormed: table_formed,
}
