"""What tests of limits begin with: a moment, players with money, and limits in few words."""

from datetime import UTC, datetime
from itertools import chain

from services.wallet.core import WalletRules, respond
from shared.contracts.director import EntryRequested, PlayerRegistered
from shared.contracts.message import TimerFired
from shared.contracts.wallet import (
    Deposit,
    ExcludeSelf,
    LimitScheduled,
    LimitSet,
    ReadLimits,
    SetLimit,
    UsageCounted,
)
from tests.core.wallet.given import ANN, BEA, DECIDER, after as told, entry as entry_of, person

NOON = 1_773_144_000_000  # Tuesday, 10 March 2026, 12:00 UTC.
HOUR_MS = 3_600_000
COOLING_MS = WalletRules().cooling_off_ms
FIRED = TimerFired(name="deadline")


def ms(text):
    """Read a moment of UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000


def limit(kind, window, amount, player=ANN):
    return SetLimit(player=player, kind=kind, window=window, amount=amount)


def limit_set(request, at_ms=NOON):
    return LimitSet(
        player=request.player,
        kind=request.kind,
        window=request.window,
        amount=request.amount,
        at_ms=at_ms,
    )


def scheduled(request, at_ms=NOON):
    return LimitScheduled(
        player=request.player,
        kind=request.kind,
        window=request.window,
        amount=request.amount,
        from_ms=at_ms + COOLING_MS,
    )


def used(kind, amount, at_ms=NOON, act=""):
    return UsageCounted(player=ANN, kind=kind, amount=amount, at_ms=at_ms, act=act)


def entry(n=1):
    return entry_of(ANN, n=n)


def requested(cents, n=1):
    return EntryRequested(**entry(n), fee_cents=cents, commission_cents=0, deadline_ms=0)


def registered(cents, n=1):
    return PlayerRegistered(**entry(n), fee_cents=cents, commission_cents=0)


def deposit(cents, reference):
    return Deposit(player=ANN, amount_cents=cents, reference=reference)


def away(until_ms):
    return ExcludeSelf(player=ANN, until_ms=until_ms)


def after(wallet, *steps):
    """Take steps, each a command at noon or a pair of a command and its moment; all accepted."""
    for step in steps:
        command, at_ms = step if isinstance(step, tuple) else (step, NOON)
        _, wallet = DECIDER.step(wallet, command, at_ms)
    return wallet


def decided(wallet, command, at_ms=NOON):
    return DECIDER.decide(wallet, command, at_ms)


def seen(wallet, at_ms=NOON):
    """What Ann is shown."""
    return respond(wallet, ReadLimits(player=ANN, at_ms=at_ms))


PLAYERS = told(*chain(person(ANN), person(BEA)))
RICH = after(PLAYERS, deposit(100_000, "first"))
