"""The ledger of a wallet's state, whole, as tests compare it."""

from typing import NamedTuple

from services.wallet.core import Wallet


class TrialBalance(NamedTuple):
    """All balances by ledger account, in the order of their names, and their sum."""

    balances: dict[str, int]
    sum_cents: int


def trial_balance(wallet: Wallet) -> TrialBalance:
    """List every ledger account that was ever posted to."""
    balances = dict(wallet.balances.items())
    return TrialBalance(balances, sum(balances.values()))
