"""A qualified player may take a part payment out of the pool instead of playing on."""

from services.director.core.big_shoot.arriving import begins_ms, is_fed
from services.director.core.big_shoot.leaving import left
from services.director.core.big_shoot.sharing import carried_with
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent, StagePrizeDue, Withdraw
from shared.kernel.decider import Refused


def withdraw(
    tournament: Tournament, request: Withdraw, at_ms: int
) -> tuple[DirectorEvent, ...] | Refused:
    """Pay a player who leaves before the start; the last one stays, for the pool needs an owner."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "registering" or has_come(tournament, at_ms):
        return Refused("not_registering")
    came = carried_with(tournament, request.player)
    if came is None:
        return Refused("not_qualified")
    if not came.withdrawal_cents:
        return Refused("no_withdrawing")
    if len(tournament.registered) == 1:
        return Refused("last_one", "nobody else is in it for the pool")
    prize = StagePrizeDue(
        tournament=tournament.tournament,
        from_tournament=came.from_tournament,
        player=request.player,
        amount_cents=came.withdrawal_cents,
        withdrew=True,
    )
    return (prize, *left(tournament, (request.player,)))


def has_come(tournament: Tournament, at_ms: int) -> bool:
    """Tell whether it starts now, even if no timer has fired yet."""
    return is_fed(tournament) and 0 < begins_ms(tournament) <= at_ms
