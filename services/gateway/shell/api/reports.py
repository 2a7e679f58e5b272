"""Reports for operators: the trial balance, balances and postings page by page, and commits."""

from typing import Any

import msgspec
from litestar import get

from services.gateway.shell.access import for_operators
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tokens import Caller
from shared.contracts.commit import hash_of
from shared.contracts.wallet import (
    BalancesPage,
    PostingsPage,
    ReadBalancesAt,
    ReadPostings,
    ReadTrialBalance,
    TrialBalance,
)
from shared.contracts.wallet.reports import ROWS_MAX
from shared.runtime.asking import reply_of

FOR_OPERATORS = for_operators("operators")


class JournalCommit(msgspec.Struct, frozen=True):
    """A commit as it is stored; `sha256` is what the next one names as `prev`."""

    number: int
    sha256: str
    commit: msgspec.Raw


@get("/api/operator/trial-balance", summary="Read the trial balance", **FOR_OPERATORS)
async def trial_balance(gateway: Gateway, caller: Caller) -> TrialBalance:
    """Return the ledger by purpose; `sum_cents` is zero, or the journal is broken."""
    found: TrialBalance = await read(gateway, caller, ReadTrialBalance(), TrialBalance)
    return found


@get("/api/operator/balances", summary="Read balances", **FOR_OPERATORS)
async def balances(
    gateway: Gateway,
    caller: Caller,
    prefix: str = "",
    number: int | None = None,
    at_ms: int | None = None,
    after: str = "",
    limit: int = ROWS_MAX,
) -> BalancesPage:
    """Return balances by ledger account, as of a commit or a moment: `cash/`, `pool/` or all.

    Read on with `after` = `next_account`, and `number` = `number`, until that is empty.
    """
    asked = ReadBalancesAt(prefix=prefix, number=number, at_ms=at_ms, after=after, limit=limit)
    found: BalancesPage = await read(gateway, caller, asked, BalancesPage)
    return found


@get("/api/operator/postings", summary="Read the postings of a ledger account", **FOR_OPERATORS)
async def postings(
    gateway: Gateway,
    caller: Caller,
    account: str,
    before_number: int | None = None,
    at_ms: int | None = None,
    limit: int = 100,
) -> PostingsPage:
    """Return what was posted to an account, newest first; read on with `next_number`."""
    asked = ReadPostings(account=account, before_number=before_number, at_ms=at_ms, limit=limit)
    found: PostingsPage = await read(gateway, caller, asked, PostingsPage)
    return found


@get("/api/operator/journal/{n:int}", summary="Read a commit of the journal", **FOR_OPERATORS)
async def journal_commit(n: int, gateway: Gateway) -> JournalCommit:
    """Return what stands behind a posting: who, why, all postings of the act, and its hash."""
    row = await gateway.owners.read_one("wallet", JOURNAL, n)
    if row is None:
        raise Refusal("unknown_commit")
    return JournalCommit(row.number, hash_of(row.data).hex(), msgspec.Raw(row.data))


async def read(gateway: Gateway, caller: Caller, command: Any, reply: type[Any]) -> Any:
    """Ask the journal's owner."""
    return reply_of(await gateway.ask("wallet", JOURNAL, command, caller.actor), reply)
