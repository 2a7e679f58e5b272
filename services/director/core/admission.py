"""PP-LEVELGATE: a tournament may admit a range of ratings only, which is checked at entry.

Money and rating come from two services, in any order: an entry counts once both are there.
"""

from services.director.core.state import Pending, Tournament
from shared.contracts.director import (
    DirectorEvent,
    EntryAdmitted,
    EntryDeclined,
    EntryFunded,
    PlayerRegistered,
    PriceHeld,
    Terms,
)
from shared.contracts.ranking import EntryRated
from shared.contracts.wallet import EntryHeld, EntryRefused

EntryFact = EntryHeld | EntryRefused | EntryRated


def has_gate(terms: Terms) -> bool:
    """Say whether these terms need a rating to be known."""
    return bool(terms.rating_min or terms.rating_max)


def waiting(tournament: Tournament, fact: EntryFact) -> Pending | None:
    """Find the pending entry that is answered for."""
    pending = tournament.pending.get(fact.player)
    return pending if pending is not None and pending.entry == fact.entry else None


def held(tournament: Tournament, fact: EntryHeld) -> tuple[DirectorEvent, ...]:
    """The price is held: the entry counts, unless it has ended (its sender knows already)."""
    pending = waiting(tournament, fact)
    if pending is None or pending.funded or pending.held:
        return ()
    if pending.kind == "entry" and has_gate(tournament.agreed) and not pending.admitted:
        return (
            EntryFunded(tournament=tournament.tournament, entry=fact.entry, player=fact.player),
        )
    return (counted(tournament, fact),)


def rated(tournament: Tournament, fact: EntryRated) -> tuple[DirectorEvent, ...]:
    """The rating is known: within the range the entry goes on, outside it ends."""
    pending = waiting(tournament, fact)
    if pending is None or pending.admitted:
        return ()
    reason = outside_range(tournament.agreed, fact.rating)
    if reason:
        return (
            EntryDeclined(
                tournament=tournament.tournament,
                entry=fact.entry,
                player=fact.player,
                reason=reason,
            ),
        )
    admitted = EntryAdmitted(
        tournament=tournament.tournament, entry=fact.entry, player=fact.player, rating=fact.rating
    )
    return (admitted, counted(tournament, fact)) if pending.funded else (admitted,)


def outside_range(terms: Terms, rating: int) -> str:
    """Say why a rating is not admitted, "" when it is; both ends of the range are."""
    if rating < terms.rating_min:
        return "rating_too_low"
    if terms.rating_max and rating > terms.rating_max:
        return "rating_too_high"
    return ""


def counted(tournament: Tournament, fact: EntryFact) -> PlayerRegistered | PriceHeld:
    """Before the start an entry counts at once, after it when its chips come; so for rebuys."""
    if tournament.phase == "running":
        name = tournament.tournament
        return PriceHeld(tournament=name, entry=fact.entry, player=fact.player)
    return registered(tournament, fact)


def registered(tournament: Tournament, fact: EntryFact) -> PlayerRegistered:
    """Let an entry count."""
    terms = tournament.agreed
    return PlayerRegistered(
        tournament=tournament.tournament,
        entry=fact.entry,
        player=fact.player,
        fee_cents=terms.fee_cents,
        commission_cents=terms.commission_cents,
    )
