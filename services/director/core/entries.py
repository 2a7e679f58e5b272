"""Entries (PP-ENTRY): asked for, held by the wallet, registered or not; purchases likewise.

Asked-for entries count as sold, so a Sit & Go never starts while one of them is pending.
"""

from services.director.core.admission import waiting
from services.director.core.big_shoot import id_problems, is_later_stage
from services.director.core.buying import late, waiting_list
from services.director.core.prizes import WHOLE
from services.director.core.state import Pending, Tournament
from services.director.core.terms import problems, rules_of
from shared.contracts.director import (
    CreateTournament,
    DirectorEvent,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerUnregistered,
    RebuyLapsed,
    Register,
    TournamentCreated,
    Unregister,
)
from shared.contracts.wallet import EntryRefused
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id

ENTRY_MS = 10_000
EXPIRED = "expired"
QUALIFIED_ONLY = "qualified_only"
Decision = tuple[DirectorEvent, ...] | Refused


def create(tournament: Tournament, request: CreateTournament) -> Decision:
    """Announce a tournament whose terms hold as a whole (PP-LOBBY)."""
    if tournament.phase != "unknown":
        return Refused("tournament_exists")
    if not is_derived_id(request.tournament, "trn"):
        return Refused("invalid_tournament_id")
    found = (*problems(request.terms), *id_problems(request.tournament, request.terms))
    if found:
        return Refused("terms_invalid", "; ".join(found))
    rules = rules_of(request.terms)
    return (TournamentCreated(tournament=request.tournament, terms=request.terms, rule_set=rules),)


def register(tournament: Tournament, request: Register, at_ms: int) -> Decision:
    """Ask the wallet to hold the price; entries asked for count as sold. Who is too many waits."""
    player = request.player
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if is_later_stage(tournament):
        return Refused(QUALIFIED_ONLY)
    if tournament.phase == "running":
        problem = late.why_not(tournament, player, at_ms)
        return (
            problem
            if problem is not None
            else (requested(tournament, player, at_ms, request.ticket),)
        )
    if tournament.phase != "registering":
        return Refused("not_registering")
    if player in tournament.registered or player in tournament.pending:
        return Refused("already_registered")
    terms = tournament.agreed
    if terms.start_at_ms and at_ms >= terms.start_at_ms:
        return Refused("not_registering")
    if is_full(tournament):
        return waiting_list.join(tournament, request)
    return (requested(tournament, player, at_ms, request.ticket),)


def is_full(tournament: Tournament) -> bool:
    """Tell whether all entries are sold or asked for, before the start."""
    return len(tournament.registered) + len(tournament.pending) >= tournament.agreed.entries


def admit(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Ask for the price of who waits first, when an entry has come free, as it was to be paid."""
    if not tournament.waiting or is_full(tournament):
        return ()
    first = tournament.waiting[0]
    return (requested(tournament, first.player, at_ms, first.ticket),)


def requested(tournament: Tournament, player: str, at_ms: int, ticket: str = "") -> EntryRequested:
    terms = tournament.agreed
    return EntryRequested(
        tournament=tournament.tournament,
        entry=next_entry(tournament, player),
        player=player,
        fee_cents=terms.fee_cents,
        commission_cents=terms.commission_cents,
        deadline_ms=at_ms + ENTRY_MS,
        rating_min=terms.rating_min,
        rating_max=terms.rating_max,
        ticket=ticket,
        series=tournament.series,
    )


def next_entry(tournament: Tournament, player: str) -> str:
    """Name what a player asks to buy next."""
    times = (tournament.asked.get(player) or 0) + 1
    return f"{tournament.tournament}/{player}/{times}"


def unregister(tournament: Tournament, request: Unregister, at_ms: int) -> Decision:
    """Leave until the start, or a time before it: the price comes back, less a charge (PP-ENTRY).

    Cents that the charge cannot be split into are the player's.
    """
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if is_later_stage(tournament):
        return Refused(QUALIFIED_ONLY)
    if tournament.phase != "registering":
        return Refused("already_started")
    if request.player in waiting_list.players(tournament):
        return waiting_list.leave(tournament, request.player)
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
    """No money is held: the purchase ends with the wallet's reason."""
    pending = waiting(tournament, fact)
    if pending is None:
        return ()
    return (ended(tournament, fact.player, pending, fact.reason),)


def expired(tournament: Tournament, entry: str, at_ms: int) -> tuple[DirectorEvent, ...]:
    """The wallet did not answer in time; the player may ask again."""
    return tuple(
        EntryExpired(tournament=tournament.tournament, entry=entry, player=player)
        if pending.kind == "entry"
        else ended(tournament, player, pending, EXPIRED)
        for player, pending in tournament.pending.items()
        if pending.entry == entry and pending.deadline_ms <= at_ms and not pending.held
    )


def declined(tournament: Tournament, reason: str) -> tuple[DirectorEvent, ...]:
    """End everything that is asked for, or held and without chips yet."""
    return tuple(
        ended(tournament, player, pending, reason) for player, pending in tournament.pending.items()
    )


def ended(
    tournament: Tournament, player: str, pending: Pending, reason: str
) -> EntryDeclined | RebuyLapsed:
    """Write down that nothing was bought; the wallet releases what it holds."""
    kind = EntryDeclined if pending.kind == "entry" else RebuyLapsed
    return kind(tournament=tournament.tournament, entry=pending.entry, player=player, reason=reason)
