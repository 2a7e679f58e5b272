"""How the money of tournaments changes."""

from msgspec.structs import replace

from services.wallet.core.errands.queue import queued
from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import Entry, Prize, prize_key
from shared.contracts.wallet import (
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    IssueParticipationId,
    IssueSessionId,
    Posting,
    PrizePaid,
)


def held(wallet: Wallet, event: EntryHeld) -> Wallet:
    entry = Entry(event.tournament, event.player, "held", event.price_cents)
    return with_entry(wallet, event.entry, entry, event.postings)


def posted(wallet: Wallet, event: EntryPosted) -> Wallet:
    """The regulator is told of each entry that counts, and of its tournament with the first."""
    entry = replace(wallet.entries[event.entry], stage="posted", fee_cents=event.fee_cents)
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    tournament = event.tournament
    if tournament not in wallet.session_ids:
        wallet = queued(wallet, IssueSessionId(tournament))
        wallet = replace(wallet, session_ids=wallet.session_ids.insert(tournament, ""))
    return queued(wallet, IssueParticipationId(tournament, event.entry, event.player))


def released(wallet: Wallet, event: EntryReleased) -> Wallet:
    entry = Entry(event.tournament, event.player, "released", event.price_cents)
    return with_entry(wallet, event.entry, entry, event.postings)


def refunded(wallet: Wallet, event: EntryRefunded) -> Wallet:
    entry = replace(wallet.entries[event.entry], stage="refunded")
    return with_entry(wallet, event.entry, entry, event.postings)


def refused(wallet: Wallet, event: EntryRefused) -> Wallet:
    return with_entry(wallet, event.entry, Entry(event.tournament, event.player, "refused"), ())


def prize_paid(wallet: Wallet, event: PrizePaid) -> Wallet:
    key = prize_key(event.tournament, event.place)
    return replace(
        wallet,
        prizes=wallet.prizes.insert(key, Prize(event.player, event.amount_cents)),
        balances=after(wallet.balances, event.postings),
    )


def with_entry(wallet: Wallet, name: str, entry: Entry, postings: tuple[Posting, ...]) -> Wallet:
    """Return the wallet with this entry as it is now, and the balances after what was posted."""
    return replace(
        wallet,
        entries=wallet.entries.insert(name, entry),
        balances=after(wallet.balances, postings),
    )


EVOLVES: Evolves = {
    EntryHeld: held,
    EntryPosted: posted,
    EntryReleased: released,
    EntryRefunded: refunded,
    EntryRefused: refused,
    PrizePaid: prize_paid,
}
