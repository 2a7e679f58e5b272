"""How places are taken, and the finish."""

from msgspec.structs import replace

from services.director.core.evolve.purchases import without_offer
from services.director.core.evolve.rows import Rows
from services.director.core.hall import Vacancy
from services.director.core.state import Bust, Tournament
from shared.contracts.director import (
    PlacesTold,
    Placing,
    PlayerBusted,
    PlayerEliminated,
    PrizeDue,
    TournamentFinished,
)


def player_busted(tournament: Tournament, event: PlayerBusted) -> Tournament:
    """Out, without a place yet; after an offer that lapsed the chair is free from now on."""
    if event.player in tournament.offers:
        seat = tournament.offers[event.player].seat
        return gone(without_offer(tournament, event.player), event.table, seat)
    bust, rest = taken_from_round(tournament, event.player)
    busted = replace(tournament, unranked=rest, busted=(*tournament.busted, bust))
    return gone(busted, event.table, bust.seat)


def player_eliminated(tournament: Tournament, event: PlayerEliminated) -> Tournament:
    """Note the place, and the vacated seat of who was not out before.

    Those who were get their places first, in the order of their going.
    """
    placing = Placing(event.place, event.player, 0)
    placed = replace(tournament, places=tournament.places.insert(event.place, placing))
    if tournament.busted:
        return replace(placed, busted=tournament.busted[1:])
    bust, rounds = taken_from_round(tournament, event.player)
    return gone(replace(placed, unranked=rounds), event.table, bust.seat)


def taken_from_round(
    tournament: Tournament, player: str
) -> tuple[Bust, tuple[tuple[Bust, ...], ...]]:
    """Take a player out of the oldest round."""
    oldest, *later = tournament.unranked
    bust = next(bust for bust in oldest if bust.player == player)
    waiting = tuple(bust for bust in oldest if bust.player != player)
    return bust, (waiting, *later) if waiting else tuple(later)


def gone(tournament: Tournament, name: str, seat: int) -> Tournament:
    """Count a player out, and note the vacated seat.

    It may have been given away already, while the place waited for a draw.
    """
    nth = tournament.outs + 1
    table = tournament.tables[name]
    free = (Vacancy(seat, nth),) if seat in table.free_seats else ()
    vacated = replace(table, vacancies=table.vacancies + free, last_out=nth)
    return replace(
        tournament,
        left=tournament.left - 1,
        outs=nth,
        tables=tournament.tables.with_table(vacated),
    )


def prize_due(tournament: Tournament, event: PrizeDue) -> Tournament:
    placing = Placing(event.place, event.player, event.amount_cents)
    return replace(tournament, places=tournament.places.insert(event.place, placing))


def places_told(tournament: Tournament, event: PlacesTold | TournamentFinished) -> Tournament:
    places = {placing.place: placing for placing in event.places}
    return replace(tournament, places=tournament.places.update(places))


def finished(tournament: Tournament, event: TournamentFinished) -> Tournament:
    return replace(places_told(tournament, event), phase="finished")


APPLY: Rows = {
    PlayerBusted: player_busted,
    PlayerEliminated: player_eliminated,
    PrizeDue: prize_due,
    PlacesTold: places_told,
    TournamentFinished: finished,
}
