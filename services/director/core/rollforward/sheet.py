"""The sheet: shares in cents, floored once a player, then the cents left over (Decision)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

import msgspec

from services.director.core.rollforward.case import Case, Survivor
from services.director.core.rollforward.policies import Certain, Share, Shares
from shared.poker.rule_sets import RollForward


class SheetLine(msgspec.Struct, frozen=True, kw_only=True):
    """One player's payout: `total_cents` is certain + chips + rounding + commission.

    The exact terms stand beside their cents as fractions, such as `5000/3`.
    """

    player: str
    chips: int
    certain_cents: int
    chips_cents: int
    rounding_cents: int
    commission_cents: int
    total_cents: int
    certain_exact: str
    chips_exact: str


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A whole payout; `warnings` are for the operator who approves it."""

    policy: RollForward
    certain: Certain
    players: tuple[SheetLine, ...]
    pool_cents: int
    paid_cents: int
    residual_cents: int
    operator_top_up_cents: int
    warnings: tuple[str, ...]


def sheet_of(case: Case, found: Shares) -> Sheet:
    """Write the shares down in cents; what comes out of pool and top-up is exact."""
    totals = in_cents(case.survivors, found.shares)
    return Sheet(
        policy=case.policy,
        certain=found.kind,
        players=tuple(
            line_of(survivor, share, cents)
            for survivor, share, cents in zip(case.survivors, found.shares, totals, strict=True)
        ),
        pool_cents=case.pool_cents,
        paid_cents=case.paid_cents,
        residual_cents=found.residual_cents,
        operator_top_up_cents=found.top_up_cents,
        warnings=tuple(warnings_on(case, totals)),
    )


def in_cents(survivors: Sequence[Survivor], shares: Sequence[Share]) -> tuple[int, ...]:
    """Floor each player's sum once; cents left over go by chips, then table, then seat."""
    exact = [share.certain + share.by_chips for share in shares]
    cents = [floor(amount) for amount in exact]
    left_over = int(sum(exact, start=Fraction(0))) - sum(cents)
    for place in sorted(range(len(cents)), key=lambda i: rank_of(survivors[i]))[:left_over]:
        cents[place] += 1
    return tuple(cents)


def rank_of(survivor: Survivor) -> tuple[int, int, int]:
    """Order survivors for the cents left over."""
    return -survivor.chips, survivor.table, survivor.seat


def line_of(survivor: Survivor, share: Share, cents: int) -> SheetLine:
    """Show one player's terms; rounding is what flooring each of them alone would lose."""
    certain, chips = floor(share.certain), floor(share.by_chips)
    return SheetLine(
        player=survivor.player,
        chips=survivor.chips,
        certain_cents=certain,
        chips_cents=chips,
        rounding_cents=cents - certain - chips,
        commission_cents=share.commission_cents,
        total_cents=cents + share.commission_cents,
        certain_exact=str(share.certain),
        chips_exact=str(share.by_chips),
    )


def warnings_on(case: Case, totals: Sequence[int]) -> Iterator[str]:
    """In the money the literal rule can pay less than the prize already secured."""
    if not case.prizes_won:
        return
    for survivor, cents in zip(case.survivors, totals, strict=True):
        if cents < case.next_prize_cents:
            yield (
                f"{survivor.player} gets {cents} cents, less than the prize of place"
                f" {len(case.survivors)}: {case.next_prize_cents}"
            )
