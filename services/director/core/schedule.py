"""When a tournament starts (BH-SNG, BH-MTT), or is given up before it does (PP-CRASH-REG)."""

from services.director.core.bounties import all_bounties_cents
from services.director.core.cancelling import opened
from services.director.core.prizes import prizes_in_cents
from services.director.core.state import Tournament
from shared.contracts.director import (
    CancelTournament,
    DirectorEvent,
    EntryDeclined,
    PlayerUnregistered,
    TournamentCancelled,
    TournamentStarted,
)
from shared.contracts.director_money import GuaranteeDue
from shared.kernel.decider import Refused

START_TIMER = "start"
PLAYERS_MIN = 2
REASON_CHARACTERS_MAX = 1_000
CANCELLED = "tournament_cancelled"
STARTED = "started"


def begin(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Start when its entries are sold, or at its moment with enough players, or not at all."""
    terms = tournament.agreed
    if not terms.start_at_ms:
        sold_out = len(tournament.registered) == terms.entries
        return started(tournament) if sold_out else ()
    if at_ms < terms.start_at_ms:
        return ()
    if len(tournament.registered) < max(terms.entries_min, PLAYERS_MIN):
        return cancelled(tournament, author="", reason="too few players")
    return (*declined(tournament, STARTED), *started(tournament))


def started(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Fix pool and prizes; what the pool lacks of the guarantee is the operator's to pay."""
    terms = tournament.agreed
    players = tuple(tournament.registered)
    collected_cents = terms.fee_cents * len(players)
    pool_cents = max(collected_cents, terms.guarantee_cents)
    start = TournamentStarted(
        tournament=tournament.tournament,
        players=players,
        pool_cents=pool_cents,
        prizes_cents=prizes_in_cents(
            terms.prizes, len(players), pool_cents - all_bounties_cents(tournament)
        ),
    )
    if pool_cents == collected_cents:
        return (start,)
    missing = pool_cents - collected_cents
    return (start, GuaranteeDue(tournament=tournament.tournament, amount_cents=missing))


def cancel(
    tournament: Tournament, request: CancelTournament, at_ms: int
) -> tuple[DirectorEvent, ...] | Refused:
    """Give a tournament up; the same again changes nothing. One that runs is halted first."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if not 0 < len(request.reason) <= REASON_CHARACTERS_MAX:
        return Refused("reason_invalid", f"1 to {REASON_CHARACTERS_MAX} characters")
    if tournament.phase == "cancelled":
        return ()
    if tournament.phase == "finished":
        return Refused("already_finished")
    if tournament.phase == "running":
        again = tournament.cancelling is not None
        return () if again else opened(tournament, request.author, request.reason, at_ms)
    return cancelled(tournament, request.author, request.reason)


def cancelled(tournament: Tournament, author: str, reason: str) -> tuple[DirectorEvent, ...]:
    """Everybody gets the whole price back, commission included; what is pending is declined."""
    terms = tournament.agreed
    refunds = (
        PlayerUnregistered(
            tournament=tournament.tournament,
            entry=entry,
            player=player,
            refund_cents=terms.fee_cents + terms.commission_cents,
            tournament_cancelled=True,
        )
        for player, entry in tournament.registered.items()
    )
    end = TournamentCancelled(tournament=tournament.tournament, author=author, reason=reason)
    return (end, *declined(tournament, CANCELLED), *refunds)


def declined(tournament: Tournament, reason: str) -> tuple[EntryDeclined, ...]:
    """End every entry that the wallet has not answered for."""
    return tuple(
        EntryDeclined(
            tournament=tournament.tournament, entry=pending.entry, player=player, reason=reason
        )
        for player, pending in tournament.pending.items()
    )
