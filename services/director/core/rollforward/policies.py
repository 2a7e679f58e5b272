"""PP-ROLLFORWARD, BH-RF1, BH-RF2, TDA-ROLLFORWARD: each a pure function from a case to shares.

A share is exact: a term that is certain (`equal`, `entry` or `prize`), and a part by chips. What
the certain terms leave of the pool is the residual.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Literal, NamedTuple

from services.director.core.rollforward.case import Case, Survivor
from shared.poker.rule_sets import RollForward

Certain = Literal["equal", "entry", "prize"]


class Share(NamedTuple):
    """One player's terms in exact cents; the commission does not come out of the pool."""

    certain: Fraction
    by_chips: Fraction
    commission_cents: int


class Shares(NamedTuple):
    """Everybody's shares, in the order of the survivors, and what they come from."""

    kind: Certain
    shares: tuple[Share, ...]
    residual_cents: int
    top_up_cents: int


def shares_of(case: Case) -> Shares:
    """Apply the case's policy; the case has been checked."""
    return POLICIES[case.policy](case)


def half_and_half(case: Case) -> Shares:
    """PP-ROLLFORWARD: half evenly, half by chips, the commission back.

    With `in_the_money = "next_prize"` everybody first gets the prize that is secured already,
    and what is left is split likewise.
    """
    secured = 0
    if case.in_the_money == "next_prize" and case.prizes_won:
        secured = case.next_prize_cents
    residual = case.left_cents - secured * len(case.survivors)
    half, chips = Fraction(residual, 2), case.chips
    return Shares(
        kind="equal",
        shares=tuple(
            Share(
                certain=secured + half / len(case.survivors),
                by_chips=half * survivor.chips / chips,
                commission_cents=commission_of(case, survivor),
            )
            for survivor in case.survivors
        ),
        residual_cents=residual,
        top_up_cents=0,
    )


def entry_back(case: Case) -> Shares:
    """BH-RF1, no prize won: the price of an entry back, the residual by chips.

    What the pool cannot pay of the prices, the operator pays; then there is no residual. The
    price includes the commission, so none comes back beside it.
    """
    refunds = [
        price_of(case, survivor) if case.rf1_refunds == "all_rights" else case.entry_of(survivor)
        for survivor in case.survivors
    ]
    prices = sum(refunds)
    residual, chips = max(case.left_cents - prices, 0), case.chips
    shares = tuple(
        Share(Fraction(refund), by_chips(survivor, residual, chips), 0)
        for survivor, refund in zip(case.survivors, refunds, strict=True)
    )
    return Shares("entry", shares, residual, max(prices - case.left_cents, 0))


def next_prize(case: Case) -> Shares:
    """BH-RF2, a prize won: the prize of the next place to fall, the residual by chips."""
    residual = case.left_cents - case.next_prize_cents * len(case.survivors)
    chips = case.chips
    return Shares(
        kind="prize",
        shares=tuple(
            Share(Fraction(case.next_prize_cents), by_chips(survivor, residual, chips), 0)
            for survivor in case.survivors
        ),
        residual_cents=residual,
        top_up_cents=0,
    )


def big_holdem(case: Case) -> Shares:
    """Which case applies depends on a prize that is won: its winner is out."""
    return next_prize(case) if case.prizes_won else entry_back(case)


def tda(case: Case) -> Shares:
    """TDA-ROLLFORWARD: before the money as PP-ROLLFORWARD, then as BH-RF2; commission back."""
    if len(case.survivors) > len(case.prizes_cents):
        return half_and_half(case)
    found = next_prize(case)
    back = tuple(
        share._replace(commission_cents=commission_of(case, survivor))
        for survivor, share in zip(case.survivors, found.shares, strict=True)
    )
    return found._replace(shares=back)


def refund_all(case: Case) -> Shares:
    """Everybody who entered gets everything paid: the fees out of the pool, the commission too.

    A pool that was shrunk by withdrawals is filled up by the operator; one that a guarantee had
    filled up leaves the difference as residual, which nobody gets.
    """
    paid_in = [price_of(case, held) - commission_of(case, held) for held in case.survivors]
    fees = sum(paid_in)
    return Shares(
        kind="entry",
        shares=tuple(
            Share(Fraction(fee), Fraction(0), commission_of(case, held))
            for held, fee in zip(case.survivors, paid_in, strict=True)
        ),
        residual_cents=max(case.left_cents - fees, 0),
        top_up_cents=max(fees - case.left_cents, 0),
    )


def by_chips(survivor: Survivor, cents: int, chips: int) -> Fraction:
    """Return a player's part of an amount in proportion to all chips."""
    return Fraction(cents * survivor.chips, chips)


def commission_of(case: Case, survivor: Survivor) -> int:
    """Return the commission of all that a player bought."""
    return case.commission_of(survivor) * survivor.entries + survivor.extra_commission_cents


def price_of(case: Case, survivor: Survivor) -> int:
    """Return all that a player paid."""
    return case.entry_of(survivor) * survivor.entries + survivor.extra_cents


POLICIES: dict[RollForward, Callable[[Case], Shares]] = {
    "peoples_poker": half_and_half,
    "big_holdem": big_holdem,
    "tda": tda,
    "refund_all": refund_all,
}
