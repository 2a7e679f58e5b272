"""How pools and qualified players come from the stage before, and go (BH-BIGSHOOT)."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.state import Bought, Carried, Tournament
from shared.contracts.director import (
    LeftBigShoot,
    PlayersQualified,
    QualifiersNamed,
    StagePrizeDue,
)


def players_qualified(tournament: Tournament, event: PlayersQualified) -> Tournament:
    """Each is registered by the name of the tournament that they come from."""
    came = Carried(
        from_tournament=event.from_tournament,
        players=event.players,
        left_cents=event.amount_cents,
        fee_cents=event.fee_cents,
        commission_cents=event.commission_cents,
        withdrawal_cents=event.withdrawal_cents,
        not_before_ms=event.not_before_ms,
    )
    entered = dict.fromkeys(event.players, event.from_tournament)
    once = dict.fromkeys(event.players, Bought(entries=1))
    entries = tournament.sold.entries + len(event.players)
    return replace(
        tournament,
        carried=(*tournament.carried, came),
        registered=tournament.registered.update(entered),
        paid=tournament.paid.update(once),
        sold=replace(tournament.sold, entries=entries),
    )


def stage_prize_due(tournament: Tournament, event: StagePrizeDue) -> Tournament:
    """What is paid has left the pool; who withdrew has left the tournament as well."""
    paid = replace(tournament, carried=tuple(after(one, event) for one in tournament.carried))
    if not event.withdrew:
        return paid
    return replace(
        paid,
        registered=paid.registered.remove(event.player),
        paid=paid.paid.remove(event.player),
        sold=replace(paid.sold, entries=paid.sold.entries - 1),
    )


def after(came: Carried, event: StagePrizeDue) -> Carried:
    """Take one player's amount out of what has come."""
    if came.from_tournament != event.from_tournament:
        return came
    return replace(
        came,
        left_cents=came.left_cents - event.amount_cents,
        players=tuple(player for player in came.players if player != event.player),
    )


def told(tournament: Tournament, _: QualifiersNamed | LeftBigShoot) -> Tournament:
    """The next stage and the wallet hear of it; here nothing changes."""
    return tournament


APPLY: Rows = {
    PlayersQualified: players_qualified,
    StagePrizeDue: stage_prize_due,
    QualifiersNamed: told,
    LeftBigShoot: told,
}
