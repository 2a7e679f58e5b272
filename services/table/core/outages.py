"""Time that an outage took from the player who decides is given back (PP-CLOCK, BH-CLOCK).

Of an outage counts what lies after the decision began, up to now, and has not been given back
yet. That holds for the time to act and the time bank as one clock, and for a choice to show or
muck; while the dealer is asked no clock runs, and there is nothing to give back.
"""

from typing import Final, Literal

from services.table.core.flow import Step, recorded
from services.table.core.state import Table, Turn, seat_of
from services.table.core.time_bank import player_on_turn
from shared.contracts.hand import ClockExtended
from shared.contracts.message import OutageOver
from shared.contracts.table import CreditPlayer
from shared.kernel.decider import Refused
from shared.kernel.outages import Stretch, Stretches, at_most, left_of

# A player who stays away, or whose connection keeps breaking, must not hold up the table for ever.
PLAYER_CREDIT_MAX_MS: Final = 60_000
CLOCKS_DIFFER_MAX_MS: Final = 1_000


def has_clock(table: Table) -> bool:
    """Tell whether a player's clock runs here."""
    return table.turn is not None


def outage_over(table: Table, outage: OutageOver, at_ms: int) -> Step:
    """The table stood still: whoever decides gets all of it back."""
    if table.turn is None:
        return (), table
    lost = lost_of(table.turn, outage, at_ms)
    return recorded(table, extended(table.turn, lost, "table"))


def credit_player(table: Table, request: CreditPlayer, at_ms: int) -> Step | Refused:
    """A gateway lost this player's connection: given back up to a limit per decision.

    Refused with `not_seated`, then `invalid_outage`. Who does not decide has lost nothing.
    """
    if seat_of(table.seats, request.player) is None:
        return Refused("not_seated")
    if not request.down_from_ms < request.up_at_ms <= at_ms + CLOCKS_DIFFER_MAX_MS:
        return Refused("invalid_outage")
    turn = table.turn
    if turn is None or player_on_turn(table, turn) != request.player:
        return (), table
    limit_ms = PLAYER_CREDIT_MAX_MS - turn.player_credit_ms
    lost = at_most(lost_of(turn, request, at_ms), limit_ms)
    return recorded(table, extended(turn, lost, "player"))


def lost_of(turn: Turn, outage: OutageOver | CreditPlayer, at_ms: int) -> Stretches:
    """Return what an outage took from a decision and no credit has given back."""
    since_ms = max(outage.down_from_ms, turn.began_ms)
    return left_of(Stretch(since_ms, min(outage.up_at_ms, at_ms)), turn.credited)


def extended(
    turn: Turn, lost: Stretches, outage: Literal["table", "player"]
) -> tuple[ClockExtended, ...]:
    """Give these stretches back, one after the other."""
    given: list[ClockExtended] = []
    act_by_ms = turn.act_by_ms
    for stretch in lost:
        act_by_ms += stretch.length_ms
        given.append(
            ClockExtended(
                seat=turn.seat,
                decision=turn.decision,
                down_from_ms=stretch.from_ms,
                up_at_ms=stretch.to_ms,
                by_ms=stretch.length_ms,
                act_by_ms=act_by_ms,
                outage=outage,
            )
        )
    return tuple(given)
