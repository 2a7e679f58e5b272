"""Wallet history folded to state: never refuses, never branches on rules."""

from typing import assert_never

from msgspec.structs import replace

from services.wallet.core.state import Account, Entry, Payment, Prize, Wallet, prize_key
from shared.contracts.wallet import (
    AccountIdentified,
    AccountOpened,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    MoneyDeposited,
    Posting,
    PrizePaid,
    WalletEvent,
)
from shared.kernel.pmap import PMap


def evolve(wallet: Wallet, event: WalletEvent) -> Wallet:
    """Apply one recorded fact."""
    match event:
        case AccountOpened() | AccountIdentified():
            return with_account(wallet, event)
        case MoneyDeposited():
            payment = Payment(event.player, event.amount_cents)
            return replace(
                wallet,
                payments=wallet.payments.insert(event.reference, payment),
                balances=after(wallet.balances, event.postings),
            )
        case EntryHeld() | EntryPosted() | EntryReleased() | EntryRefunded():
            return replace(
                wallet,
                entries=wallet.entries.insert(event.entry, entry_after(wallet, event)),
                balances=after(wallet.balances, event.postings),
            )
        case EntryRefused():
            refused = Entry(event.tournament, event.player, "refused")
            return replace(wallet, entries=wallet.entries.insert(event.entry, refused))
        case PrizePaid():
            key = prize_key(event.tournament, event.place)
            return replace(
                wallet,
                prizes=wallet.prizes.insert(key, Prize(event.player, event.amount_cents)),
                balances=after(wallet.balances, event.postings),
            )
        case _:
            assert_never(event)


def with_account(wallet: Wallet, event: AccountOpened | AccountIdentified) -> Wallet:
    """Open an account, or move it on (PP-ACCOUNT)."""
    match event:
        case AccountOpened():
            account = Account(event.name, "pending")
        case AccountIdentified():
            account = replace(wallet.accounts[event.player], status="identified")
    return replace(wallet, accounts=wallet.accounts.insert(event.player, account))


def entry_after(
    wallet: Wallet, event: EntryHeld | EntryPosted | EntryReleased | EntryRefunded
) -> Entry:
    """Return the entry at its next stage; an entry may end before it was ever held."""
    match event:
        case EntryHeld():
            return Entry(event.tournament, event.player, "held", event.price_cents)
        case EntryPosted():
            entry = wallet.entries[event.entry]
            return replace(entry, stage="posted", fee_cents=event.fee_cents)
        case EntryReleased():
            return Entry(event.tournament, event.player, "released", event.price_cents)
        case EntryRefunded():
            return replace(wallet.entries[event.entry], stage="refunded")


def after(balances: PMap[str, int], postings: tuple[Posting, ...]) -> PMap[str, int]:
    """Return the balances that the postings state."""
    for posting in postings:
        balances = balances.insert(posting.account, posting.balance_cents)
    return balances
