"""What a player's conduct has led to, as of a moment."""

from services.wallet.core.conduct.state import CLEAN, Conduct, Suspension
from services.wallet.core.state import Wallet
from shared.contracts.wallet import Suspended


def conduct_of(wallet: Wallet, player: str) -> Conduct:
    """Return what was done about a player so far."""
    return wallet.conduct.get(player) or CLEAN


def runs(suspension: Suspension | None, at_ms: int) -> bool:
    """Tell whether a suspension counts at a moment, whether or not its end is recorded yet."""
    if suspension is None:
        return False
    return suspension.until_ms is None or at_ms < suspension.until_ms


def obstacle_to_play(wallet: Wallet, player: str, at_ms: int) -> str | None:
    """Return why a player may enter nothing at a moment (PP-CONDUCT)."""
    return "play_suspended" if runs(conduct_of(wallet, player).play, at_ms) else None


def as_seen(suspension: Suspension | None) -> Suspended | None:
    """Return a suspension as the player sees it, without who it was."""
    if suspension is None:
        return None
    return Suspended(suspension.until_ms, suspension.step.reason)
