"""How places are taken, and the finish."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.hall import Vacancy
from services.director.core.state import Tournament
from shared.contracts.director import (
    Placing,
    PlayerEliminated,
    PrizeDue,
    TournamentFinished,
)


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
        tables=tournament.tables.with_table(vacated),
    )


def prize_due(tournament: Tournament, event: PrizeDue) -> Tournament:
    placing = Placing(event.place, event.player, event.amount_cents)
    return replace(tournament, places=tournament.places.insert(event.place, placing))


def finished(tournament: Tournament, event: TournamentFinished) -> Tournament:
    places = tournament.places
    for placing in event.places:
        places = places.insert(placing.place, placing)
    return replace(tournament, phase="finished", places=places)


APPLY: Rows = {
    PlayerEliminated: player_eliminated,
    PrizeDue: prize_due,
    TournamentFinished: finished,
}
