"""What the acts of players with limits use of them, recorded in the decision of the act itself.

A stake counts when its price is held, whether by cash or by a ticket, and a deposit when it is
asked for, or else when it is there; what comes of neither is given back to the window that it
was used in. Prizes, tickets won and payouts lessen the loss. Gifts of the operator, corrections,
and what the provider takes back after it was paid in count for nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from services.wallet.core.limits.state import counted_key, taking
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    BountyPaid,
    DepositConfirmed,
    DepositFailed,
    DepositRequested,
    EntryHeld,
    EntryRefunded,
    EntryReleased,
    LimitKind,
    MoneyDeposited,
    PayoutPaid,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
    UsageCounted,
)


class Use(NamedTuple):
    """So much of the limits of one kind; `act` may give it back, with the moment of then."""

    kind: LimitKind
    amount: int
    at_ms: int
    act: str = ""


Uses = Iterator[Use]


def usage_of(wallet: Wallet, event: Any, at_ms: int) -> tuple[UsageCounted, ...]:
    """Return what an event, just recorded, uses of its player's limits; most have none."""
    uses = USES.get(type(event))
    restraint = None if uses is None else wallet.restraints.get(event.player)
    if uses is None or restraint is None:
        return ()
    return tuple(
        UsageCounted(player=event.player, kind=kind, amount=amount, at_ms=used_ms, act=act)
        for kind, amount, used_ms, act in uses(wallet, event, at_ms)
        if amount and taking(restraint, kind, used_ms)
    )


def staked(_wallet: Wallet, event: EntryHeld, at_ms: int) -> Uses:
    yield Use("stake", event.price_cents, at_ms, event.entry)
    yield Use("loss", event.price_cents, at_ms, event.entry)


def released(wallet: Wallet, event: EntryReleased, _at_ms: int) -> Uses:
    return unstaked(wallet, event.entry, event.price_cents)


def refunded(wallet: Wallet, event: EntryRefunded, _at_ms: int) -> Uses:
    """What is charged for leaving stays staked, and lost."""
    return unstaked(wallet, event.entry, event.refund_cents)


def unstaked(wallet: Wallet, entry: str, amount: int) -> Uses:
    """Give back what was counted; an entry from before a limit was not."""
    kinds: tuple[LimitKind, ...] = ("stake", "loss")
    for kind in kinds:
        counted = wallet.counted.get(counted_key(kind, entry))
        if counted is not None:
            yield Use(kind, -amount, counted.at_ms, entry)


def prize_won(_wallet: Wallet, event: PrizePaid | BountyPaid | StagePrizePaid, at_ms: int) -> Uses:
    yield Use("loss", -event.amount_cents, at_ms)


def ticket_won(_wallet: Wallet, event: TicketIssued, at_ms: int) -> Uses:
    yield Use("loss", -event.value_cents, at_ms)


def paid_out(_wallet: Wallet, event: PayoutPaid, at_ms: int) -> Uses:
    yield Use("loss", -(event.pool_cents + event.commission_cents + event.top_up_cents), at_ms)


def deposited(_wallet: Wallet, event: MoneyDeposited, at_ms: int) -> Uses:
    yield Use("deposit", event.amount_cents, at_ms)


def deposit_requested(_wallet: Wallet, event: DepositRequested, at_ms: int) -> Uses:
    yield Use("deposit", event.amount_cents, at_ms, event.payment)


def deposit_failed(wallet: Wallet, event: DepositFailed, _at_ms: int) -> Uses:
    counted = wallet.counted.get(counted_key("deposit", event.payment))
    if counted is not None:
        yield Use("deposit", -counted.amount, counted.at_ms, event.payment)


def deposit_confirmed(wallet: Wallet, event: DepositConfirmed, at_ms: int) -> Uses:
    """What was not counted when it was asked for, or was given back as failed, is there now."""
    if counted_key("deposit", event.payment) not in wallet.counted:
        yield Use("deposit", event.amount_cents, at_ms)


USES: Final[Mapping[type[Any], Callable[[Wallet, Any, int], Uses]]] = {
    EntryHeld: staked,
    EntryReleased: released,
    EntryRefunded: refunded,
    PrizePaid: prize_won,
    BountyPaid: prize_won,
    StagePrizePaid: prize_won,
    TicketIssued: ticket_won,
    PayoutPaid: paid_out,
    MoneyDeposited: deposited,
    DepositRequested: deposit_requested,
    DepositFailed: deposit_failed,
    DepositConfirmed: deposit_confirmed,
}
