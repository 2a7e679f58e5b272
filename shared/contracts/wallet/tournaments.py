"""The money of tournaments: entries held, posted, ended; prizes, tickets, guarantees, payouts.

An entry is what one price was paid for: the first seat, a rebuy or an add-on; its id is
`<tournament>/<player>/<n>`.
"""

from typing import final

from shared.contracts.message import Event
from shared.contracts.wallet.ledger import Posting


@final
class EntryHeld(Event, frozen=True, tag="wallet.entry-held.v1"):
    """The price of an entry waits in the hold; `ticket_cents` of it come from the ticket.

    From here on the player is in the Big Shoot `series`, where there is one.
    """

    tournament: str
    entry: str
    player: str
    price_cents: int
    postings: tuple[Posting, ...]
    ticket: str = ""
    ticket_cents: int = 0
    series: str = ""


@final
class EntryRefused(Event, frozen=True, tag="wallet.entry-refused.v1"):
    """No money is held for this entry, and why."""

    tournament: str
    entry: str
    player: str
    reason: str


@final
class EntryPosted(Event, frozen=True, tag="wallet.entry-posted.v1"):
    """The hold became fee (to the prize pool) and commission (to the operator) (PP-ENTRY).

    What the ticket is worth above the price is the player's.
    """

    tournament: str
    entry: str
    player: str
    fee_cents: int
    commission_cents: int
    postings: tuple[Posting, ...]


@final
class EntryReleased(Event, frozen=True, tag="wallet.entry-released.v1"):
    """The hold went back where it came from; `ticket` can be used again."""

    tournament: str
    entry: str
    player: str
    price_cents: int
    postings: tuple[Posting, ...]
    ticket: str = ""


@final
class EntryRefunded(Event, frozen=True, tag="wallet.entry-refunded.v1"):
    """A registered player left before the start and got the price back, less any charge.

    `ticket` can be used again, for what has come back to it.
    """

    tournament: str
    entry: str
    player: str
    refund_cents: int
    postings: tuple[Posting, ...]
    ticket: str = ""


@final
class PrizePaid(Event, frozen=True, tag="wallet.prize-paid.v1"):
    """A prize left the pool; `credited` says which ledger account took it.

    With `ticket_for` it is the worth of a ticket that could not be handed to the player.
    """

    tournament: str
    place: int
    player: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]
    ticket_for: str = ""


@final
class TicketIssued(Event, frozen=True, tag="wallet.ticket-issued.v1"):
    """A prize in kind (BH-SATELLITE): an entry to `target`; its id is `<tournament>/<place>`."""

    ticket: str
    tournament: str
    place: int
    player: str
    target: str
    value_cents: int
    postings: tuple[Posting, ...]


@final
class TicketsVoided(Event, frozen=True, tag="wallet.tickets-voided.v1"):
    """A tournament was cancelled: no ticket to it is good any more."""

    tournament: str


@final
class TicketPaidOut(Event, frozen=True, tag="wallet.ticket-paid-out.v1"):
    """A ticket to a cancelled tournament became what it was worth; `credited` took the money."""

    ticket: str
    target: str
    player: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]


@final
class GuaranteePosted(Event, frozen=True, tag="wallet.guarantee-posted.v1"):
    """The operator has filled the pool up to what was guaranteed."""

    tournament: str
    amount_cents: int
    postings: tuple[Posting, ...]


@final
class PayoutPaid(Event, frozen=True, tag="wallet.payout-paid.v1"):
    """A player's share of an interrupted tournament (PP-ROLLFORWARD, BH-RF1, BH-RF2)."""

    tournament: str
    player: str
    pool_cents: int
    commission_cents: int
    top_up_cents: int
    credited: str
    postings: tuple[Posting, ...]


@final
class BountyPaid(Event, frozen=True, tag="wallet.bounty-paid.v1"):
    """A bounty left the pool; `hand` is "" for one's own."""

    tournament: str
    hand: str
    knocked_out: str
    player: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]


@final
class PoolCarried(Event, frozen=True, tag="wallet.pool-carried.v1"):
    """The pool of one tournament of a Big Shoot went to the next one, with who has qualified."""

    tournament: str
    from_tournament: str
    series: str
    players: tuple[str, ...]
    amount_cents: int
    fee_cents: int
    commission_cents: int
    withdrawal_cents: int
    postings: tuple[Posting, ...]


@final
class StagePrizePaid(Event, frozen=True, tag="wallet.stage-prize-paid.v1"):
    """A qualified player got money instead of playing the next stage of a Big Shoot."""

    tournament: str
    from_tournament: str
    player: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]


@final
class BigShootLeft(Event, frozen=True, tag="wallet.big-shoot-left.v1"):
    """These may buy into stage 1 of the series again; `tournament` is the last they were in."""

    tournament: str
    series: str
    players: tuple[str, ...]


TournamentMoneyEvent = (
    EntryHeld
    | EntryRefused
    | EntryPosted
    | EntryReleased
    | EntryRefunded
    | PrizePaid
    | TicketIssued
    | TicketsVoided
    | TicketPaidOut
    | GuaranteePosted
    | PayoutPaid
    | BountyPaid
    | PoolCarried
    | StagePrizePaid
    | BigShootLeft
)
