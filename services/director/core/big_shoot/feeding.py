"""What a stage says to the next one when it is over: who goes on, and the whole pool with them."""

from collections.abc import Iterator

from services.director.core.big_shoot.arriving import is_later_stage
from services.director.core.big_shoot.leaving import left, still_bound
from services.director.core.big_shoot.sharing import price_of
from services.director.core.satellite import full_prizes_of
from services.director.core.state import Tournament
from shared.contracts.director import (
    DirectorEvent,
    Placing,
    QualifiersNamed,
    QualifyingPrizes,
    TournamentFinished,
)


def finished(tournament: Tournament, winners: tuple[str, ...]) -> Iterator[DirectorEvent]:
    """Name who goes on, the best first; after the final nothing is left to win."""
    terms = tournament.agreed
    if terms.big_shoot is None:
        return
    if isinstance(terms.prizes, QualifyingPrizes):
        players = (*winners, *has_qualified(tournament, len(winners)))
        yield named(tournament, terms.prizes, players)
    else:
        yield from left(tournament, still_bound(tournament))


def has_bye(tournament: Tournament) -> bool:
    """Tell whether a lone player goes on from a later stage without a hand, as from a shoot-out's.

    With how many the stage begins at least does not matter: nobody plays here.
    """
    qualifying = isinstance(tournament.agreed.prizes, QualifyingPrizes)
    return qualifying and is_later_stage(tournament) and len(tournament.registered) == 1


def passed(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """End a stage that has just begun with a lone player."""
    if not has_bye(tournament):
        return ()
    alone = tuple(tournament.registered)
    places = tuple(Placing(1, player, 0) for player in alone)
    over = TournamentFinished(tournament=tournament.tournament, places=places)
    return (over, *finished(tournament, alone))


def has_qualified(tournament: Tournament, winners: int = 0) -> tuple[str, ...]:
    """Return who is out and goes on all the same, behind so many winners: enough were out first."""
    if not isinstance(tournament.agreed.prizes, QualifyingPrizes):
        return ()
    go_on = full_prizes_of(tournament)
    return tuple(
        placing.player for place, placing in tournament.places.items() if winners < place <= go_on
    )


def given_up(tournament: Tournament) -> Iterator[DirectorEvent]:
    """Nobody goes on from here: the next stage need not wait, and the players are free."""
    terms = tournament.agreed
    if terms.big_shoot is None:
        return
    if isinstance(terms.prizes, QualifyingPrizes):
        yield named(tournament, terms.prizes, ())
    refunded = tournament.phase == "registering" and terms.big_shoot.stage == 1
    yield from left(tournament, () if refunded else still_bound(tournament))


def named(
    tournament: Tournament, prizes: QualifyingPrizes, players: tuple[str, ...]
) -> QualifiersNamed:
    """Send players and pool to the next stage; nobody brings nothing."""
    fee_cents, commission_cents = price_carried(tournament, players)
    return QualifiersNamed(
        tournament=tournament.tournament,
        series=tournament.series,
        target=prizes.target,
        players=players,
        amount_cents=sum(tournament.prizes_cents) if players else 0,
        fee_cents=fee_cents,
        commission_cents=commission_cents,
        withdrawal_cents=prizes.withdrawal_cents,
    )


def price_carried(tournament: Tournament, players: tuple[str, ...]) -> tuple[int, int]:
    """Return the price of an entry into stage 1, its bounty aside; the lowest where they differ.

    Fee and commission each, so that nobody gets back more of either than was paid.
    """
    terms = tournament.agreed
    paid = [price for player in players if (price := price_of(tournament, player)) is not None]
    if paid:
        return min(fee for fee, _ in paid), min(commission for _, commission in paid)
    return terms.fee_cents - terms.bounty_cents, terms.commission_cents
