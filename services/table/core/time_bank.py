"""The time bank: what a player has beyond the time to act, for a whole tournament.

It begins with what the terms give and grows with every level. Only what has been used is kept,
so a player who moves between levels loses and gains nothing.
"""

from services.table.core.state import Table, Turn, opened, player_at
from shared.contracts.hand import TimeBankStarted, TimeBankUsed


def bank_left_ms(table: Table, player: str) -> int:
    """Return what this level leaves of a player's time bank."""
    facts = opened(table)
    level = 1 if table.hand is None else table.hand.started.level_number
    grown = facts.time_bank_ms + (level - 1) * facts.time_bank_refill_ms
    return grown - dict(table.bank_used).get(player, 0)


def bank_started(table: Table, turn: Turn, at_ms: int) -> TimeBankStarted | None:
    """Let a turn whose time is over go on, once, if there is anything to run on."""
    left = 0 if turn.bank_ms else bank_left_ms(table, player_on_turn(table, turn))
    if left <= 0:
        return None
    return TimeBankStarted(
        seat=turn.seat, decision=turn.decision, act_by_ms=at_ms + left, left_ms=left
    )


def bank_used_by(table: Table, turn: Turn, at_ms: int) -> TimeBankUsed:
    """Deduct what a turn that ends now has taken, at most everything.

    An outage given back late, when the bank runs already, may leave even more than all of it.
    """
    left = min(turn.bank_ms, max(0, turn.act_by_ms - at_ms))
    return TimeBankUsed(
        seat=turn.seat,
        player=player_on_turn(table, turn),
        by_ms=turn.bank_ms - left,
        left_ms=left,
    )


def player_on_turn(table: Table, turn: Turn) -> str:
    """Name the player whose decision is open."""
    assert table.hand is not None
    return player_at(table.hand.started.seats, turn.seat) or ""
