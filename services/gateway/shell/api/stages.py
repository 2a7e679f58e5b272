"""What the lobby shows of a stage of a Big Shoot (BH-BIGSHOOT, PP-LOBBY)."""

from collections.abc import Mapping

import msgspec

from services.gateway.shell.big_shoots import series_of
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.targets import target_of
from services.gateway.shell.tournament import Status, Tournament
from shared.contracts.director import QualifyingPrizes

Names = Mapping[str, str]


class FeederView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament of the stage before; once `over` it has sent its players and its pool."""

    tournament: str
    name: str
    status: Status
    over: bool
    players: int
    amount_cents: int


class QualifiedView(msgspec.Struct, frozen=True, kw_only=True):
    """Who has come from the stage before, and what that player has instead of playing on.

    Before the start `withdrawal_cents` may be taken, 0 for nothing. `instead_cents` is None for who
    plays on; without `withdrew` it is a share of what has come, because there is nothing to play
    for. `paid` says whether the wallet has paid it.
    """

    player: str
    name: str
    from_tournament: str
    withdrawal_cents: int
    withdrew: bool
    instead_cents: int | None
    paid: bool


class GoingOnView(msgspec.Struct, frozen=True):
    """Who has qualified here for the next stage."""

    player: str
    name: str


class StageView(msgspec.Struct, frozen=True, kw_only=True):
    """A stage of the Big Shoot whose final is `series`; only entries into stage 1 are sold.

    Who qualifies here goes on to `target`, "" in the final, or takes `withdrawal_cents`, 0 where
    there is no withdrawing. It begins once `fed_by` tournaments of the stage before are over; `fed`
    are, and have brought `carried_cents`, of which `withdrawn_cents` are paid out.
    """

    series: str
    stage: int
    target: str
    withdrawal_cents: int
    fed_by: int
    fed: int
    carried_cents: int
    withdrawn_cents: int
    feeders: list[FeederView]
    qualified: list[QualifiedView]
    going_on: list[GoingOnView]


def stage_view(known: Tournament, lobby: Lobby, names: Names) -> StageView | None:
    """Show a stage; None where there are none."""
    stage = known.terms.big_shoot
    if stage is None:
        return None
    prizes = known.terms.prizes
    qualified = qualified_in(known, lobby, names)
    return StageView(
        series=series_of(known),
        stage=stage.stage,
        target=target_of(known.terms),
        withdrawal_cents=prizes.withdrawal_cents if isinstance(prizes, QualifyingPrizes) else 0,
        fed_by=stage.fed_by,
        fed=len(known.fed),
        carried_cents=sum(fed.amount_cents for fed in known.fed.values()),
        withdrawn_cents=sum(one.instead_cents or 0 for one in qualified if one.withdrew),
        feeders=feeders_of(known, lobby),
        qualified=qualified,
        going_on=[
            GoingOnView(player, names.get(player, player))
            for player in (known.sent.players if known.sent else ())
        ],
    )


def feeders_of(known: Tournament, lobby: Lobby) -> list[FeederView]:
    """List the announced tournaments that qualify for this one."""
    return [
        FeederView(
            tournament=feeder.tournament,
            name=feeder.terms.name,
            status=feeder.status,
            over=feeder.sent is not None,
            players=len(feeder.sent.players) if feeder.sent else 0,
            amount_cents=feeder.sent.amount_cents if feeder.sent else 0,
        )
        for feeder in lobby.stages(series_of(known))
        if target_of(feeder.terms) == known.tournament
    ]


def qualified_in(known: Tournament, lobby: Lobby, names: Names) -> list[QualifiedView]:
    """List who has come, in the order in which they did."""
    return [
        QualifiedView(
            player=player,
            name=names.get(player, player),
            from_tournament=source,
            withdrawal_cents=one.withdrawal_cents,
            withdrew=one.withdrew,
            instead_cents=one.instead_cents,
            paid=lobby.is_paid(known.tournament, source, player),
        )
        for (player, source), one in known.qualified.items()
    ]
