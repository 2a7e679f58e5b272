"""The journal beside what the director and the tables say: same entries, same cents, same chips."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from services.cli.verdicts.chips import chips_conserved
from services.cli.verdicts.history import History
from shared.contracts.director import (
    BountyDue,
    GuaranteeDue,
    PayoutDue,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    StagePrizeDue,
)
from shared.contracts.wallet import (
    BountyPaid,
    CorrectionPosted,
    EntryPosted,
    EntryRefunded,
    GuaranteePosted,
    PayoutPaid,
    PoolCarried,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
)

Kind = Literal["entry", "refund", "prize", "bounty", "guarantee", "payout", "carried", "instead"]
Key = tuple[Kind, str]


class Line(msgspec.Struct, frozen=True):
    """One kind of money of one tournament; `under_way_cents` the wallet has not heard of yet."""

    tournament: str
    kind: Kind
    count: int
    director_cents: int
    wallet_cents: int
    under_way_cents: int


class Reconciliation(msgspec.Struct, frozen=True):
    """Every tournament's money by kind, the tables' chips, and what contradicts itself."""

    lines: tuple[Line, ...]
    chips: str
    wrong: tuple[str, ...]


def reconcile(history: History) -> Reconciliation:
    """Compare what the director promised with what the wallet did, tournament by tournament."""
    promised = promises_of(history)
    done = acts_of(history)
    tournaments = sorted({*promised, *done})
    lines = tuple(
        line for name in tournaments for line in lines_of(name, promised[name], done[name])
    )
    wrong = [what for name in tournaments for what in wrongs(name, promised[name], done[name])]
    wrong += wrong_pools(history)
    chips = chips_conserved(history)
    if not chips.true:
        wrong.append(f"tables: {chips.detail}")
    return Reconciliation(lines, chips.detail, (*history.unreadable, *wrong))


def promises_of(history: History) -> defaultdict[str, dict[Key, int]]:
    """Collect what the director says is to be paid, by tournament and by what it is for."""
    found: defaultdict[str, dict[Key, int]] = defaultdict(dict)
    for fact in history.of("director"):
        match fact.event:
            case PlayerRegistered() | RebuyGranted() as bought:
                price = bought.fee_cents + bought.commission_cents
                found[bought.tournament]["entry", bought.entry] = price
            case PlayerUnregistered() as left:
                found[left.tournament]["refund", left.entry] = left.refund_cents
            case PrizeDue() as due:
                found[due.tournament]["prize", str(due.place)] = due.amount_cents
            case BountyDue() as due:
                found[due.tournament]["bounty", bounty_of(due)] = due.amount_cents
            case GuaranteeDue() as due:
                found[due.tournament]["guarantee", ""] = due.amount_cents
            case PayoutDue() as due:
                cents = due.pool_cents + due.commission_cents + due.top_up_cents
                found[due.tournament]["payout", due.player] = cents
            case QualifiersNamed() | StagePrizeDue() as stage:
                tournament, key = between_stages(stage)
                found[tournament][key] = stage.amount_cents
            case _:
                pass
    return found


def acts_of(history: History) -> defaultdict[str, dict[Key, int]]:
    """Collect what the wallet has done, likewise."""
    found: defaultdict[str, dict[Key, int]] = defaultdict(dict)
    for fact in history.of("wallet"):
        match fact.event:
            case EntryPosted() as posted:
                price = posted.fee_cents + posted.commission_cents
                found[posted.tournament]["entry", posted.entry] = price
            case EntryRefunded() as refunded:
                found[refunded.tournament]["refund", refunded.entry] = refunded.refund_cents
            case PrizePaid() as paid:
                found[paid.tournament]["prize", str(paid.place)] = paid.amount_cents
            case TicketIssued() as issued:
                found[issued.tournament]["prize", str(issued.place)] = issued.value_cents
            case BountyPaid() as won:
                found[won.tournament]["bounty", bounty_of(won)] = won.amount_cents
            case GuaranteePosted() as filled:
                found[filled.tournament]["guarantee", ""] = filled.amount_cents
            case PayoutPaid() as paid_out:
                cents = paid_out.pool_cents + paid_out.commission_cents + paid_out.top_up_cents
                found[paid_out.tournament]["payout", paid_out.player] = cents
            case PoolCarried() | StagePrizePaid() as stage:
                tournament, key = between_stages(stage)
                found[tournament][key] = stage.amount_cents
            case _:
                pass
    return found


def bounty_of(bounty: BountyDue | BountyPaid) -> str:
    """Name a bounty: who won it of whom, in which hand."""
    return f"{bounty.hand} {bounty.knocked_out} {bounty.player}"


def between_stages(
    event: QualifiersNamed | PoolCarried | StagePrizeDue | StagePrizePaid,
) -> tuple[str, Key]:
    """Name whose pool it leaves, and for what: the next stage, or a player who is not in it."""
    match event:
        case QualifiersNamed():
            return event.tournament, ("carried", event.target)
        case PoolCarried():
            return event.from_tournament, ("carried", event.tournament)
        case StagePrizeDue() | StagePrizePaid():
            return event.tournament, ("instead", f"{event.from_tournament} {event.player}")


def lines_of(
    tournament: str, promised: Mapping[Key, int], done: Mapping[Key, int]
) -> Iterator[Line]:
    """Add up by kind."""
    kinds = dict.fromkeys(kind for kind, _ in (*promised, *done))
    for kind in kinds:
        theirs = {key: cents for key, cents in promised.items() if key[0] == kind}
        ours = {key: cents for key, cents in done.items() if key[0] == kind}
        under_way = sum(cents for key, cents in theirs.items() if key not in ours)
        yield Line(
            tournament, kind, len(theirs), sum(theirs.values()), sum(ours.values()), under_way
        )


def wrongs(tournament: str, promised: Mapping[Key, int], done: Mapping[Key, int]) -> Iterator[str]:
    """Name what the wallet did that the director never said, or said otherwise."""
    for key, cents in done.items():
        named = " ".join(filter(None, key))
        if key not in promised:
            yield f"{tournament}: {named} of {cents} cents is no fact of the director's"
        elif promised[key] != cents:
            yield f"{tournament}: {named} is {promised[key]} cents, the wallet posted {cents}"


def wrong_pools(history: History) -> Iterator[str]:
    """A pool holds the fees of its entries and what was added, less what was paid out of it."""
    pools: Counter[str] = Counter()
    fees: dict[str, int] = {}
    recorded: dict[str, int] = {}
    for fact in history.of("wallet"):
        pools.update(into_pools(fact.event, fees))
        for posting in getattr(fact.event, "postings", ()):
            if posting.account.startswith("pool/"):
                recorded[posting.account] = posting.balance_cents
    for account in sorted({*pools, *recorded}):
        expected, found = pools[account], recorded.get(account, 0)
        if expected != found:
            yield f"{account} holds {found} cents, by its entries and prizes it is {expected}"


def into_pools(event: object, fees: dict[str, int]) -> dict[str, int]:
    """Return what an act should have added to pools; fees of entries are kept for refunds."""
    match event:
        case EntryPosted():
            fees[event.entry] = event.fee_cents
            return {f"pool/{event.tournament}": event.fee_cents}
        case EntryRefunded():
            return {f"pool/{event.tournament}": -fees.pop(event.entry, 0)}
        case PoolCarried():
            cents = event.amount_cents
            return {f"pool/{event.from_tournament}": -cents, f"pool/{event.tournament}": cents}
        case PrizePaid() | BountyPaid() | StagePrizePaid():
            return {f"pool/{event.tournament}": -event.amount_cents}
        case TicketIssued():
            return {f"pool/{event.tournament}": -event.value_cents}
        case GuaranteePosted():
            return {f"pool/{event.tournament}": event.amount_cents}
        case PayoutPaid():
            return {f"pool/{event.tournament}": -event.pool_cents}
        case CorrectionPosted():
            return {p.account: p.amount_cents for p in event.postings if "pool/" in p.account}
        case _:
            return {}
