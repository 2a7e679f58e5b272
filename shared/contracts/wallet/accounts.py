"""Accounts: signed up, identified, suspended, closed, erased (PP-ACCOUNT), and the bonus."""

from typing import Literal, final

import msgspec

from shared.contracts.message import Command, Event, Reply
from shared.contracts.wallet.conduct import Suspended
from shared.contracts.wallet.ledger import Posting

AccountStatus = Literal["pending", "identified", "suspended", "closed"]

NAMES_MAX = 200  # Players whose names one read may ask for.


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who a player is, as on the identity document; `born` is written `YYYY-MM-DD`.

    It is in no event but as ciphertext under a key of this one person, which can be erased, and
    in no log line: its repr tells nothing.
    """

    name: str
    born: str
    email: str
    document: str

    def __repr__(self) -> str:
        return "<Person withheld>"


@final
class OpenAccount(Command, frozen=True, tag="wallet.open-account.v1"):
    """Sign a player up (PP-ACCOUNT); the account is pending until identified."""

    player: str
    name: str

    def __repr__(self) -> str:
        return f"OpenAccount(player={self.player!r}, name withheld)"


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


@final
class ReadNames(Command, frozen=True, tag="wallet.read-names.v1"):
    """Ask what some players go by, at most `NAMES_MAX`; answered by a `NamesView`."""

    players: tuple[str, ...]


@final
class ReadPerson(Command, frozen=True, tag="wallet.read-person.v1"):
    """Ask who a player is, as filed; answered by a `PersonView`. For operators only."""

    player: str


class NamesView(Reply, frozen=True):
    """Names by player: "" for who was erased; whom nobody knows, or can read now, is missing."""

    names: dict[str, str]


class PersonView(Reply, frozen=True):
    """Who a player is; None when nothing was filed, or the person was erased."""

    player: str
    person: Person | None


class AccountView(Reply, frozen=True):
    """One player's account as of the answer; `name` is "" where it cannot be read.

    Of the cash, `withdrawable_cents` is not locked by a bonus (PP-BONUS).
    """

    player: str
    name: str
    status: AccountStatus
    cash_cents: int
    held_cents: int
    withdrawable_cents: int = 0
    contract_filed: bool = False
    warnings: int = 0
    chat_suspended: Suspended | None = None
    play_suspended: Suspended | None = None


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
    | ReadNames
    | ReadPerson
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
