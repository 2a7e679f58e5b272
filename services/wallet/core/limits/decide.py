"""What players ask of themselves (BP-RESPONSIBLE), and the time that they were connected.

Lowering a limit counts at once, raising it after the cooling-off time; who has said to stay away
cannot come back earlier. A request is refused for the first of these that holds:

    player_id_invalid
    limit_invalid            SetLimit: less than nothing, or more than LIMIT_MAX
    until_in_the_past        ExcludeSelf: it would be over already
    until_too_far            ExcludeSelf: more than a hundred years; for good is without an end
    session_invalid          CountSession: not from a moment to a later one, at most a day, till now
    unknown_account
    account_closed           SetLimit, ExcludeSelf
    already_excluded_longer  ExcludeSelf
"""

from typing import Final

from services.wallet.core.accounts.finding import account_of
from services.wallet.core.accounts.state import Account
from services.wallet.core.handlers import Decides, Decision, Ends
from services.wallet.core.limits.connected import uncounted
from services.wallet.core.limits.evolve import EXCLUSION, RAISE, restraint_of
from services.wallet.core.limits.state import KINDS, Limit, limit_key, limits_of
from services.wallet.core.rules import DAY_MS, Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    CountSession,
    ExcludeSelf,
    LimitScheduled,
    LimitSet,
    ReadLimits,
    SelfExcluded,
    SelfExclusionEnded,
    SetLimit,
    UsageCounted,
    WalletEvent,
)
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.kernel.outages import Stretch

LIMIT_MAX: Final = 10_000_000_000
EXCLUSION_MAX_MS: Final = 100 * 366 * DAY_MS
SESSION_MAX_MS: Final = DAY_MS
AHEAD_MAX_MS: Final = 60_000


def set_limit(wallet: Wallet, request: SetLimit, now: Now) -> Decision:
    """A first or lower limit counts at once; one that is raised or lifted does so later."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if request.amount is not None and not 0 <= request.amount <= LIMIT_MAX:
        return Refused("limit_invalid", f"from 0 to {LIMIT_MAX}")
    account = open_account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    key = limit_key(request.kind, request.window)
    limit = restraint_of(wallet, request.player).limits.get(key)
    if limit is None:
        return () if request.amount is None else (limit_set(request, now),)
    if request.amount is None or request.amount > limit.amount:
        return raised(limit, request, now)
    if request.amount == limit.amount and limit.raised is None:
        return ()
    return (limit_set(request, now),)


def raised(limit: Limit, request: SetLimit, now: Now) -> tuple[WalletEvent, ...]:
    """The same raise again does not wait anew; another one does."""
    if limit.raised is not None and limit.raised.amount == request.amount:
        return ()
    scheduled = LimitScheduled(
        player=request.player,
        kind=request.kind,
        window=request.window,
        amount=request.amount,
        from_ms=now.at_ms + now.rules.cooling_off_ms,
    )
    return (scheduled,)


def limit_set(request: SetLimit, now: Now) -> LimitSet:
    return LimitSet(
        player=request.player,
        kind=request.kind,
        window=request.window,
        amount=request.amount,
        at_ms=now.at_ms,
    )


def exclude_self(wallet: Wallet, request: ExcludeSelf, now: Now) -> Decision:
    """Staying away can be made longer, never shorter."""
    until_ms = request.until_ms
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if until_ms is not None and until_ms <= now.at_ms:
        return Refused("until_in_the_past")
    if until_ms is not None and until_ms > now.at_ms + EXCLUSION_MAX_MS:
        return Refused("until_too_far", "for good is without an end")
    account = open_account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    exclusion = restraint_of(wallet, request.player).exclusion
    if exclusion is not None and exclusion.until_ms == until_ms:
        return ()
    if exclusion is not None and is_longer(exclusion.until_ms, until_ms):
        return Refused("already_excluded_longer")
    return (SelfExcluded(player=request.player, until_ms=until_ms),)


def is_longer(until_ms: int | None, than_ms: int | None) -> bool:
    """Tell whether one end comes after another; for good comes last."""
    return than_ms is not None and (until_ms is None or until_ms > than_ms)


def count_session(wallet: Wallet, request: CountSession, now: Now) -> Decision:
    """Count what was not counted yet, for players who have a limit of session time."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if not 0 < request.to_ms - request.from_ms <= SESSION_MAX_MS:
        return Refused("session_invalid", f"longer than nothing, at most {SESSION_MAX_MS} ms")
    if request.from_ms < 0 or request.to_ms > now.at_ms + AHEAD_MAX_MS:
        return Refused("session_invalid", "it lies in the future, or before all time")
    if request.player not in wallet.accounts:
        return Refused("unknown_account")
    restraint = restraint_of(wallet, request.player)
    since_ms = [limit.since_ms for _, limit in limits_of(restraint, "session")]
    if not since_ms:
        return ()
    said = Stretch(max(request.from_ms, min(since_ms)), request.to_ms)
    return tuple(
        UsageCounted(
            player=request.player, kind="session", amount=part.length_ms, at_ms=part.from_ms
        )
        for part in uncounted(said, restraint.connected, since_ms)
    )


def read_limits(wallet: Wallet, request: ReadLimits, _now: Now) -> Decision:
    """Reading records nothing; the view is made after the decision."""
    return () if request.player in wallet.accounts else Refused("unknown_account")


def open_account_of(wallet: Wallet, player: str) -> Account | Refused:
    """Find an account that was not closed; a limit can be set before and in any other state."""
    account = account_of(wallet, player)
    if isinstance(account, Account) and account.status == "closed":
        return Refused("account_closed")
    return account


def end_raises(wallet: Wallet, player: str, now: Now) -> tuple[WalletEvent, ...]:
    """The cooling-off time of one raise, or of several, is over."""
    restraint = restraint_of(wallet, player)
    return tuple(
        LimitSet(
            player=player,
            kind=kind,
            window=window,
            amount=limit.raised.amount,
            at_ms=now.at_ms,
        )
        for kind in KINDS
        for window, limit in limits_of(restraint, kind)
        if limit.raised is not None and limit.raised.from_ms <= now.at_ms
    )


def end_exclusion(wallet: Wallet, player: str, now: Now) -> tuple[WalletEvent, ...]:
    """Nobody has to be asked back."""
    exclusion = restraint_of(wallet, player).exclusion
    if exclusion is None or exclusion.until_ms is None or exclusion.until_ms > now.at_ms:
        return ()
    return (SelfExclusionEnded(player=player),)


DECIDES: Decides = {
    SetLimit: set_limit,
    ExcludeSelf: exclude_self,
    CountSession: count_session,
    ReadLimits: read_limits,
}
ENDS: Ends = {RAISE: end_raises, EXCLUSION: end_exclusion}
