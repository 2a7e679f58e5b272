"""*Prizes = pool*: what players paid in as fees is what places were paid, once each."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from services.cli.verdicts.history import History
from services.cli.verdicts.journal import final_balances
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.director import (
    Placing,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.wallet import (
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryReleased,
    PrizePaid,
)

NAME = "prizes = pool"


class Money(msgspec.Struct):
    """All that one tournament's facts say about money."""

    places: tuple[Placing, ...] | None = None
    started: TournamentStarted | None = None
    registered: dict[str, int] = msgspec.field(default_factory=dict)
    due: list[PrizeDue] = msgspec.field(default_factory=list)
    paid: list[PrizePaid] = msgspec.field(default_factory=list)
    fees: dict[str, int] = msgspec.field(default_factory=dict)
    held: Counter[str] = msgspec.field(default_factory=Counter)
    pool_cents: int = 0


def prizes_equal_pool(history: History) -> Verdict:
    """Judge every finished tournament; not at rest, those whose prizes are all paid."""
    tournaments = money_of(history)
    ended = {
        name: money
        for name, money in tournaments.items()
        if money.places is not None and (history.at_rest or all_paid(money))
    }
    found = [
        *history.unreadable,
        *(f"{name}: {what}" for name, money in ended.items() for what in wrong_money(money)),
    ]
    if not ended and history.at_rest:
        found.append("no tournament has finished")
    if len(ended) == len(tournaments):
        found += left_in_holds(history)
    cents = sum(prize.amount_cents for money in ended.values() for prize in money.paid)
    prizes = sum(len(money.paid) for money in ended.values())
    return judged(NAME, found, f"{cents / 100:,.2f} in fees, paid as {prizes} prizes")


def all_paid(money: Money) -> bool:
    """Say whether as many prizes were paid as there are places with one."""
    return len(money.paid) >= sum(placing.prize_cents > 0 for placing in money.places or ())


def money_of(history: History) -> dict[str, Money]:
    """Collect the facts about money by tournament."""
    found: dict[str, Money] = {}
    for service, note in (("director", note_promise), ("wallet", note_act)):
        for fact in history.of(service):
            tournament: str | None = getattr(fact.event, "tournament", None)
            if tournament is not None:
                note(found.setdefault(tournament, Money()), fact.event)
    pools = final_balances(history)
    for tournament, money in found.items():
        money.pool_cents = pools[f"pool/{tournament}"]
    return found


def note_promise(money: Money, event: object) -> None:
    """Take in a fact of the director's."""
    match event:
        case PlayerRegistered():
            money.registered[event.entry] = event.fee_cents
        case PlayerUnregistered():
            money.registered.pop(event.entry, None)
        case TournamentStarted():
            money.started = event
        case PrizeDue():
            money.due.append(event)
        case TournamentFinished():
            money.places = event.places
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
        case PrizePaid():
            money.paid.append(event)
        case _:
            pass


def wrong_money(money: Money) -> Iterator[str]:
    """Compare what was paid in, promised, due and paid out."""
    fees = sum(money.fees.values())
    started = money.started
    sums = {
        "fees": fees,
        "the pool announced": started.pool_cents if started else 0,
        "prizes announced": sum(started.prizes_cents) if started else 0,
        "prizes of places": sum(placing.prize_cents for placing in money.places or ()),
        "prizes due": sum(due.amount_cents for due in money.due),
        "prizes paid": sum(paid.amount_cents for paid in money.paid),
    }
    yield from (
        f"{what} are {cents} cents, fees {fees}" for what, cents in sums.items() if cents != fees
    )
    if money.fees != money.registered:
        yield "entries posted are not the entries registered"
    if money.pool_cents:
        yield f"{money.pool_cents} cents are left in the pool"
    yield from (f"{cents} cents held for {entry}" for entry, cents in money.held.items() if cents)
    yield from wrong_places(money)
    yield from (what for paid in money.paid for what in wrong_payment(paid))


def wrong_places(money: Money) -> Iterator[str]:
    """Every player has one place; every paid place was due once and paid once, to that player."""
    places = money.places or ()
    players = money.started.players if money.started else ()
    if [placing.place for placing in places] != list(range(1, len(players) + 1)):
        yield f"{len(players)} players have the places {[placing.place for placing in places]}"
    if sorted(placing.player for placing in places) != sorted(players):
        yield "the places are not those of the players"
    prizes = sorted((p.place, p.player, p.prize_cents) for p in places if p.prize_cents)
    if sorted((due.place, due.player, due.amount_cents) for due in money.due) != prizes:
        yield "prizes due are not those of the places"
    if sorted((paid.place, paid.player, paid.amount_cents) for paid in money.paid) != prizes:
        yield "prizes paid are not those of the places"


def wrong_payment(paid: PrizePaid) -> Iterator[str]:
    """A prize goes from the pool to the account it names."""
    moved = {posting.account: posting.amount_cents for posting in paid.postings}
    pool = f"pool/{paid.tournament}"
    if moved != {pool: -paid.amount_cents, paid.credited: paid.amount_cents}:
        yield f"the prize of place {paid.place} was not posted as paid"
    if paid.credited not in (f"cash/{paid.player}", "unclaimed"):
        yield f"the prize of place {paid.place} went to {paid.credited}"


def left_in_holds(history: History) -> Iterator[str]:
    """When no tournament is open, nothing is held for anybody."""
    for account, cents in final_balances(history).items():
        if cents and account.startswith("hold/"):
            yield f"{account} still holds {cents} cents"
