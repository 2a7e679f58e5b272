"""Accounts: signed up, identified, suspended, closed, erased (PP-ACCOUNT), and the bonus."""

from typing import Literal, final

import msgspec

from shared.contracts.message import Command, Event, Reply
from shared.contracts.wallet.ledger import Posting

AccountStatus = Literal["pending", "identified", "suspended", "closed"]


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who a player is, as on the identity document; `born` is written `YYYY-MM-DD`.

    It is in no event but as ciphertext under a key of this one person, which can be erased.
    """

    name: str
    born: str
    email: str
    document: str


@final
class OpenAccount(Command, frozen=True, tag="wallet.open-account.v1"):
    """Sign a player up (PP-ACCOUNT); the account is pending until identified."""

    player: str
    name: str


@final
class FileContract(Command, frozen=True, tag="wallet.file-contract.v1"):
    """The player has sent the signed contract and the identity document (PP-ACCOUNT)."""

    player: str
    person: Person


@final
class IdentifyAccount(Command, frozen=True, tag="wallet.identify-account.v1"):
    """An operator has checked the signed contract and the identity document (PP-ACCOUNT)."""

    player: str


@final
class SuspendAccount(Command, frozen=True, tag="wallet.suspend-account.v1"):
    """Nothing goes in, out or to a table until the account is reinstated."""

    player: str
    author: str
    reason: str


@final
class ReinstateAccount(Command, frozen=True, tag="wallet.reinstate-account.v1"):
    """A suspended account is identified again."""

    player: str
    author: str
    reason: str


@final
class CloseAccount(Command, frozen=True, tag="wallet.close-account.v1"):
    """End an account for good; its money has to have gone before."""

    player: str
    author: str
    reason: str


@final
class ErasePerson(Command, frozen=True, tag="wallet.erase-person.v1"):
    """Forget who the player of a closed account was; money and hashes stay."""

    player: str
    author: str


@final
class ReadAccount(Command, frozen=True, tag="wallet.read-account.v1"):
    """Ask for one player's account; answered by an `AccountView`."""

    player: str


class AccountView(Reply, frozen=True):
    """One player's account as of the answer."""

    player: str
    name: str
    status: AccountStatus
    cash_cents: int
    held_cents: int


@final
class AccountOpened(Event, frozen=True, tag="wallet.account-opened.v1"):
    """`sealed` is the name a player goes by; `name` has it in clear in old commits only."""

    player: str
    name: str = ""
    sealed: bytes = b""


@final
class ContractFiled(Event, frozen=True, tag="wallet.contract-filed.v1"):
    """`sealed` is the `Person`, under the key of this player."""

    player: str
    sealed: bytes


@final
class AccountIdentified(Event, frozen=True, tag="wallet.account-identified.v1"):
    player: str


@final
class AccountSuspended(Event, frozen=True, tag="wallet.account-suspended.v1"):
    player: str
    author: str
    reason: str


@final
class AccountReinstated(Event, frozen=True, tag="wallet.account-reinstated.v1"):
    player: str
    author: str
    reason: str


@final
class AccountClosed(Event, frozen=True, tag="wallet.account-closed.v1"):
    player: str
    author: str
    reason: str


@final
class ErasureOrdered(Event, frozen=True, tag="wallet.erasure-ordered.v1"):
    """The key is to be destroyed; from now on nothing is sealed for this person."""

    player: str
    author: str


@final
class PersonErased(Event, frozen=True, tag="wallet.person-erased.v1"):
    """The key is gone: what was sealed under it is noise."""

    player: str


@final
class BonusGranted(Event, frozen=True, tag="wallet.bonus-granted.v1"):
    """PP-BONUS: the first deposit was large enough; what may not be withdrawn stays locked."""

    player: str
    amount_cents: int
    locked_cents: int
    postings: tuple[Posting, ...]


AccountRequest = (
    OpenAccount
    | FileContract
    | IdentifyAccount
    | SuspendAccount
    | ReinstateAccount
    | CloseAccount
    | ErasePerson
    | ReadAccount
)
AccountEvent = (
    AccountOpened
    | ContractFiled
    | AccountIdentified
    | AccountSuspended
    | AccountReinstated
    | AccountClosed
    | ErasureOrdered
    | PersonErased
    | BonusGranted
)
