"""Reads of the journal as it stands."""

from typing import final

from shared.contracts.message import Command, Reply


@final
class ReadTrialBalance(Command, frozen=True, tag="wallet.read-trial-balance.v1"):
    """Ask for every ledger account's balance; answered by a `TrialBalance`."""


class TrialBalance(Reply, frozen=True):
    """All balances by ledger account; `sum_cents` is zero or the journal is broken."""

    balances: dict[str, int]
    sum_cents: int


ReportRequest = ReadTrialBalance
