"""How the money of tournaments changes."""

from msgspec.structs import replace

from services.wallet.core.accounts.bonus import staked_cents, with_more_locked
from services.wallet.core.errands.queue import queued
from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import (
    Carried,
    Entry,
    Payout,
    Prize,
    Ticket,
    bounty_key,
    payout_key,
    prize_key,
    series_key,
    stage_prize_key,
)
from shared.contracts.wallet import (
    BigShootLeft,
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
    PoolCarried,
    Posting,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
    TicketPaidOut,
    TicketsVoided,
)


def held(wallet: Wallet, event: EntryHeld) -> Wallet:
    """The first entry into a stage 1 brings its player in; only its own end takes them out."""
    known_in = wallet.in_big_shoots.get(series_key(event.series, event.player))
    entry = Entry(
        event.tournament,
        event.player,
        "held",
        event.price_cents,
        ticket=event.ticket,
        ticket_cents=event.ticket_cents,
        series="" if known_in == event.tournament else event.series,
    )
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    if event.series:
        wallet = now_in(wallet, event.series, (event.player,), event.tournament)
    return with_ticket(wallet, event.ticket, event.entry)


def posted(wallet: Wallet, event: EntryPosted) -> Wallet:
    """The regulator is told of each entry that counts, and of its tournament with the first."""
    entry = replace(wallet.entries[event.entry], stage="posted", fee_cents=event.fee_cents)
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    if staked := staked_cents(wallet, event.player):
        wallet = with_more_locked(wallet, event.player, -staked)
        wallet = with_entry(wallet, event.entry, replace(entry, unlocked_cents=staked), ())
    wallet = with_session(wallet, event.tournament)
    return queued(wallet, IssueParticipationId(event.tournament, event.entry, event.player))


def released(wallet: Wallet, event: EntryReleased) -> Wallet:
    wallet = ended_in(wallet, event)
    entry = Entry(event.tournament, event.player, "released", event.price_cents)
    wallet = with_entry(wallet, event.entry, entry, event.postings)
    return with_ticket(wallet, event.ticket, "")


def refunded(wallet: Wallet, event: EntryRefunded) -> Wallet:
    wallet = ended_in(wallet, event)
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


def pool_carried(wallet: Wallet, event: PoolCarried) -> Wallet:
    """Who has qualified is in the target now; the regulator is told of it with the first.

    No entry into it is sold, so none is told: its players are there by the right of stage 1.
    """
    carried = Carried(
        target=event.tournament,
        series=event.series,
        players=event.players,
        amount_cents=event.amount_cents,
        fee_cents=event.fee_cents,
        commission_cents=event.commission_cents,
        withdrawal_cents=event.withdrawal_cents,
    )
    if event.players:
        wallet = with_session(wallet, event.tournament)
    wallet = now_in(wallet, event.series, event.players, event.tournament)
    return replace(
        wallet,
        carried=wallet.carried.insert(event.from_tournament, carried),
        balances=after(wallet.balances, event.postings),
    )


def stage_prize_paid(wallet: Wallet, event: StagePrizePaid) -> Wallet:
    return replace(
        wallet,
        stage_prizes=wallet.stage_prizes.insert(stage_prize_key(event), event.amount_cents),
        balances=after(wallet.balances, event.postings),
    )


def big_shoot_left(wallet: Wallet, event: BigShootLeft) -> Wallet:
    there = wallet.in_big_shoots
    for player in event.players:
        there = there.remove(series_key(event.series, player))
    return replace(wallet, in_big_shoots=there)


def now_in(wallet: Wallet, series: str, players: tuple[str, ...], tournament: str) -> Wallet:
    """Return the wallet with these players in this tournament of a Big Shoot."""
    there = {series_key(series, player): tournament for player in players}
    return replace(wallet, in_big_shoots=wallet.in_big_shoots.update(there))


def ended_in(wallet: Wallet, event: EntryReleased | EntryRefunded) -> Wallet:
    """Return the wallet without the player in the Big Shoot that this entry was into."""
    entry = wallet.entries.get(event.entry)
    key = series_key(entry.series, event.player) if entry else ""
    if wallet.in_big_shoots.get(key) != event.tournament:
        return wallet
    return replace(wallet, in_big_shoots=wallet.in_big_shoots.remove(key))


def with_session(wallet: Wallet, tournament: str) -> Wallet:
    """Return the wallet with the regulator asked for this tournament's id, once."""
    if tournament in wallet.session_ids:
        return wallet
    wallet = queued(wallet, IssueSessionId(tournament))
    return replace(wallet, session_ids=wallet.session_ids.insert(tournament, ""))


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
    PoolCarried: pool_carried,
    StagePrizePaid: stage_prize_paid,
    BigShootLeft: big_shoot_left,
}
