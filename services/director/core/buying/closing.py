"""When nothing can be bought any more: pool, prizes and places are fixed, a freeze-out goes on.

That is when the last period is over and nothing is pending or on offer; or at once when one
player has all the chips and nothing is pending.
"""

from msgspec.structs import replace

from services.director.core.bounties import all_bounties_cents
from services.director.core.buying.periods import last_level, on_sale
from services.director.core.prizes import prizes_in_cents
from services.director.core.ranking import in_place
from services.director.core.satellite import due_cents
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent, EntriesClosed, GuaranteeDue


def close_entries(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Fix what there is to win, and give everybody who is out a place, the first out the last."""
    if not tournament.selling or tournament.pending or tournament.offers:
        return ()
    if tournament.left > 1 and (
        on_sale(tournament, last_level(tournament.agreed), at_ms) or may_still_bust(tournament)
    ):
        return ()
    prizes = prizes_now(tournament)
    closed = EntriesClosed(
        tournament=tournament.tournament,
        entries=tournament.sold.entries,
        players=players_of(tournament),
        pool_cents=tournament.pool_cents,
        prizes_cents=prizes,
    )
    fixed, last = replace(tournament, prizes_cents=prizes), players_of(tournament)
    due = due_cents(fixed)
    places = (
        event
        for behind, bust in enumerate(tournament.busted)
        for event in in_place(fixed, bust, last - behind, prize_of(due, last - behind))
    )
    return (closed, *guarantee_due(tournament), *places)


def may_still_bust(tournament: Tournament) -> bool:
    """Tell whether a hand of the rebuy period is being played: who goes out may buy again."""
    sold = tournament.agreed.rebuy
    return sold is not None and any(
        table.playing and table.level <= sold.until_level for table in tournament.tables.values()
    )


def guarantee_due(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """What the pool lacks of the guarantee is the operator's to pay."""
    missing = tournament.pool_cents - tournament.collected_cents
    if not missing:
        return ()
    return (GuaranteeDue(tournament=tournament.tournament, amount_cents=missing),)


def prizes_now(tournament: Tournament) -> tuple[int, ...]:
    """Return the prizes, or what they would be if nothing more was bought."""
    if tournament.prizes_cents:
        return tournament.prizes_cents
    return prizes_in_cents(
        tournament.agreed.prizes,
        tournament.sold.entries,
        tournament.pool_cents - all_bounties_cents(tournament),
        players_of(tournament),
    )


def players_of(tournament: Tournament) -> int:
    """Count everybody who entered, once."""
    return len(tournament.registered)


def prize_of(prizes: tuple[int, ...], place: int) -> int:
    """Return what a place wins."""
    return prizes[place - 1] if place <= len(prizes) else 0
