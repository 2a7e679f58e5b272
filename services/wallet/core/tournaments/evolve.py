"""How the money of tournaments changes."""

from msgspec.structs import replace

from services.wallet.core.accounts.bonus import staked_cents, with_more_locked
from services.wallet.core.errands.queue import queued
from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import (
    Entry,
    Payout,
    Prize,
    Ticket,
    bounty_key,
    payout_key,
    prize_key,
)
from shared.contracts.wallet import (
    BountyPaid,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    GuaranteePosted,
    IssueParticipationId,
    IssueSessionId,
    PayoutPaid,
    Posting,
    PrizePaid,
    TicketIssued,
    TicketPaidOut,
    TicketsVoided,
)


def held(wallet: Wallet, event: EntryHeld) -> Wallet:
    entry = Entry(
        event.tournament,
        event.player,
        "held",
        event.price_cents,
        ticket=event.ticket,
        ticket_cents=event.ticket_cents,
    )
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    return with_ticket(wallet, event.ticket, event.entry)


def posted(wallet: Wallet, event: EntryPosted) -> Wallet:
    """The regulator is told of each entry that counts, and of its tournament with the first."""
    entry = replace(wallet.entries[event.entry], stage="posted", fee_cents=event.fee_cents)
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    if staked := staked_cents(wallet, event.player):
        wallet = with_more_locked(wallet, event.player, -staked)
        wallet = with_entry(wallet, event.entry, replace(entry, unlocked_cents=staked), ())
    tournament = event.tournament
    if tournament not in wallet.session_ids:
        wallet = queued(wallet, IssueSessionId(tournament))
        wallet = replace(wallet, session_ids=wallet.session_ids.insert(tournament, ""))
    return queued(wallet, IssueParticipationId(tournament, event.entry, event.player))


def released(wallet: Wallet, event: EntryReleased) -> Wallet:
    entry = Entry(event.tournament, event.player, "released", event.price_cents)
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    return with_ticket(wallet, event.ticket, "")


def refunded(wallet: Wallet, event: EntryRefunded) -> Wallet:
    entry = replace(wallet.entries[event.entry], stage="refunded")
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    wallet = with_more_locked(wallet, event.player, entry.unlocked_cents)
    return with_ticket(wallet, event.ticket, "")


def refused(wallet: Wallet, event: EntryRefused) -> Wallet:
    return with_entry(wallet, event.entry, Entry(event.tournament, event.player, "refused"), ())


def prize_paid(wallet: Wallet, event: PrizePaid) -> Wallet:
    prize = Prize(event.player, event.amount_cents, event.ticket_for)
    return with_prize(wallet, event, prize)


def ticket_issued(wallet: Wallet, event: TicketIssued) -> Wallet:
    prize = Prize(event.player, event.value_cents, event.target)
    ticket = Ticket(event.player, event.target)
    wallet = with_prize(wallet, event, prize)
    return replace(wallet, tickets=wallet.tickets.insert(event.ticket, ticket))


def tickets_voided(wallet: Wallet, event: TicketsVoided) -> Wallet:
    return replace(wallet, cancelled=wallet.cancelled.insert(event.tournament, True))


def ticket_paid_out(wallet: Wallet, event: TicketPaidOut) -> Wallet:
    return replace(wallet, balances=after(wallet.balances, event.postings))


def guaranteed(wallet: Wallet, event: GuaranteePosted) -> Wallet:
    return replace(
        wallet,
        guarantees=wallet.guarantees.insert(event.tournament, event.amount_cents),
        balances=after(wallet.balances, event.postings),
    )


def share_paid(wallet: Wallet, event: PayoutPaid) -> Wallet:
    share = Payout(event.pool_cents, event.commission_cents, event.top_up_cents)
    key = payout_key(event.tournament, event.player)
    return replace(
        wallet,
        payouts=wallet.payouts.insert(key, share),
        balances=after(wallet.balances, event.postings),
    )


def bounty_paid(wallet: Wallet, event: BountyPaid) -> Wallet:
    return replace(
        wallet,
        bounties=wallet.bounties.insert(bounty_key(event), event.amount_cents),
        balances=after(wallet.balances, event.postings),
    )


def with_prize(wallet: Wallet, event: PrizePaid | TicketIssued, prize: Prize) -> Wallet:
    """Return the wallet with this place paid."""
    key = prize_key(event.tournament, event.place)
    return replace(
        wallet,
        prizes=wallet.prizes.insert(key, prize),
        balances=after(wallet.balances, event.postings),
    )


def with_ticket(wallet: Wallet, name: str, entry: str) -> Wallet:
    """Return the wallet with a ticket, if there is one, used for this entry, or for none."""
    if not name:
        return wallet
    ticket = replace(wallet.tickets[name], entry=entry)
    return replace(wallet, tickets=wallet.tickets.insert(name, ticket))


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
    TicketIssued: ticket_issued,
    TicketsVoided: tickets_voided,
    TicketPaidOut: ticket_paid_out,
    GuaranteePosted: guaranteed,
    PayoutPaid: share_paid,
    BountyPaid: bounty_paid,
}
