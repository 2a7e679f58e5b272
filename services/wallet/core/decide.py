"""Wallet rules: which events a request or an upstream fact causes, or why it is refused."""

from typing import assert_never

from services.wallet.core.accounts import (
    Decision,
    deposit,
    identify_account,
    open_account,
    read_account,
)
from services.wallet.core.entries import (
    EntryFact,
    hold_entry,
    post_entry,
    refund_entry,
    release_entry,
)
from services.wallet.core.evolve import evolve
from services.wallet.core.prizes import pay_prize
from services.wallet.core.state import Wallet
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
)
from shared.contracts.wallet import (
    Deposit,
    IdentifyAccount,
    OpenAccount,
    ReadAccount,
    ReadTrialBalance,
    WalletEvent,
    WalletRequest,
)
from shared.kernel.decider import Refused

WalletFact = EntryFact | PrizeDue
WalletCommand = WalletRequest | WalletFact


def step(
    wallet: Wallet, command: WalletCommand, _at_ms: int
) -> tuple[tuple[WalletEvent, ...], Wallet] | Refused:
    """Decide and apply; no rule of the wallet depends on the moment yet."""
    decision = decide(wallet, command)
    if isinstance(decision, Refused):
        return decision
    for event in decision:
        wallet = evolve(wallet, event)
    return decision, wallet


def decide(wallet: Wallet, command: WalletCommand) -> Decision:
    """Requests can be refused, facts cannot."""
    match command:
        case OpenAccount():
            return open_account(wallet, command)
        case IdentifyAccount():
            return identify_account(wallet, command)
        case Deposit():
            return deposit(wallet, command)
        case ReadAccount():
            return read_account(wallet, command)
        case ReadTrialBalance():
            return ()
        case _:
            return follow(wallet, command)


def follow(wallet: Wallet, fact: WalletFact) -> tuple[WalletEvent, ...]:
    """Work off one of the director's facts."""
    match fact:
        case EntryRequested():
            return hold_entry(wallet, fact)
        case PlayerRegistered():
            return post_entry(wallet, fact)
        case EntryDeclined() | EntryExpired():
            return release_entry(wallet, fact)
        case PlayerUnregistered():
            return refund_entry(wallet, fact)
        case PrizeDue():
            return pay_prize(wallet, fact)
        case _:
            assert_never(fact)
