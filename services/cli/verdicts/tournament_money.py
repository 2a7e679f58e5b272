"""What the director promised about each tournament's money, and what the wallet did."""

from collections import Counter
from typing import NamedTuple

import msgspec

from services.cli.verdicts.history import History
from services.cli.verdicts.journal import final_balances
from shared.contracts.director import (
    BountyDue,
    EntriesClosed,
    GuaranteeDue,
    PayoutDue,
    PlacesTold,
    Placing,
    PlayerRegistered,
    PlayersQualified,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    StagePrizeDue,
    Terms,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.wallet import (
    BountyPaid,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryReleased,
    GuaranteePosted,
    PayoutPaid,
    PoolCarried,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
)

Payment = PrizePaid | TicketIssued | PayoutPaid | BountyPaid | StagePrizePaid


class Prize(NamedTuple):
    """A place and what it won; `ticket_for` names a tournament when it was won in kind."""

    place: int
    player: str
    cents: int
    ticket_for: str


class Bounty(NamedTuple):
    """What a player won of whose bounty, in which hand."""

    hand: str
    knocked_out: str
    player: str
    cents: int


class Share(NamedTuple):
    """A player's part of an interrupted tournament, by where it comes from."""

    player: str
    pool_cents: int
    commission_cents: int
    top_up_cents: int


class Instead(NamedTuple):
    """What a player got who came from another tournament and did not play on."""

    came_from: str
    player: str
    cents: int


class Carried(NamedTuple):
    """A pool that goes from one stage of a Big Shoot to the next, with who has qualified.

    They have paid that price in stage 1, and may withdraw for so much.
    """

    came_from: str
    target: str
    players: tuple[str, ...]
    cents: int
    fee_cents: int
    commission_cents: int
    withdrawal_cents: int


class Money(msgspec.Struct):
    """All that one tournament's facts say about money; `left` are entries given back.

    `places` are all of them, once it is over: until then what was `told` is a part.

    Pool and prizes were announced when it `started`, or when its entries `closed`. What has `come`
    from stages before is `qualified` where the director has registered its players.
    """

    terms: Terms | None = None
    cancelled: TournamentCancelled | None = None
    told: tuple[Placing, ...] = ()
    places: tuple[Placing, ...] | None = None
    started: TournamentStarted | None = None
    registered: dict[str, int] = msgspec.field(default_factory=dict)
    prices: dict[str, int] = msgspec.field(default_factory=dict)
    left: dict[str, PlayerUnregistered] = msgspec.field(default_factory=dict)
    refunds: dict[str, EntryRefunded] = msgspec.field(default_factory=dict)
    players: dict[str, str] = msgspec.field(default_factory=dict)
    closed: EntriesClosed | None = None
    prizes_due: list[Prize] = msgspec.field(default_factory=list)
    prizes: list[Prize] = msgspec.field(default_factory=list)
    shares_due: list[Share] = msgspec.field(default_factory=list)
    shares: list[Share] = msgspec.field(default_factory=list)
    bounties_due: list[Bounty] = msgspec.field(default_factory=list)
    bounties: list[Bounty] = msgspec.field(default_factory=list)
    instead_due: list[Instead] = msgspec.field(default_factory=list)
    instead: list[Instead] = msgspec.field(default_factory=list)
    qualified: list[PlayersQualified] = msgspec.field(default_factory=list)
    withdrew: list[StagePrizeDue] = msgspec.field(default_factory=list)
    come: list[Carried] = msgspec.field(default_factory=list)
    sent_due: list[Carried] = msgspec.field(default_factory=list)
    sent: list[Carried] = msgspec.field(default_factory=list)
    guaranteed_due: list[int] = msgspec.field(default_factory=list)
    guaranteed: list[int] = msgspec.field(default_factory=list)
    fees: dict[str, int] = msgspec.field(default_factory=dict)
    held: Counter[str] = msgspec.field(default_factory=Counter)
    paid: list[PrizePaid | TicketIssued | PayoutPaid | BountyPaid | StagePrizePaid] = msgspec.field(
        default_factory=list
    )
    pool_cents: int = 0

    @property
    def collected_cents(self) -> int:
        """What there was to win: fees, what the operator added, and what came from elsewhere."""
        come = sum(carried.cents for carried in self.come)
        return sum(self.fees.values()) + sum(self.guaranteed) + come


def money_of(history: History) -> dict[str, Money]:
    """Collect the facts about money by tournament."""
    found: dict[str, Money] = {}
    for service, note in (("director", note_promise), ("wallet", note_act)):
        for fact in history.of(service):
            tournament: str | None = getattr(fact.event, "tournament", None)
            if tournament is not None:
                note(found.setdefault(tournament, Money()), fact.event)
            if isinstance(fact.event, PoolCarried):
                source = found.setdefault(fact.event.from_tournament, Money())
                source.sent.append(carried_of(fact.event))
    pools = final_balances(history)
    for tournament, money in found.items():
        money.pool_cents = pools[f"pool/{tournament}"]
    return found


def note_promise(money: Money, event: object) -> None:
    """Take in a fact of the director's."""
    match event:
        case PlayerRegistered():
            money.registered[event.entry] = event.fee_cents
            money.prices[event.entry] = event.fee_cents + event.commission_cents
            money.players[event.entry] = event.player
        case RebuyGranted():
            money.registered[event.entry] = event.fee_cents
        case PlayerUnregistered():
            money.registered.pop(event.entry, None)
            money.players.pop(event.entry, None)
            money.left[event.entry] = event
        case GuaranteeDue():
            money.guaranteed_due.append(event.amount_cents)
        case PrizeDue(place=place, player=player, amount_cents=cents, ticket_for=target):
            money.prizes_due.append(Prize(place, player, cents, target))
        case BountyDue():
            money.bounties_due.append(bounty_of(event))
        case PayoutDue():
            money.shares_due.append(share_of(event))
        case _:
            note_stages(money, event)
            note_course(money, event)


def note_stages(money: Money, event: object) -> None:
    """Take in what a Big Shoot's stages send to each other (BH-BIGSHOOT)."""
    match event:
        case QualifiersNamed():
            money.sent_due.append(carried_of(event))
        case PlayersQualified():
            money.qualified.append(event)
            money.players.update({f"{event.from_tournament} {p}": p for p in event.players})
        case StagePrizeDue():
            money.instead_due.append(instead_of(event))
            if event.withdrew:
                money.withdrew.append(event)
                money.players.pop(f"{event.from_tournament} {event.player}", None)
        case _:
            pass


def note_course(money: Money, event: object) -> None:
    """Take in how a tournament began and ended."""
    match event:
        case TournamentCreated():
            money.terms = event.terms
        case TournamentStarted():
            money.started = event
        case EntriesClosed():
            money.closed = event
        case TournamentCancelled():
            money.cancelled = event
        case PlacesTold():
            money.told += event.places
        case TournamentFinished():
            money.places = event.places + money.told
        case _:
            pass


def note_act(money: Money, event: object) -> None:
    """Take in a fact of the wallet's."""
    match event:
        case EntryHeld():
            money.held[event.entry] += event.price_cents
        case EntryPosted():
            money.held[event.entry] -= event.fee_cents + event.commission_cents
            money.fees[event.entry] = event.fee_cents
        case EntryReleased():
            money.held[event.entry] -= event.price_cents
        case EntryRefunded():
            money.fees.pop(event.entry, None)
            money.refunds[event.entry] = event
        case GuaranteePosted():
            money.guaranteed.append(event.amount_cents)
        case PrizePaid() | TicketIssued():
            money.prizes.append(prize_of(event))
            money.paid.append(event)
        case BountyPaid():
            money.bounties.append(bounty_of(event))
            money.paid.append(event)
        case PayoutPaid():
            money.shares.append(share_of(event))
            money.paid.append(event)
        case _:
            note_between_stages(money, event)


def note_between_stages(money: Money, event: object) -> None:
    """Take in what the wallet did between stages; `sent` is noted at the other end."""
    match event:
        case StagePrizePaid():
            money.instead.append(instead_of(event))
            money.paid.append(event)
        case PoolCarried():
            money.come.append(carried_of(event))
        case _:
            pass


def prize_of(event: PrizePaid | TicketIssued) -> Prize:
    """Bring money and tickets to one form."""
    if isinstance(event, TicketIssued):
        return Prize(event.place, event.player, event.value_cents, event.target)
    return Prize(event.place, event.player, event.amount_cents, event.ticket_for)


def share_of(event: PayoutDue | PayoutPaid) -> Share:
    """Bring what is due and what was paid to one form."""
    return Share(event.player, event.pool_cents, event.commission_cents, event.top_up_cents)


def bounty_of(event: BountyDue | BountyPaid) -> Bounty:
    """Likewise."""
    return Bounty(event.hand, event.knocked_out, event.player, event.amount_cents)


def instead_of(event: StagePrizeDue | StagePrizePaid) -> Instead:
    """Likewise."""
    return Instead(event.from_tournament, event.player, event.amount_cents)


def carried_of(event: QualifiersNamed | PoolCarried | PlayersQualified) -> Carried:
    """Bring what leaves, what was carried and what has come to one form."""
    if isinstance(event, QualifiersNamed):
        came_from, target = event.tournament, event.target
    else:
        came_from, target = event.from_tournament, event.tournament
    return Carried(
        came_from=came_from,
        target=target,
        players=event.players,
        cents=event.amount_cents,
        fee_cents=event.fee_cents,
        commission_cents=event.commission_cents,
        withdrawal_cents=event.withdrawal_cents,
    )
