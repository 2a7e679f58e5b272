"""A player's limits as they see them themselves."""

from collections.abc import Iterator

from services.wallet.core.limits.calendar import window_at
from services.wallet.core.limits.evolve import restraint_of
from services.wallet.core.limits.state import KINDS, Limit, Restraint, limits_of, used_at
from services.wallet.core.state import Wallet
from shared.contracts.wallet import LimitKind, LimitsView, LimitView, LimitWindow


def limits_view(wallet: Wallet, player: str, at_ms: int) -> LimitsView:
    """Show what a player has set, and what is used in the windows that a moment lies in."""
    restraint = restraint_of(wallet, player)
    exclusion = restraint.exclusion if restraint.is_excluded(at_ms) else None
    return LimitsView(
        player=player,
        limits=tuple(views_of(restraint, at_ms)),
        excluded=exclusion is not None,
        excluded_until_ms=None if exclusion is None else exclusion.until_ms,
    )


def views_of(restraint: Restraint, at_ms: int) -> Iterator[LimitView]:
    """Walk all limits, kind by kind."""
    for kind in KINDS:
        for window, limit in limits_of(restraint, kind):
            yield limit_view(kind, window, limit, at_ms)


def limit_view(kind: LimitKind, window: LimitWindow, limit: Limit, at_ms: int) -> LimitView:
    """Show one limit."""
    from_ms, to_ms = window_at(window, at_ms)
    raised = limit.raised
    return LimitView(
        kind=kind,
        window=window,
        amount=limit.amount,
        used=used_at(limit, window, at_ms),
        from_ms=from_ms,
        to_ms=to_ms,
        raise_to=None if raised is None else raised.amount,
        raise_from_ms=None if raised is None else raised.from_ms,
    )
