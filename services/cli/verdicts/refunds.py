"""What came back of entries that ended before the start: each once, to whom it belongs.

A tournament that was cancelled before its start gives back everything (PP-CRASH-REG, BH-MTT).
"""

from collections.abc import Iterator

from services.cli.verdicts.tournament_money import Money
from shared.contracts.wallet import EntryRefunded


def wrong_refunds(money: Money) -> Iterator[str]:
    """Compare what was due back with what came back."""
    due = {entry: left.refund_cents for entry, left in money.left.items()}
    if {entry: back.refund_cents for entry, back in money.refunds.items()} != due:
        yield "refunds paid are not those due"
    yield from (what for back in money.refunds.values() for what in wrong_refund(back))
    if money.cancelled is not None:
        yield from wrong_cancellation(money)


def wrong_refund(back: EntryRefunded) -> Iterator[str]:
    """All of a refund is the player's, in cash or as a ticket, or waits for who it belongs to."""
    own = (f"cash/{back.player}", "unclaimed", f"ticket/{back.ticket}")
    credited = sum(p.amount_cents for p in back.postings if p.account in own)
    if credited != back.refund_cents:
        yield f"of the refund of {back.entry} {credited} cents went to {back.player}"


def wrong_cancellation(money: Money) -> Iterator[str]:
    """Before the start nobody stays and nothing is kept; later there is a sheet, and no winner."""
    if money.places is not None:
        yield "it was finished, and cancelled"
    if money.started is not None:
        if money.cancelled is None or not money.cancelled.sheet_hash:
            yield "it was cancelled without a sheet after its start"
        return
    if money.registered:
        yield f"it was cancelled, and {len(money.registered)} entries were kept"
    for entry, left in money.left.items():
        if left.tournament_cancelled and left.refund_cents != money.prices.get(entry):
            yield f"{entry} cost {money.prices.get(entry)} cents, {left.refund_cents} came back"
