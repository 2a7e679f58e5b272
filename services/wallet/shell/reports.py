"""Reads of the journal, answered from its read model (`shared/contracts/wallet/reports.py`)."""

from collections.abc import Mapping
from typing import Any, LiteralString

from shared.contracts.commit import moment
from shared.contracts.message import Reply
from shared.contracts.wallet import (
    Balance,
    BalancesPage,
    Posted,
    PostingsPage,
    Purpose,
    ReadBalancesAt,
    ReadPostings,
    ReadTrialBalance,
    TrialBalance,
)
from shared.contracts.wallet.reports import ROWS_MAX
from shared.kernel.decider import Refused
from shared.runtime.projection import Read, Reading

NAME_CHARACTERS_MAX = 256
AFTER_ALL_NAMES = "\U0010ffff"
MOMENT_MS_MAX = 253_402_300_799_999  # The last of the year 9999: four digits are all we write.

BY_PURPOSE: LiteralString = (
    "SELECT split_part(account, '/', 1) AS purpose, count(*) AS accounts,"
    " sum(balance_cents) AS cents, (SELECT reached FROM {read_model}) AS reached"
    " FROM {balances} GROUP BY purpose ORDER BY purpose"
)
HELD: LiteralString = (
    "SELECT account, held.balance_cents, held.number FROM {balances} CROSS JOIN LATERAL"
    " (SELECT p.balance_cents, p.number FROM {postings} p WHERE p.account = {balances}.account"
    " AND p.number <= %(upto)s ORDER BY p.number DESC, p.place DESC LIMIT 1) AS held"
    " WHERE account > %(after)s AND account >= %(prefix)s AND account < %(end)s"
    " ORDER BY account LIMIT %(limit)s"
)
POSTED: LiteralString = (
    "SELECT number, n, place, at_ms, event, amount_cents, balance_cents FROM {postings}"
    " WHERE account = %(account)s AND number < %(before)s"
    " ORDER BY number DESC FETCH FIRST %(limit)s ROWS WITH TIES"
)
LAST_BEFORE: LiteralString = (
    "WITH RECURSIVE halved (low, high) AS (SELECT 0::int8, %(number)s::int8 UNION ALL"
    " SELECT CASE WHEN middle.at <= %(at)s THEN middle.number ELSE low END,"
    " CASE WHEN middle.at <= %(at)s THEN high ELSE middle.number - 1 END"
    " FROM halved CROSS JOIN LATERAL (SELECT notification_id AS number,"
    " convert_from(state, 'UTF8')::json ->> 'at' AS at FROM {commits}"
    " WHERE notification_id = (low + high + 1) / 2) AS middle WHERE low < high)"
    " SELECT low FROM halved ORDER BY high - low LIMIT 1"
)


async def trial_balance(reading: Reading, _read: ReadTrialBalance) -> Reply:
    """Sum the ledger up by purpose; the sum of all is told, not believed."""
    rows = await reading.select(BY_PURPOSE)
    purposes = {row["purpose"]: Purpose(row["accounts"], int(row["cents"])) for row in rows}
    return TrialBalance(
        number=rows[0]["reached"] if rows else reading.number,
        purposes=purposes,
        sum_cents=sum(purpose.balance_cents for purpose in purposes.values()),
    )


async def balances_at(reading: Reading, read: ReadBalancesAt) -> Reply | Refused:
    """List what accounts held after a commit, from the last posting of each up to there."""
    if not (is_text(read.prefix) and is_text(read.after)):
        return Refused("prefix_invalid")
    number = await number_at(reading, read.at_ms)
    if read.number is not None:
        number = min(max(read.number, 0), reading.number)
    limit = limited(read.limit)
    rows = await reading.select(
        HELD,
        upto=number,
        after=read.after,
        prefix=read.prefix,
        end=read.prefix + AFTER_ALL_NAMES,
        limit=limit,
    )
    held = tuple([Balance(**row) for row in rows])
    more = held[-1].account if len(held) == limit else ""
    return BalancesPage(number=number, balances=held, next_account=more)


async def postings(reading: Reading, read: ReadPostings) -> Reply | Refused:
    """List what was posted to an account, whole commits, newest first."""
    if not read.account or not is_text(read.account):
        return Refused("account_invalid")
    before = await number_at(reading, read.at_ms) + 1
    if read.before_number is not None:
        before = min(max(read.before_number, 0), before)
    limit = limited(read.limit)
    rows = await reading.select(POSTED, account=read.account, before=before, limit=limit)
    found = sorted([Posted(**row) for row in rows], key=newest_first)
    return PostingsPage(
        account=read.account,
        number=reading.number,
        postings=tuple(found),
        next_number=found[-1].number if len(found) >= limit else None,
    )


async def number_at(reading: Reading, at_ms: int | None) -> int:
    """Return the last commit up to a moment: the journal's moments never go back."""
    if at_ms is None:
        return reading.number
    at = moment(min(max(at_ms, 0), MOMENT_MS_MAX))
    rows = await reading.select(LAST_BEFORE, at=at)
    return int(rows[0]["low"])


def newest_first(posted: Posted) -> tuple[int, int]:
    return (-posted.number, -posted.place)


def limited(limit: int) -> int:
    """Return how many rows to read at most."""
    return max(1, min(limit, ROWS_MAX))


def is_text(name: str) -> bool:
    """Names of ledger accounts are short and printable; what is not cannot be one."""
    return len(name) <= NAME_CHARACTERS_MAX and name.isprintable()


READS: Mapping[type[Any], Read] = {
    ReadTrialBalance: trial_balance,
    ReadBalancesAt: balances_at,
    ReadPostings: postings,
}
