"""*Prizes = pool*: what was collected is what was won, or shared out, as it was due, once each.

Of a tournament that was cancelled before its start, all has come back and nothing is left. A stage
of a Big Shoot sends to the next what it does not pay, and has what has come from the one before.
"""

from collections.abc import Iterator

from services.cli.verdicts.big_shoots import all_carried, wrong_stages
from services.cli.verdicts.bounties import wrong_bounties
from services.cli.verdicts.history import History
from services.cli.verdicts.journal import final_balances
from services.cli.verdicts.refunds import wrong_refunds
from services.cli.verdicts.tickets import wrong_tickets
from services.cli.verdicts.tournament_money import Money, Payment, money_of
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.wallet import (
    BountyPaid,
    PayoutPaid,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
)

NAME = "prizes = pool"


def prizes_equal_pool(history: History) -> Verdict:
    """Judge every tournament that ended; not at rest, those whose money is all paid."""
    tournaments = money_of(history)
    ended = {
        name: money
        for name, money in tournaments.items()
        if has_ended(money) and (history.at_rest or all_paid(money))
    }
    found = [
        *history.unreadable,
        *(f"{name}: {what}" for name, money in ended.items() for what in wrong_money(money)),
        *wrong_tickets(history),
        *wrong_bounties(history),
    ]
    if not ended and history.at_rest:
        found.append("no tournament has finished")
    if len(ended) == len(tournaments):
        found += left_in_holds(history)
    return judged(NAME, found, summary(list(ended.values())))


def summary(ended: list[Money]) -> str:
    """Say what was collected and how it was paid."""
    come = sum(carried.cents for money in ended for carried in money.come)
    collected = sum(money.collected_cents for money in ended) - come
    prizes = sum(len(money.prizes) for money in ended)
    shares = sum(len(money.shares) for money in ended)
    bounties = sum(len(money.bounties) for money in ended)
    instead = sum(len(money.instead) for money in ended)
    won = f", {bounties} bounties" if bounties else ""
    interrupted = f" and {shares} shares of interrupted tournaments" if shares else ""
    withdrawn = f" and {instead} parts instead of playing on" if instead else ""
    paid = f"{prizes} prizes{won}{interrupted}{withdrawn}"
    return f"{collected / 100:,.2f} collected, paid as {paid}"


def has_ended(money: Money) -> bool:
    """Tell whether a tournament was played to its end, cancelled, or shared out.

    One that was never announced shares what comes to it at once.
    """
    shared_out = bool(money.shares_due) or (money.terms is None and bool(money.instead_due))
    return money.places is not None or money.cancelled is not None or shared_out


def all_paid(money: Money) -> bool:
    """Tell whether as much was paid as there are places with a prize, shares and refunds due."""
    prizes = sum(placing.prize_cents > 0 for placing in money.places or ())
    due = max(prizes, len(money.prizes_due))
    shared = len(money.shares) >= len(money.shares_due)
    shared = shared and len(money.bounties) >= len(money.bounties_due) and all_carried(money)
    return len(money.prizes) >= due and shared and len(money.refunds) >= len(money.left)


def wrong_money(money: Money) -> Iterator[str]:
    """Compare what was collected, promised, due and paid out."""
    collected = money.collected_cents
    shared = sum(share.pool_cents for share in money.shares)
    sums = {
        "prizes and shares due": sum(prize.cents for prize in money.prizes_due)
        + sum(bounty.cents for bounty in money.bounties_due)
        + sum(share.pool_cents for share in money.shares_due)
        + sum(paid.cents for paid in money.instead_due)
        + sum(pool.cents for pool in money.sent_due),
        "prizes and shares paid": sum(prize.cents for prize in money.prizes)
        + sum(bounty.cents for bounty in money.bounties)
        + sum(paid.cents for paid in money.instead)
        + sum(pool.cents for pool in money.sent)
        + shared,
        **(sums_of_places(money) if money.places is not None else {}),
    }
    yield from (
        f"{what} are {cents} cents, {collected} were collected"
        for what, cents in sums.items()
        if cents != collected
    )
    if money.fees != money.registered:
        yield "entries posted are not the entries registered"
    if money.guaranteed != money.guaranteed_due or len(money.guaranteed) > 1:
        yield f"guarantees of {money.guaranteed_due} are due, {money.guaranteed} posted"
    yield from below_guarantee(money)
    if money.pool_cents:
        yield f"{money.pool_cents} cents are left in the pool"
    yield from (f"{cents} cents held for {entry}" for entry, cents in money.held.items() if cents)
    yield from wrong_dues(money)
    yield from wrong_refunds(money)
    yield from wrong_stages(money)
    yield from (what for paid in money.paid for what in wrong_payment(paid))


def below_guarantee(money: Money) -> Iterator[str]:
    """A tournament that started has at least the pool that its terms guarantee."""
    guaranteed = money.terms.guarantee_cents if money.terms and money.started else 0
    if money.collected_cents < guaranteed:
        yield f"{guaranteed} cents are guaranteed, {money.collected_cents} are in the pool"


def sums_of_places(money: Money) -> dict[str, int]:
    """Add up what the places won, and what was announced when nothing could be bought any more.

    What players got instead of playing is beside it; what is sent on is no prize of a place.
    """
    announced = money.closed or money.started
    bounties = sum(bounty.cents for bounty in money.bounties_due)
    beside = sum(paid.cents for paid in money.instead_due)
    places = sum(placing.prize_cents for placing in money.places or ())
    sent = sum(carried.cents for carried in money.sent_due)
    return {
        "the pool announced": announced.pool_cents + beside if announced else 0,
        "prizes announced": sum(announced.prizes_cents) + bounties + beside if announced else 0,
        "prizes of places": places + bounties + beside + sent,
    }


def wrong_dues(money: Money) -> Iterator[str]:
    """What was due was paid once, to that player; a tournament ends in one way only."""
    if sorted(money.prizes) != sorted(money.prizes_due):
        yield "prizes paid are not those due"
    if sorted(money.bounties) != sorted(money.bounties_due):
        yield "bounties paid are not those due"
    if sorted(money.shares) != sorted(money.shares_due):
        yield "shares paid are not those due"
    players = [share.player for share in money.shares]
    if len(set(players)) != len(players):
        yield "a player has two shares"
    if money.places is not None:
        yield from wrong_places(money)
        if money.shares:
            yield "it was finished, and shared out"


def wrong_places(money: Money) -> Iterator[str]:
    """Every player has one place; every place with a prize was due, to that player."""
    places = money.places or ()
    players = set(money.players.values())
    yield from wrong_announced(money, len(players))
    if [placing.place for placing in places] != list(range(1, len(players) + 1)):
        yield f"{len(players)} players have the places {[placing.place for placing in places]}"
    if sorted(placing.player for placing in places) != sorted(players):
        yield "the places are not those of the players"
    prizes = sorted((p.place, p.player, p.prize_cents) for p in places if p.prize_cents)
    if sorted((due.place, due.player, due.cents) for due in money.prizes_due) != prizes:
        yield "prizes due are not those of the places"


def wrong_announced(money: Money, players: int) -> Iterator[str]:
    """Who was there at the start, and who came until entries closed, are who entered."""
    started, closed = money.started, money.closed
    if closed is None and started is not None and started.players != players:
        yield f"{started.players} players started, {players} are registered"
    if closed is not None and (closed.entries, closed.players) != (len(money.players), players):
        yield f"{closed.entries} entries of {closed.players} players were told at the close"


def wrong_payment(paid: Payment) -> Iterator[str]:
    """What is paid goes from where it says to the account that it names."""
    moved = {posting.account: posting.amount_cents for posting in paid.postings}
    if moved != {account: cents for account, cents in expected(paid).items() if cents}:
        yield f"{what_is(paid)} was not posted as paid"
    if isinstance(paid, TicketIssued):
        return
    in_kind = isinstance(paid, PrizePaid) and paid.ticket_for
    if paid.credited not in (("unclaimed",) if in_kind else (f"cash/{paid.player}", "unclaimed")):
        yield f"{what_is(paid)} went to {paid.credited}"


def expected(paid: Payment) -> dict[str, int]:
    """Say what a payment does to each ledger account."""
    pool = f"pool/{paid.tournament}"
    match paid:
        case PrizePaid() | BountyPaid() | StagePrizePaid():
            return {pool: -paid.amount_cents, paid.credited: paid.amount_cents}
        case TicketIssued(value_cents=cents):
            return {pool: -cents, f"ticket/{paid.ticket}": cents}
        case PayoutPaid(pool_cents=from_pool, commission_cents=commission, top_up_cents=top_up):
            sources = {pool: -from_pool, "commission": -commission, "top-up": -top_up}
            return {**sources, paid.credited: from_pool + commission + top_up}


def what_is(paid: Payment) -> str:
    """Name a payment for a reader."""
    if isinstance(paid, PayoutPaid):
        return f"the share of {paid.player}"
    if isinstance(paid, BountyPaid):
        return f"the bounty of {paid.knocked_out}"
    if isinstance(paid, StagePrizePaid):
        return f"what {paid.player} got instead of playing on"
    return f"the prize of place {paid.place}"


def left_in_holds(history: History) -> Iterator[str]:
    """When no tournament is open, nothing is held for anybody."""
    for account, cents in final_balances(history).items():
        if cents and account.startswith("hold/"):
            yield f"{account} still holds {cents} cents"
