"""How limits, what is used of them, and self-exclusions change."""

from typing import Final

from msgspec.structs import replace

from services.wallet.core.deadlines import Deadline, with_deadline, without_deadline
from services.wallet.core.handlers import Evolves
from services.wallet.core.limits.calendar import window_at
from services.wallet.core.limits.connected import with_stretch
from services.wallet.core.limits.state import (
    Counted,
    Exclusion,
    Limit,
    Raise,
    Restraint,
    counted_key,
    limit_key,
    taking,
)
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    LimitScheduled,
    LimitSet,
    LimitWindow,
    SelfExcluded,
    SelfExclusionEnded,
    UsageCounted,
)

RAISE: Final = "limit-raise"
EXCLUSION: Final = "self-exclusion"


def limit_set(wallet: Wallet, event: LimitSet) -> Wallet:
    """A limit that goes on keeps what was used of it; one that is new starts with nothing."""
    wallet = without_raise(wallet, event)
    restraint = restraint_of(wallet, event.player)
    key = limit_key(event.kind, event.window)
    limits = {name: limit for name, limit in restraint.limits.items() if name != key}
    if event.amount is not None:
        known = restraint.limits.get(key) or Limit(event.amount, event.at_ms)
        limits[key] = replace(known, amount=event.amount)
    return with_restraint(wallet, event.player, replace(restraint, limits=limits))


def limit_scheduled(wallet: Wallet, event: LimitScheduled) -> Wallet:
    """One raise waits for each limit; another one takes its place."""
    wallet = without_raise(wallet, event)
    restraint = restraint_of(wallet, event.player)
    key = limit_key(event.kind, event.window)
    limit = replace(restraint.limits[key], raised=Raise(event.amount, event.from_ms))
    deadline = raise_deadline(event, event.from_ms)
    wallet = replace(wallet, deadlines=with_deadline(wallet.deadlines, deadline))
    limits = {**restraint.limits, key: limit}
    return with_restraint(wallet, event.player, replace(restraint, limits=limits))


def without_raise(wallet: Wallet, event: LimitSet | LimitScheduled) -> Wallet:
    """Call off the raise that waits for this limit."""
    restraint = restraint_of(wallet, event.player)
    key = limit_key(event.kind, event.window)
    limit = restraint.limits.get(key)
    if limit is None or limit.raised is None:
        return wallet
    deadline = raise_deadline(event, limit.raised.from_ms)
    wallet = replace(wallet, deadlines=without_deadline(wallet.deadlines, deadline))
    limits = {**restraint.limits, key: replace(limit, raised=None)}
    return with_restraint(wallet, event.player, replace(restraint, limits=limits))


def raise_deadline(event: LimitSet | LimitScheduled, at_ms: int) -> Deadline:
    return Deadline(at_ms, RAISE, event.player)


def usage_counted(wallet: Wallet, event: UsageCounted) -> Wallet:
    """What is given back goes only to limits that had taken it."""
    restraint = restraint_of(wallet, event.player)
    key = counted_key(event.kind, event.act)
    windows = taking(restraint, event.kind, event.at_ms)
    if event.act and event.amount < 0:
        counted = wallet.counted[key]
        windows = tuple(window for window in windows if window in counted.windows)
        wallet = replace(wallet, counted=wallet.counted.remove(key))
    elif event.act:
        counted = Counted(event.amount, event.at_ms, windows)
        wallet = replace(wallet, counted=wallet.counted.insert(key, counted))
    return with_restraint(wallet, event.player, with_usage(restraint, event, windows))


def with_usage(
    restraint: Restraint, event: UsageCounted, windows: tuple[LimitWindow, ...]
) -> Restraint:
    """Let the limits of these windows, and the session time there was, take a use."""
    limits = dict(restraint.limits)
    for window in windows:
        key = limit_key(event.kind, window)
        limits[key] = used_more(limits[key], window, event)
    connected = restraint.connected
    if event.kind == "session":
        connected = with_stretch(connected, event.at_ms, event.at_ms + event.amount)
    return replace(restraint, limits=limits, connected=connected)


def used_more(limit: Limit, window: LimitWindow, event: UsageCounted) -> Limit:
    """A window begins with nothing used."""
    from_ms = window_at(window, event.at_ms).from_ms
    used = limit.used if limit.window_from_ms == from_ms else 0
    return replace(limit, window_from_ms=from_ms, used=used + event.amount)


def self_excluded(wallet: Wallet, event: SelfExcluded) -> Wallet:
    """It takes the place of one that was to end earlier."""
    wallet = without_exclusion(wallet, event.player)
    deadlines = wallet.deadlines
    if event.until_ms is not None:
        deadlines = with_deadline(deadlines, Deadline(event.until_ms, EXCLUSION, event.player))
    restraint = restraint_of(wallet, event.player)
    restraint = replace(restraint, exclusion=Exclusion(event.until_ms))
    return with_restraint(replace(wallet, deadlines=deadlines), event.player, restraint)


def self_exclusion_ended(wallet: Wallet, event: SelfExclusionEnded) -> Wallet:
    return without_exclusion(wallet, event.player)


def without_exclusion(wallet: Wallet, player: str) -> Wallet:
    """Return the wallet with this player back, and no end to wait for."""
    restraint = restraint_of(wallet, player)
    exclusion = restraint.exclusion
    if exclusion is None:
        return wallet
    deadlines = wallet.deadlines
    if exclusion.until_ms is not None:
        ending = Deadline(exclusion.until_ms, EXCLUSION, player)
        deadlines = without_deadline(deadlines, ending)
    wallet = replace(wallet, deadlines=deadlines)
    return with_restraint(wallet, player, replace(restraint, exclusion=None))


def restraint_of(wallet: Wallet, player: str) -> Restraint:
    """Return what a player has set; most have set nothing."""
    return wallet.restraints.get(player) or Restraint()


def with_restraint(wallet: Wallet, player: str, restraint: Restraint) -> Wallet:
    """Return the wallet with what this player has set now."""
    return replace(wallet, restraints=wallet.restraints.insert(player, restraint))


EVOLVES: Evolves = {
    LimitSet: limit_set,
    LimitScheduled: limit_scheduled,
    UsageCounted: usage_counted,
    SelfExcluded: self_excluded,
    SelfExclusionEnded: self_exclusion_ended,
}
