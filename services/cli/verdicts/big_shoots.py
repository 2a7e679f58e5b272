"""Big Shoots (BH-BIGSHOOT): what leaves one stage comes to the next, with who has qualified."""

from collections.abc import Iterator

from services.cli.verdicts.tournament_money import Carried, Money, carried_of
from shared.contracts.director import QualifyingPrizes


def all_carried(money: Money) -> bool:
    """Tell whether nothing is on its way between stages, and nobody waits for money of theirs."""
    known = {one.from_tournament for one in money.qualified}
    known |= {one.came_from for one in money.instead_due}
    arrived = all(one.came_from in known for one in money.come if one.cents)
    paid = len(money.instead) >= len(money.instead_due)
    return arrived and paid and len(money.sent) >= len(money.sent_due)


def wrong_stages(money: Money) -> Iterator[str]:
    """Compare what was said of pools and qualified players with what was done."""
    if money.sent != money.sent_due or len(money.sent) > 1:
        yield f"{len(money.sent_due)} pools are to leave, {len(money.sent)} left as they should"
    if sorted(money.instead) != sorted(money.instead_due):
        yield "what was paid instead of playing on is not what was due"
    come = {one.came_from: at_its_target(one) for one in money.come}
    for one in money.qualified:
        if come.get(one.from_tournament) != carried_of(one):
            yield f"what came from {one.from_tournament} is not what was carried"
    yield from wrong_withdrawals(money)
    yield from wrong_qualifiers(money)


def at_its_target(pool: Carried) -> Carried:
    """Nobody may withdraw for more than an even share of what has come along."""
    even_share = pool.cents // max(len(pool.players), 1)
    return pool._replace(withdrawal_cents=min(pool.withdrawal_cents, even_share))


def wrong_withdrawals(money: Money) -> Iterator[str]:
    """Only who has qualified withdraws, for what was told."""
    offered = {
        (one.from_tournament, player): one.withdrawal_cents
        for one in money.qualified
        for player in one.players
    }
    for due in money.withdrew:
        if offered.get((due.from_tournament, due.player)) != due.amount_cents:
            yield f"{due.player} withdrew for {due.amount_cents} cents"


def wrong_qualifiers(money: Money) -> Iterator[str]:
    """The best places go on from a stage that was played to its end, nobody from another."""
    ranked = sorted(money.places or (), key=lambda placing: placing.place)
    prizes = money.terms.prizes if money.terms else None
    told = prizes.withdrawal_cents if isinstance(prizes, QualifyingPrizes) else 0
    for sent in money.sent_due:
        if sent.withdrawal_cents != told:
            yield f"who goes on is offered {sent.withdrawal_cents} cents, {told} were told"
        best = [placing.player for placing in ranked[: len(sent.players)]]
        if sorted(sent.players) != sorted(best) or bool(sent.players) != bool(ranked):
            yield f"{', '.join(sent.players) or 'nobody'} goes on, the best are {', '.join(best)}"
