"""How bounties change hands."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.state import Tournament
from shared.contracts.director import BountyDue
from shared.kernel.pmap import PMap


def with_bounty(tournament: Tournament, player: str, by_cents: int) -> PMap[str, int]:
    """Return the bounties with one that has changed by so much; one of nothing is none."""
    bounties = tournament.bounties
    cents = (bounties.get(player) or 0) + by_cents
    if cents:
        return bounties.insert(player, cents)
    return bounties.remove(player) if player in bounties else bounties


def bounty_due(tournament: Tournament, event: BountyDue) -> Tournament:
    """What was won is gone from the loser; what was added is the winner's to lose."""
    won_cents = event.amount_cents + event.added_cents
    lost = replace(tournament, bounties=with_bounty(tournament, event.knocked_out, -won_cents))
    return replace(lost, bounties=with_bounty(lost, event.player, event.added_cents))


APPLY: Rows = {BountyDue: bounty_due}
