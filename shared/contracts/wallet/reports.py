"""Reads of the journal, as it stands or as it stood: from the owner's read model, in pages.

A read waits until the read model has all that the journal held when it was asked, so whoever has
just been answered sees what they did; where that takes too long it is `unavailable`. Numbers are
those of journal commits, moments milliseconds since 1970 UTC. A page has at most `ROWS_MAX` rows
and far less than the 512 KiB that a read of a log may have.

Refusals: `account_invalid`, `prefix_invalid`, `unavailable`.
"""

from typing import final

import msgspec

from shared.contracts.message import Command, Reply

ROWS_MAX = 500


@final
class ReadTrialBalance(Command, frozen=True, tag="wallet.read-trial-balance.v1"):
    """Ask for the ledger in short; answered by a `TrialBalance`."""


@final
class ReadBalancesAt(Command, frozen=True, tag="wallet.read-balances-at.v1"):
    """Ask for balances in the order of their accounts' names; answered by a `BalancesPage`.

    Of the accounts whose names begin with `prefix`, those after `after`. As of commit `number`,
    else as of the moment `at_ms`, else as they stand. For the next page ask with `after` =
    the answer's `next_account` and `number` = its `number`: all pages tell of one state.
    """

    prefix: str = ""
    number: int | None = None
    at_ms: int | None = None
    after: str = ""
    limit: int = ROWS_MAX


@final
class ReadPostings(Command, frozen=True, tag="wallet.read-postings.v1"):
    """Ask for what was posted to one ledger account, newest first; answered by a `PostingsPage`.

    Only what commits before `before_number` posted, and up to the moment `at_ms`. What one commit
    posted is never torn apart: a page may be longer than `limit` for it.
    """

    account: str
    before_number: int | None = None
    at_ms: int | None = None
    limit: int = 100


class Purpose(msgspec.Struct, frozen=True):
    """The ledger accounts of one purpose: the part of their names before the `/`."""

    accounts: int
    balance_cents: int


class TrialBalance(Reply, frozen=True):
    """The ledger by purpose as of a commit; `sum_cents` is zero or the journal is broken."""

    number: int
    purposes: dict[str, Purpose]
    sum_cents: int


class Balance(msgspec.Struct, frozen=True):
    """What an account held, and the commit that left it so."""

    account: str
    balance_cents: int
    number: int


class BalancesPage(Reply, frozen=True):
    """Some balances as of commit `number`; `next_account` is "" when there are no more."""

    number: int
    balances: tuple[Balance, ...]
    next_account: str = ""


class Posted(msgspec.Struct, frozen=True):
    """One posting: the commit's number in the log and in its stream, the posting's place in it.

    `event` is the tag of the event that posted; `balance_cents` is the account's balance after it.
    """

    number: int
    n: int
    place: int
    at_ms: int
    event: str
    amount_cents: int
    balance_cents: int


class PostingsPage(Reply, frozen=True):
    """Postings of one account, newest first; the log is read up to `number`.

    `next_number` is what to ask for as `before_number` to read on, None when there are no more.
    """

    account: str
    number: int
    postings: tuple[Posted, ...]
    next_number: int | None = None


ReportRequest = ReadTrialBalance | ReadBalancesAt | ReadPostings
