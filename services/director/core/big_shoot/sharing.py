"""What has come from the stage before: at which price, and how it is shared where it must be."""

from collections.abc import Iterable, Iterator

from services.director.core.prizes import even
from services.director.core.state import Carried, Tournament
from shared.contracts.director import StagePrizeDue


def carried_with(tournament: Tournament, player: str) -> Carried | None:
    """Return what a qualified player came with."""
    source = tournament.registered.get(player)
    return next((one for one in tournament.carried if one.from_tournament == source), None)


def price_of(tournament: Tournament, player: str) -> tuple[int, int] | None:
    """Return fee and commission that a qualified player has paid in stage 1."""
    came = carried_with(tournament, player)
    return None if came is None else (came.fee_cents, came.commission_cents)


def shared_out(tournament: Tournament) -> Iterator[StagePrizeDue]:
    """There is no next stage to play: who has qualified for it shares what has come evenly.

    Odd cents go to who has qualified first.
    """
    qualified = [
        (one.from_tournament, player) for one in tournament.carried for player in one.players
    ]
    cents = sum(one.left_cents for one in tournament.carried)
    return even_shares(tournament.tournament, qualified, cents)


def even_shares(
    tournament: str, qualified: Iterable[tuple[str, str]], cents: int
) -> Iterator[StagePrizeDue]:
    """Share cents among players, each with the tournament that they come from."""
    players = list(qualified)
    shares = even(cents, len(players)) if players else ()
    for (source, player), share in zip(players, shares, strict=True):
        if share:
            yield StagePrizeDue(
                tournament=tournament,
                from_tournament=source,
                player=player,
                amount_cents=share,
                withdrew=False,
            )
