"""Whose money it is: the trial balance by purpose, and the players' funds beside what is there.

All the money that came from outside and has not gone back is at the bank: minus the balance of
`external`. It has to cover what belongs to players; what is left is the operator's own.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from services.cli.wallet.acts import Act

CASH, IN_PLAY, PENDING = ("cash",), ("hold", "pool", "ticket"), ("withdrawal",)


class PlayerFunds(msgspec.Struct, frozen=True):
    """One player's money: what can be spent, what entries set aside, what is on its way out."""

    player: str
    cash_cents: int
    held_cents: int
    pending_cents: int


class Funds(msgspec.Struct, frozen=True):
    """`surplus_cents` is the operator's own money at the bank; below zero some is missing there."""

    cash_cents: int
    in_play_cents: int
    pending_cents: int
    unclaimed_cents: int
    players_cents: int
    segregated_cents: int
    surplus_cents: int
    players: tuple[PlayerFunds, ...]


def balances_of(acts: Iterable[Act]) -> dict[str, int]:
    """Add up all postings by ledger account, in the order of their names."""
    sums: Counter[str] = Counter()
    for act in acts:
        for posting in act.postings:
            sums[posting.account] += posting.amount_cents
    return dict(sorted(sums.items()))


def purpose_of(account: str) -> str:
    """Return what a ledger account is for: `cash` of `cash/ply_ann`."""
    return account.partition("/")[0]


def by_purpose(balances: Mapping[str, int]) -> dict[str, int]:
    """Add up balances of one purpose."""
    sums: Counter[str] = Counter()
    for account, cents in balances.items():
        sums[purpose_of(account)] += cents
    return dict(sorted(sums.items()))


def funds_of(balances: Mapping[str, int]) -> Funds:
    """Report the players' funds against the money that is at the bank."""
    sums = Counter(by_purpose(balances))
    cash, in_play, pending = (
        sum(sums[purpose] for purpose in purposes) for purposes in (CASH, IN_PLAY, PENDING)
    )
    players = cash + in_play + pending + sums["unclaimed"]
    segregated = -sums["external"]
    return Funds(
        cash_cents=cash,
        in_play_cents=in_play,
        pending_cents=pending,
        unclaimed_cents=sums["unclaimed"],
        players_cents=players,
        segregated_cents=segregated,
        surplus_cents=segregated - players,
        players=tuple(players_in(balances)),
    )


def players_in(balances: Mapping[str, int]) -> Iterable[PlayerFunds]:
    """Return every player with money in an account of their own, by id."""
    known = {
        name
        for purpose, _, name in (account.partition("/") for account in balances)
        if purpose in ("cash", "hold", "withdrawal")
    }
    for player in sorted(known):
        cash, held, pending = (
            balances.get(f"{purpose}/{player}", 0) for purpose in ("cash", "hold", "withdrawal")
        )
        if cash or held or pending:
            yield PlayerFunds(player, cash, held, pending)
