"""Who may buy into stage 1 again: players out in stage 1 or 2, whoever has nothing left to win.

Who is out in a later stage may not any more.
"""

from collections.abc import Iterator

from services.director.core.satellite import full_prizes_of
from services.director.core.state import Tournament
from shared.contracts.director import LeftBigShoot

LAST_TO_BUY_AGAIN = 2


def out(tournament: Tournament, player: str, place: int) -> Iterator[LeftBigShoot]:
    """A player who is out in stage 1 or 2 is free at once, if the place does not qualify."""
    if frees_at_once(tournament) and place > full_prizes_of(tournament):
        yield from left(tournament, (player,))


def frees_at_once(tournament: Tournament) -> bool:
    """Tell whether this is one of the stages whose players may begin anew."""
    stage = tournament.agreed.big_shoot
    return stage is not None and stage.stage <= LAST_TO_BUY_AGAIN


def still_bound(tournament: Tournament) -> tuple[str, ...]:
    """Return who is not out, and goes on nowhere when this stage ends without a next one."""
    last = full_prizes_of(tournament)
    gone = {placing.player for placing in tournament.places.values() if placing.place > last}
    return tuple(player for player in tournament.registered if player not in gone)


def left(tournament: Tournament, players: tuple[str, ...]) -> Iterator[LeftBigShoot]:
    """Say that these are free, if there are any."""
    name, series = tournament.tournament, tournament.series
    if series and players:
        yield LeftBigShoot(tournament=name, series=series, players=players)
