"""Money that comes in or back for a payment, and money that is taken back from where it went.

Nobody's balance runs below zero: what is not there any more is the operator's loss, booked on
`chargebacks`; money that comes for the same payment later makes good that loss first.
"""

from typing import NamedTuple

from services.wallet.core.ledger import CHARGEBACKS, UNCLAIMED, balance_of
from services.wallet.core.payments.state import Payment
from services.wallet.core.state import Wallet

Line = tuple[str, int]


class Given(NamedTuple):
    """Lines that credit an amount, `settled_cents` of it to the operator's loss."""

    lines: tuple[Line, ...]
    settled_cents: int


class Taken(NamedTuple):
    """Lines that take an amount back, `spent_cents` of it from the operator."""

    lines: tuple[Line, ...]
    spent_cents: int


def given(payment: Payment, amount_cents: int, credited: str) -> Given:
    """Credit an amount to a ledger account."""
    settled = min(payment.lost_cents, amount_cents)
    return Given(((CHARGEBACKS, settled), (credited, amount_cents - settled)), settled)


def taken(wallet: Wallet, payment: Payment, amount_cents: int, more_cents: int = 0) -> Taken:
    """Take an amount back; of what is unclaimed no more than this payment brought there.

    `more_cents` besides are the operator's in any case.
    """
    credited = payment.credited
    there = min(amount_cents, balance_of(wallet, credited))
    if credited == UNCLAIMED:
        there = min(there, payment.credited_cents)
    spent = amount_cents - there + more_cents
    return Taken(((credited, -there), (CHARGEBACKS, -spent)), spent)
