"""When a tournament starts (BH-SNG, BH-MTT), or is given up before it does (PP-CRASH-REG)."""

from collections.abc import Iterator

from services.director.core import big_shoot
from services.director.core.buying import waiting_list
from services.director.core.buying.closing import guarantee_due, prizes_now
from services.director.core.buying.periods import last_level
from services.director.core.cancelling import CANCELLED, opened
from services.director.core.entries import declined
from services.director.core.state import Tournament
from shared.contracts.director import (
    CancelTournament,
    DirectorEvent,
    PlayerUnregistered,
    TournamentCancelled,
    TournamentStarted,
)
from shared.kernel.decider import Refused

START_TIMER = "start"
PLAYERS_MIN = 2
REASON_CHARACTERS_MAX = 1_000
STARTED = "started"


def begin(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Start when its entries are sold, or at its moment with enough players, or not at all."""
    terms = tournament.agreed
    if not terms.start_at_ms:
        sold_out = len(tournament.registered) == terms.entries
        return started(tournament) if sold_out else ()
    if at_ms < big_shoot.begins_ms(tournament) or not big_shoot.is_fed(tournament):
        return ()
    too_few = len(tournament.registered) < max(terms.entries_min, PLAYERS_MIN)
    if too_few and not big_shoot.has_bye(tournament):
        return cancelled(tournament, author="", reason="too few players")
    late = () if terms.late_levels else declined(tournament, STARTED)
    return (*late, *started(tournament))


def has_start_timer(tournament: Tournament) -> bool:
    """Tell whether the scheduled start is waited for, and nothing else any more."""
    scheduled = tournament.phase == "registering" and tournament.agreed.start_at_ms > 0
    return scheduled and big_shoot.is_fed(tournament)


def started(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Fix pool and prizes, unless more can be bought; what lacks of the guarantee is due then."""
    more = last_level(tournament.agreed) > 0
    start = TournamentStarted(
        tournament=tournament.tournament,
        players=len(tournament.registered),
        pool_cents=tournament.pool_cents,
        prizes_cents=() if more else prizes_now(tournament),
    )
    due = () if more else guarantee_due(tournament)
    return (start, *due, *waiting_list.closed(tournament))


def cancel(
    tournament: Tournament, request: CancelTournament, at_ms: int
) -> tuple[DirectorEvent, ...] | Refused:
    """Give a tournament up, once. One that runs is halted first."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if not 0 < len(request.reason) <= REASON_CHARACTERS_MAX:
        return Refused("reason_invalid", f"1 to {REASON_CHARACTERS_MAX} characters")
    if tournament.phase == "cancelled":
        return Refused("already_cancelled")
    if tournament.phase == "finished":
        return Refused("already_finished")
    if tournament.cancelling is not None:
        return Refused("already_cancelling", f"opened by {tournament.cancelling.author}")
    if tournament.phase == "running":
        return opened(tournament, request.author, request.reason, at_ms)
    return cancelled(tournament, request.author, request.reason)


def cancelled(tournament: Tournament, author: str, reason: str) -> tuple[DirectorEvent, ...]:
    """Everybody gets the whole price back, commission included; what is pending is declined.

    Who was to come from the stage before shares what has come.
    """
    end = TournamentCancelled(tournament=tournament.tournament, author=author, reason=reason)
    pending = declined(tournament, CANCELLED)
    later = big_shoot.is_later_stage(tournament)
    back = big_shoot.shared_out(tournament) if later else refunds(tournament)
    waiters = waiting_list.closed(tournament)
    return (end, *pending, *back, *waiters, *big_shoot.given_up(tournament))


def refunds(tournament: Tournament) -> Iterator[PlayerUnregistered]:
    """Give back all the prices that were paid."""
    terms = tournament.agreed
    return (
        PlayerUnregistered(
            tournament=tournament.tournament,
            entry=entry,
            player=player,
            refund_cents=terms.fee_cents + terms.commission_cents,
            tournament_cancelled=True,
        )
        for player, entry in tournament.registered.items()
    )
