"""Until when what is sold. A break still belongs to the level before it."""

from services.director.core.clearing import level_is_over
from services.director.core.pauses import due_break_ms
from services.director.core.state import Tournament
from shared.contracts.director import Terms


def last_level(terms: Terms) -> int:
    """Return the last level in which anything is on sale; 0 where nothing ever is."""
    extras = (one.until_level for one in (terms.rebuy, terms.add_on) if one is not None)
    return max(terms.late_levels, *extras, 0)


def on_sale(tournament: Tournament, until_level: int, at_ms: int) -> bool:
    """Tell whether this level is not over yet; while it is paused, no clock runs."""
    if not (until_level and tournament.selling) or tournament.cancelling is not None:
        return False
    if tournament.level != until_level:
        return tournament.level < until_level
    now_ms = at_ms if tournament.paused_ms is None else tournament.paused_ms
    if tournament.resting:
        return tournament.level_ends_ms is None or now_ms < tournament.level_ends_ms
    return not level_is_over(tournament, now_ms) or due_break_ms(tournament) is not None
