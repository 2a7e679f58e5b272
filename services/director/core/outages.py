"""Time that an outage took from a level is given back: it lasts as long as it was announced.

Of an outage counts what lies after the level began, up to now, and has not been given back yet.
An entry's deadline is no player's clock: an entry that the wallet did not answer for in time
has expired, whoever was away, and nobody has paid for it.
"""

from services.director.core.state import Tournament
from shared.contracts.director import ClockExtended
from shared.contracts.message import OutageOver
from shared.kernel.outages import Stretch, left_of


def has_clock(tournament: Tournament) -> bool:
    """Tell whether anything here lasts by time that players play or rest in."""
    return tournament.phase == "running" and tournament.level_ends_ms is not None


def outage_over(
    tournament: Tournament, outage: OutageOver, at_ms: int
) -> tuple[ClockExtended, ...]:
    """Put off the end of the level, also one that has passed and was not acted on yet."""
    ends_ms = tournament.level_ends_ms
    if tournament.phase != "running" or ends_ms is None:
        return ()
    since_ms = max(outage.down_from_ms, level_began_ms(tournament, ends_ms))
    stood_still = Stretch(since_ms, min(outage.up_at_ms, at_ms))
    given: list[ClockExtended] = []
    for stretch in left_of(stood_still, tournament.level_credited):
        ends_ms += stretch.length_ms
        given.append(
            ClockExtended(
                tournament=tournament.tournament,
                level_number=tournament.level,
                down_from_ms=stretch.from_ms,
                up_at_ms=stretch.to_ms,
                by_ms=stretch.length_ms,
                ends_at_ms=ends_ms,
            )
        )
    return tuple(given)


def level_began_ms(tournament: Tournament, ends_ms: int) -> int:
    """Return when the level began that ends then, with all that has been given back."""
    credited_ms = sum(stretch.length_ms for stretch in tournament.level_credited)
    return ends_ms - credited_ms - tournament.agreed.level_ms
