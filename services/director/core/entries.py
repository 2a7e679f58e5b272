"""Entries (PP-ENTRY): asked for, held by the wallet, registered or not.

Asked-for entries count as sold, so a Sit & Go never starts while one of them is pending.
"""

from services.director.core.admission import waiting
from services.director.core.prizes import WHOLE
from services.director.core.state import Tournament
from services.director.core.terms import problems, rules_of
from shared.contracts.director import (
    CreateTournament,
    DirectorEvent,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerUnregistered,
    Register,
    TournamentCreated,
    Unregister,
)
from shared.contracts.wallet import EntryRefused
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id

ENTRY_MS = 10_000
Decision = tuple[DirectorEvent, ...] | Refused


def create(tournament: Tournament, request: CreateTournament) -> Decision:
    """Announce a tournament whose terms hold as a whole (PP-LOBBY)."""
    if tournament.phase != "unknown":
        return Refused("tournament_exists")
    if not is_derived_id(request.tournament, "trn"):
        return Refused("invalid_tournament_id")
    found = problems(request.terms)
    if found:
        return Refused("terms_invalid", "; ".join(found))
    rules = rules_of(request.terms)
    return (TournamentCreated(tournament=request.tournament, terms=request.terms, rule_set=rules),)


def register(tournament: Tournament, request: Register, at_ms: int) -> Decision:
    """Ask the wallet to hold the price; entries asked for count as sold."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "registering":
        return Refused("not_registering")
    player = request.player
    if player in tournament.registered or player in tournament.pending:
        return Refused("already_registered")
    terms = tournament.agreed
    if terms.start_at_ms and at_ms >= terms.start_at_ms:
        return Refused("not_registering")
    if len(tournament.registered) + len(tournament.pending) >= terms.entries:
        return Refused("tournament_full")
    times = (tournament.bought.get(player) or 0) + 1
    return (
        EntryRequested(
            tournament=tournament.tournament,
            entry=f"{tournament.tournament}/{player}/{times}",
            player=player,
            fee_cents=terms.fee_cents,
            commission_cents=terms.commission_cents,
            deadline_ms=at_ms + ENTRY_MS,
            rating_min=terms.rating_min,
            rating_max=terms.rating_max,
            ticket=request.ticket,
        ),
    )


def unregister(tournament: Tournament, request: Unregister, at_ms: int) -> Decision:
    """Leave until the start, or a time before it: the price comes back, less a charge (PP-ENTRY).

    Cents that the charge cannot be split into are the player's.
    """
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "registering":
        return Refused("already_started")
    entry = tournament.registered.get(request.player)
    if entry is None:
        return Refused("not_registered")
    terms = tournament.agreed
    if terms.start_at_ms and at_ms >= terms.start_at_ms - terms.leave_before_ms:
        return Refused("too_late_to_leave")
    price = terms.fee_cents + terms.commission_cents
    return (
        PlayerUnregistered(
            tournament=tournament.tournament,
            entry=entry,
            player=request.player,
            refund_cents=price - price * terms.cancellation_charge // WHOLE,
        ),
    )


def refused(tournament: Tournament, fact: EntryRefused) -> tuple[DirectorEvent, ...]:
    """No money is held: the entry ends with the wallet's reason."""
    if waiting(tournament, fact) is None:
        return ()
    return (
        EntryDeclined(
            tournament=tournament.tournament,
            entry=fact.entry,
            player=fact.player,
            reason=fact.reason,
        ),
    )


def expired(tournament: Tournament, entry: str, at_ms: int) -> tuple[DirectorEvent, ...]:
    """The wallet did not answer in time; the player may ask again."""
    return tuple(
        EntryExpired(tournament=tournament.tournament, entry=entry, player=player)
        for player, pending in tournament.pending.items()
        if pending.entry == entry and pending.deadline_ms <= at_ms
    )
