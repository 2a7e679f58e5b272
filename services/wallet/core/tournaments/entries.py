"""An entry's money, from the director's facts: held, posted, released, refunded (PP-ENTRY).

First entries, rebuys and add-ons go the same way (BH-REBUY). Facts cannot be declined. One that
was heard before, or whose entry has ended, changes nothing; one that contradicts the journal
raises, so that it is parked instead of losing money.
"""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import (
    COMMISSION,
    JournalContradicted,
    cash,
    hold,
    owed_to,
    pool,
    posted,
    ticket_account,
)
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.big_shoots import series_of
from services.wallet.core.tournaments.obstacles import why_not
from services.wallet.core.tournaments.state import Entry
from services.wallet.core.tournaments.tickets import (
    Back,
    Buying,
    given_back,
    paid_by_ticket,
    ticket_of,
    worth_of,
)
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
)
from shared.contracts.wallet import (
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    WalletEvent,
)

Bought = PlayerRegistered | RebuyGranted
Ended = EntryDeclined | EntryExpired | RebuyLapsed
EntryFact = Buying | Bought | Ended | PlayerUnregistered


def hold_entry(wallet: Wallet, fact: Buying, now: Now) -> tuple[WalletEvent, ...]:
    """Set the price aside, or say why not; once per entry, even one that ended unheard of."""
    if known_entry(wallet, fact) is not None:
        return ()
    price = price_of(fact)
    reason = why_not(wallet, fact, price, now)
    if reason is not None:
        refused = EntryRefused(
            tournament=fact.tournament, entry=fact.entry, player=fact.player, reason=reason
        )
        return (refused,)
    return (held_entry(wallet, fact, price),)


def held_entry(wallet: Wallet, fact: Buying, price_cents: int) -> EntryHeld:
    """Take the price from the ticket, if there is one, and from cash."""
    ticket = ticket_of(fact)
    by_ticket = paid_by_ticket(wallet, fact, price_cents)
    lines = (
        (cash(fact.player), by_ticket - price_cents),
        (ticket_account(ticket), -by_ticket),
        (hold(fact.player), price_cents),
    )
    return EntryHeld(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        price_cents=price_cents,
        postings=posted(wallet, *lines),
        ticket=ticket,
        ticket_cents=by_ticket,
        series=series_of(fact),
    )


def post_entry(wallet: Wallet, fact: Bought, _now: Now) -> tuple[WalletEvent, ...]:
    """The hold becomes fee and commission; only a hold of exactly this price can."""
    entry = known_entry(wallet, fact)
    price = price_of(fact)
    if entry is None or entry.stage in ("refused", "released"):
        raise JournalContradicted(f"{fact.entry} is bought, but nothing is held for it")
    if entry.price_cents != price:
        raise JournalContradicted(
            f"{fact.entry} is bought for {price} cents, held are {entry.price_cents}"
        )
    if entry.stage != "held":
        return ()
    rest = worth_of(wallet, entry.ticket)
    lines = (
        (hold(fact.player), -price),
        (pool(fact.tournament), fact.fee_cents),
        (COMMISSION, fact.commission_cents),
        (ticket_account(entry.ticket), -rest),
        (owed_to(wallet, fact.player), rest),
    )
    entered = EntryPosted(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        fee_cents=fact.fee_cents,
        commission_cents=fact.commission_cents,
        postings=posted(wallet, *lines),
    )
    return (entered,)


def release_entry(wallet: Wallet, fact: Ended, _now: Now) -> tuple[WalletEvent, ...]:
    """Give the hold back; an entry not heard of is recorded as ended, so it is never held."""
    entry = known_entry(wallet, fact)
    if entry is not None and entry.stage == "posted":
        raise JournalContradicted(f"{fact.entry} ends unbought, but its price was posted")
    if entry is not None and entry.stage != "held":
        return ()
    price = 0 if entry is None else entry.price_cents
    back = given_back(wallet, entry, price, in_kind=True) if entry else Back("", ())
    released = EntryReleased(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        price_cents=price,
        postings=posted(wallet, (hold(fact.player), -price), *back.lines),
        ticket=back.ticket,
    )
    return (released,)


def refund_entry(wallet: Wallet, fact: PlayerUnregistered, _now: Now) -> tuple[WalletEvent, ...]:
    """The whole fee leaves the pool; what the player does not get back is the operator's.

    A ticket comes back as far as the refund goes, so that a charge is taken from cash first.
    """
    entry = known_entry(wallet, fact)
    if entry is not None and entry.stage == "refunded":
        return ()
    if entry is None or entry.stage != "posted":
        raise JournalContradicted(f"{fact.entry} is refunded, but was never posted")
    refund = fact.refund_cents
    if not 0 <= refund <= entry.price_cents:
        raise JournalContradicted(f"{fact.entry} is refunded {refund} cents of {entry.price_cents}")
    back = given_back(wallet, entry, refund, in_kind=not fact.tournament_cancelled)
    lines = (
        (pool(fact.tournament), -entry.fee_cents),
        (COMMISSION, entry.fee_cents - refund),
        *back.lines,
    )
    refunded = EntryRefunded(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        refund_cents=refund,
        postings=posted(wallet, *lines),
        ticket=back.ticket,
    )
    return (refunded,)


def known_entry(wallet: Wallet, fact: EntryFact) -> Entry | None:
    """Find the entry a fact is about; an entry never changes hands."""
    entry = wallet.entries.get(fact.entry)
    if entry is not None and (entry.tournament, entry.player) != (fact.tournament, fact.player):
        raise JournalContradicted(
            f"{fact.entry} belongs to {entry.player} in {entry.tournament},"
            f" not to {fact.player} in {fact.tournament}"
        )
    return entry


def price_of(fact: Buying | Bought) -> int:
    """Price = fee + commission (PP-ENTRY), neither of which can be below nothing."""
    if fact.fee_cents < 0 or fact.commission_cents < 0:
        raise JournalContradicted(f"{fact.entry} has a negative price")
    return fact.fee_cents + fact.commission_cents


DECIDES: Decides = {
    EntryRequested: hold_entry,
    PlayerRegistered: post_entry,
    EntryDeclined: release_entry,
    EntryExpired: release_entry,
    PlayerUnregistered: refund_entry,
    RebuyRequested: hold_entry,
    RebuyGranted: post_entry,
    RebuyLapsed: release_entry,
}
