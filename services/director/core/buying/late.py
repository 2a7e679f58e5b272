"""Late entries and re-entries: asked for like any other, while the tournament runs already."""

from services.director.core.buying.periods import on_sale
from services.director.core.state import Bought, Tournament
from shared.kernel.decider import Refused


def why_not(tournament: Tournament, player: str, at_ms: int) -> Refused | None:
    """Return why a player cannot enter now, or None; who has a rebuy on offer is still in."""
    terms = tournament.agreed
    if not on_sale(tournament, terms.late_levels, at_ms):
        return Refused("not_registering")
    still_in = player in tournament.registered and not is_out(tournament, player)
    if still_in or player in tournament.pending:
        return Refused("already_registered")
    bought = tournament.paid.get(player) or Bought()
    if bought.entries > terms.reentries:
        return Refused("reentry_limit_reached", f"{terms.reentries} a player")
    asked = sum(pending.kind == "entry" for pending in tournament.pending.values())
    full = tournament.sold.entries + asked >= terms.entries
    return Refused("tournament_full") if full else None


def is_out(tournament: Tournament, player: str) -> bool:
    """Tell whether a player has gone out for good, while places are open."""
    if player in tournament.offers:
        return False
    return any(bust.player == player for bust in tournament.busted)
