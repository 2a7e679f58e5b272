"""From a ledger account's balance to every entry that made it, and the commit behind each."""

from collections.abc import Iterable, Iterator

import msgspec

from services.cli.wallet.acts import Act


class Explained(msgspec.Struct, frozen=True):
    """One entry: `with_accounts` is where the money came from, or went to."""

    number: int
    at: str
    act: str
    about: str
    why: str
    sha256: str
    amount_cents: int
    balance_cents: int
    with_accounts: tuple[str, ...]


class Explanation(msgspec.Struct, frozen=True):
    """A ledger account's entries from the first on; `wrong` names those that do not add up."""

    account: str
    balance_cents: int
    entries: tuple[Explained, ...]
    wrong: tuple[str, ...]


def explain(account: str, acts: Iterable[Act]) -> Explanation:
    """Collect the account's entries, and add them up again beside what was recorded."""
    entries = tuple(entry for act in acts for entry in entries_in(account, act))
    return Explanation(
        account=account,
        balance_cents=sum(entry.amount_cents for entry in entries),
        entries=entries,
        wrong=tuple(wrong_sums(entries)),
    )


def entries_in(account: str, act: Act) -> Iterator[Explained]:
    """Yield what one act did to an account."""
    for posting in act.postings:
        if posting.account == account:
            yield Explained(
                number=act.number,
                at=act.at,
                act=act.name,
                about=act.about,
                why=act.why,
                sha256=act.sha256,
                amount_cents=posting.amount_cents,
                balance_cents=posting.balance_cents,
                with_accounts=tuple(p.account for p in act.postings if p.account != account),
            )


def wrong_sums(entries: Iterable[Explained]) -> Iterator[str]:
    """Compare each recorded balance with the sum of all amounts so far."""
    balance = 0
    for entry in entries:
        balance += entry.amount_cents
        if entry.balance_cents != balance:
            yield f"commit {entry.number} records {entry.balance_cents} cents, the sum is {balance}"
