"""An entry's money, from the director's facts: held, posted, released, refunded (PP-ENTRY).

Facts cannot be declined. One that was heard before, or whose entry has ended, changes nothing;
one that contradicts the journal raises, so that it is parked instead of losing money.
"""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import (
    COMMISSION,
    JournalContradicted,
    balance_of,
    cash,
    hold,
    owed_to,
    pool,
    posted,
)
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import Entry
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
)
from shared.contracts.wallet import (
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    WalletEvent,
)

EntryFact = EntryRequested | PlayerRegistered | EntryDeclined | EntryExpired | PlayerUnregistered


def hold_entry(wallet: Wallet, fact: EntryRequested, _now: Now) -> tuple[WalletEvent, ...]:
    """Set the price aside, or say why not; once per entry, even one that ended unheard of."""
    if known_entry(wallet, fact) is not None:
        return ()
    price = price_of(fact)
    reason = why_not(wallet, fact.player, price)
    if reason is not None:
        refused = EntryRefused(
            tournament=fact.tournament, entry=fact.entry, player=fact.player, reason=reason
        )
        return (refused,)
    held = EntryHeld(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        price_cents=price,
        postings=posted(wallet, (cash(fact.player), -price), (hold(fact.player), price)),
    )
    return (held,)


def why_not(wallet: Wallet, player: str, price_cents: int) -> str | None:
    """Return the first reason against holding; even a free entry is play (PP-ACCOUNT)."""
    account = wallet.accounts.get(player)
    if account is None:
        return "unknown_account"
    if account.status != "identified":
        return "not_identified"
    if balance_of(wallet, cash(player)) < price_cents:
        return "insufficient_funds"
    return None


def post_entry(wallet: Wallet, fact: PlayerRegistered, _now: Now) -> tuple[WalletEvent, ...]:
    """The hold becomes fee and commission; only a hold of exactly this price can."""
    entry = known_entry(wallet, fact)
    price = price_of(fact)
    if entry is None or entry.stage in ("refused", "released"):
        raise JournalContradicted(f"{fact.entry} is registered, but nothing is held for it")
    if entry.price_cents != price:
        raise JournalContradicted(
            f"{fact.entry} is registered for {price} cents, held are {entry.price_cents}"
        )
    if entry.stage != "held":
        return ()
    lines = (
        (hold(fact.player), -price),
        (pool(fact.tournament), fact.fee_cents),
        (COMMISSION, fact.commission_cents),
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


def release_entry(
    wallet: Wallet, fact: EntryDeclined | EntryExpired, _now: Now
) -> tuple[WalletEvent, ...]:
    """Give the hold back; an entry not heard of is recorded as ended, so it is never held."""
    entry = known_entry(wallet, fact)
    if entry is not None and entry.stage == "posted":
        raise JournalContradicted(f"{fact.entry} ends unregistered, but its price was posted")
    if entry is not None and entry.stage != "held":
        return ()
    price = 0 if entry is None else entry.price_cents
    lines = ((hold(fact.player), -price), (owed_to(wallet, fact.player), price))
    released = EntryReleased(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        price_cents=price,
        postings=posted(wallet, *lines),
    )
    return (released,)


def refund_entry(wallet: Wallet, fact: PlayerUnregistered, _now: Now) -> tuple[WalletEvent, ...]:
    """The whole fee leaves the pool; what the player does not get back is the operator's."""
    entry = known_entry(wallet, fact)
    if entry is not None and entry.stage == "refunded":
        return ()
    if entry is None or entry.stage != "posted":
        raise JournalContradicted(f"{fact.entry} is refunded, but was never posted")
    refund = fact.refund_cents
    if not 0 <= refund <= entry.price_cents:
        raise JournalContradicted(f"{fact.entry} is refunded {refund} cents of {entry.price_cents}")
    lines = (
        (pool(fact.tournament), -entry.fee_cents),
        (COMMISSION, entry.fee_cents - refund),
        (owed_to(wallet, fact.player), refund),
    )
    refunded = EntryRefunded(
        tournament=fact.tournament,
        entry=fact.entry,
        player=fact.player,
        refund_cents=refund,
        postings=posted(wallet, *lines),
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


def price_of(fact: EntryRequested | PlayerRegistered) -> int:
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
}
