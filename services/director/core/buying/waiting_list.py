"""The waiting list of a tournament that is full before its start: first come, first asked.

Nothing is held for who waits. When an entry comes free, the first one's price is asked for.
"""

from services.director.core.state import Tournament
from shared.contracts.director import (
    Register,
    WaitingListClosed,
    WaitingListJoined,
    WaitingListLeft,
)
from shared.kernel.decider import Refused

WAITING_MAX = 1_000  # All of them fit in one event.


def players(tournament: Tournament) -> tuple[str, ...]:
    """Return who waits, the first one first."""
    return tuple(waiter.player for waiter in tournament.waiting)


def join(tournament: Tournament, request: Register) -> tuple[WaitingListJoined, ...] | Refused:
    """Wait behind all others, once."""
    player, waiting = request.player, players(tournament)
    if player in waiting:
        return Refused("already_waiting", f"position {waiting.index(player) + 1}")
    if len(waiting) == WAITING_MAX:
        return Refused("waiting_list_full", f"{WAITING_MAX} players wait")
    joined = WaitingListJoined(
        tournament=tournament.tournament,
        player=player,
        position=len(waiting) + 1,
        ticket=request.ticket,
    )
    return (joined,)


def leave(tournament: Tournament, player: str) -> tuple[WaitingListLeft, ...]:
    """Give up waiting, at any time before the start: nothing was paid."""
    return (WaitingListLeft(tournament=tournament.tournament, player=player),)


def closed(tournament: Tournament) -> tuple[WaitingListClosed, ...]:
    """Tell whoever waits that it is over."""
    if not tournament.waiting:
        return ()
    return (WaitingListClosed(tournament=tournament.tournament, players=players(tournament)),)
