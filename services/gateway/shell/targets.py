"""Whether a tournament that others lead to is there, and still to be entered (BH-SATELLITE)."""

from services.gateway.shell.lobby import Lobby
from services.gateway.shell.refusals import Refusal
from shared.contracts.director import SatellitePrizes, Terms


def check_target(lobby: Lobby, terms: Terms) -> None:
    """Refuse `unknown_target` or `target_not_registering`, as far as this lobby knows.

    A target that is given up later pays its tickets out, so this protects nobody's money: it
    keeps an operator from a slip of the pen.
    """
    target = target_of(terms)
    if not target:
        return
    known = lobby.get(target)
    if known is None:
        raise Refusal("unknown_target", f"prizes: target: there is no tournament {target}")
    if known.status != "announced":
        raise Refusal("target_not_registering", f"prizes: target: {target} is {known.status}")


def target_of(terms: Terms) -> str:
    """Return the tournament that these prizes lead to, "" for none."""
    return terms.prizes.target if isinstance(terms.prizes, SatellitePrizes) else ""
