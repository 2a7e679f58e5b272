"""Whether a tournament that others lead to is there, and has not begun.

Others are satellites (BH-SATELLITE), and the stages of a Big Shoot before it (BH-BIGSHOOT).
"""

from services.gateway.shell.big_shoots import series_of
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tournament import Tournament
from shared.contracts.director import BigShoot, QualifyingPrizes, SatellitePrizes, Terms


def check_target(lobby: Lobby, terms: Terms) -> None:
    """Refuse `unknown_target`, `target_not_registering`, `not_a_later_stage`, `target_not_sold`.

    As far as this lobby knows. A target that is given up later pays its tickets out, and one that
    takes nobody in has a pool shared, so this protects nobody's money: it keeps an operator from a
    slip of the pen.
    """
    target = target_of(terms)
    if not target:
        return
    known = lobby.get(target)
    if known is None:
        raise Refusal("unknown_target", f"prizes: target: there is no tournament {target}")
    if known.status != "announced":
        raise Refusal("target_not_registering", f"prizes: target: {target} is {known.status}")
    if terms.big_shoot is not None and not is_later_stage(known, terms.big_shoot):
        series = terms.big_shoot.series
        told = f"the series {series}" if series else "no series"
        raise Refusal("not_a_later_stage", f"prizes: target: {target} is no later stage of {told}")
    if terms.big_shoot is None and is_not_sold(known):
        raise Refusal("target_not_sold", f"prizes: target: nobody buys into {target}")


def is_not_sold(known: Tournament) -> bool:
    """Tell whether a tournament has no entries that a ticket could pay for."""
    stage = known.terms.big_shoot
    return stage is not None and stage.stage > 1


def is_later_stage(known: Tournament, stage: BigShoot) -> bool:
    """Tell whether a tournament is a later stage of the same series."""
    other = known.terms.big_shoot
    return other is not None and series_of(known) == stage.series and other.stage > stage.stage


def target_of(terms: Terms) -> str:
    """Return the tournament that these prizes lead to, "" for none."""
    prizes = terms.prizes
    return prizes.target if isinstance(prizes, SatellitePrizes | QualifyingPrizes) else ""
