"""Bounties: a part of each fee that is won by who knocks its player out; progressive or not.

`bounties` in the state is what there is to win of each player now. It is won with the last pot that
the player contested; a shared pot shares it, odd cents go to the seats that were paid first. A
progressive bounty is won half in cash, odd cents included; half is added to the winner's own.

Every entry and every rebuy brings one, an add-on none. While anything can be bought it is won with
the last chips at once, whatever the loser buys then; after that when the loser has a place.
"""

from collections.abc import Iterator

from services.director.core.state import Bust, TableContradictionError, Tournament
from shared.contracts.director import BountyDue, DirectorEvent


def bounties_won(tournament: Tournament, bust: Bust) -> Iterator[DirectorEvent]:
    """Share the bounty of a player who is out among those who took the last chips."""
    bounty = tournament.bounties.get(bust.player)
    if bounty is None:
        return
    if not bust.by:
        raise TableContradictionError(f"nobody has knocked out {bust.player}")
    each, odd = divmod(bounty, len(bust.by))
    for rank, winner in enumerate(bust.by):
        share = each + (rank < odd)
        added = share // 2 if tournament.agreed.progressive else 0
        if share:
            yield BountyDue(
                tournament=tournament.tournament,
                hand=bust.hand,
                knocked_out=bust.player,
                player=winner,
                amount_cents=share - added,
                added_cents=added,
            )


def own_bounties(tournament: Tournament, players: tuple[str, ...]) -> Iterator[DirectorEvent]:
    """Give players their own bounties: nobody has knocked them out."""
    for player in players:
        bounty = tournament.bounties.get(player)
        if bounty:
            yield BountyDue(
                tournament=tournament.tournament,
                hand="",
                knocked_out=player,
                player=player,
                amount_cents=bounty,
            )


def all_bounties_cents(tournament: Tournament) -> int:
    """Return what of the fees are bounties: no part of the prizes of places."""
    return tournament.agreed.bounty_cents * (tournament.sold.entries + tournament.sold.rebuys)
