"""The wallet's language: accounts, and one balanced entry per business act.

Ledger accounts are named by purpose: `cash/<player>`, `hold/<player>`, `pool/<tournament>`,
`commission`, `external`, `unclaimed`. All balances of the journal sum to zero; `external` is
the outside world and runs negative. Amounts are integer euro cents.
"""

from typing import Literal, final

import msgspec

from shared.contracts.message import Command, Event, Reply

AccountStatus = Literal["pending", "identified", "suspended", "closed"]


class Posting(msgspec.Struct, frozen=True):
    """One line of an entry: what one ledger account gained, and what it holds after that."""

    account: str
    amount_cents: int
    balance_cents: int


# --- requests -------------------------------------------------------------------------------


@final
class OpenAccount(Command, frozen=True, tag="wallet.open-account.v1"):
    """Sign a player up (PP-ACCOUNT); the account is pending until identified."""

    player: str
    name: str


@final
class IdentifyAccount(Command, frozen=True, tag="wallet.identify-account.v1"):
    """An operator has checked the signed contract and the identity document (PP-ACCOUNT)."""

    player: str


@final
class Deposit(Command, frozen=True, tag="wallet.deposit.v1"):
    """Money from outside to the player's cash; `reference` names the payment, once for ever."""

    player: str
    amount_cents: int
    reference: str


@final
class ReadAccount(Command, frozen=True, tag="wallet.read-account.v1"):
    """Ask for one player's account; answered by an `AccountView`."""

    player: str


@final
class ReadTrialBalance(Command, frozen=True, tag="wallet.read-trial-balance.v1"):
    """Ask for every ledger account's balance; answered by a `TrialBalance`."""


# --- replies --------------------------------------------------------------------------------


class AccountView(Reply, frozen=True):
    """One player's account as of the answer."""

    player: str
    name: str
    status: AccountStatus
    cash_cents: int
    held_cents: int


class TrialBalance(Reply, frozen=True):
    """All balances by ledger account; `sum_cents` is zero or the journal is broken."""

    balances: dict[str, int]
    sum_cents: int


# --- events ---------------------------------------------------------------------------------


@final
class AccountOpened(Event, frozen=True, tag="wallet.account-opened.v1"):
    player: str
    name: str


@final
class AccountIdentified(Event, frozen=True, tag="wallet.account-identified.v1"):
    player: str


@final
class MoneyDeposited(Event, frozen=True, tag="wallet.money-deposited.v1"):
    player: str
    amount_cents: int
    reference: str
    postings: tuple[Posting, ...]


@final
class EntryHeld(Event, frozen=True, tag="wallet.entry-held.v1"):
    """The price of an entry left the player's cash and waits in the hold."""

    tournament: str
    entry: str
    player: str
    price_cents: int
    postings: tuple[Posting, ...]


@final
class EntryRefused(Event, frozen=True, tag="wallet.entry-refused.v1"):
    """No money is held for this entry, and why."""

    tournament: str
    entry: str
    player: str
    reason: str


@final
class EntryPosted(Event, frozen=True, tag="wallet.entry-posted.v1"):
    """The hold became fee (to the prize pool) and commission (to the operator) (PP-ENTRY)."""

    tournament: str
    entry: str
    player: str
    fee_cents: int
    commission_cents: int
    postings: tuple[Posting, ...]


@final
class EntryReleased(Event, frozen=True, tag="wallet.entry-released.v1"):
    """The hold went back to the player's cash."""

    tournament: str
    entry: str
    player: str
    price_cents: int
    postings: tuple[Posting, ...]


@final
class EntryRefunded(Event, frozen=True, tag="wallet.entry-refunded.v1"):
    """A registered player left before the start and got the price back, less any charge."""

    tournament: str
    entry: str
    player: str
    refund_cents: int
    postings: tuple[Posting, ...]


@final
class PrizePaid(Event, frozen=True, tag="wallet.prize-paid.v1"):
    """A prize left the pool; `credited` says which ledger account took it."""

    tournament: str
    place: int
    player: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]


WalletRequest = OpenAccount | IdentifyAccount | Deposit | ReadAccount | ReadTrialBalance
WalletEvent = (
    AccountOpened
    | AccountIdentified
    | MoneyDeposited
    | EntryHeld
    | EntryRefused
    | EntryPosted
    | EntryReleased
    | EntryRefunded
    | PrizePaid
)
