"""From a tournament that stands still to its case, its sheet, and the hash that is approved.

Completed hands stand; who has chips at a table, or on the way to one, is still in (the cut).
"""

import msgspec
from msgspec.structs import replace

from services.director.core.big_shoot import has_qualified, price_of
from services.director.core.buying.closing import prizes_now
from services.director.core.buying.rebuys import paid_by
from services.director.core.rollforward.case import Case, Survivor
from services.director.core.rollforward.checks import problem_of
from services.director.core.rollforward.policies import shares_of
from services.director.core.rollforward.sheet import Sheet, sheet_of
from services.director.core.stages import entrants
from services.director.core.state import Tournament
from shared.contracts.director import Cut, QualifyingPrizes, SatellitePrizes, Terms
from shared.contracts.hand import SeatStack
from shared.kernel.decider import Refused
from shared.kernel.hashing import digest
from shared.poker.rule_sets import RollForward


def case_of(tournament: Tournament) -> Case:
    """Reduce a running tournament to what its payout depends on."""
    if isinstance(tournament.agreed.prizes, SatellitePrizes | QualifyingPrizes):
        return satellite_case(tournament)
    terms, rules = tournament.agreed, tournament.rule_set
    prizes = prizes_now(tournament)
    policy = policy_of(tournament, len(prizes))
    everybody = policy == "refund_all"
    return Case(
        policy=policy,
        pool_cents=sum(prizes),
        survivors=entered_by(tournament) if everybody else survivors_of(tournament),
        paid_cents=paid_cents(tournament),
        commission_cents=terms.commission_cents,
        entry_cents=entry_cents(terms),
        prizes_cents=prizes,
        prizes_won=prizes_won(tournament, len(prizes)),
        in_the_money=rules.in_the_money,
        rf1_refunds=rules.rf1_refunds,
    )


def prizes_won(tournament: Tournament, paid_places: int) -> int:
    """Count the prizes whose winner is out."""
    return sum(place <= paid_places for place in tournament.places)


def policy_of(tournament: Tournament, paid_places: int) -> RollForward:
    """Return the rule set's policy; once a prize is won BH-RF2 takes the place of `refund_all`."""
    policy = tournament.rule_set.roll_forward
    if policy == "refund_all" and prizes_won(tournament, paid_places):
        return "big_holdem"
    return policy


def satellite_case(tournament: Tournament) -> Case:
    """Satellites are always RF1, no tickets; what was paid while it ended was no prize won.

    So are the stages of a Big Shoot before the final.
    """
    terms = tournament.agreed
    return Case(
        policy="big_holdem",
        pool_cents=sum(prizes_now(tournament)),
        survivors=survivors_of(tournament),
        withdrawn_cents=paid_cents(tournament),
        commission_cents=terms.commission_cents,
        entry_cents=entry_cents(terms),
        rf1_refunds=tournament.rule_set.rf1_refunds,
    )


def entry_cents(terms: Terms) -> int:
    """Return the price of an entry but its bounty, which comes back by itself."""
    return terms.fee_cents + terms.commission_cents - terms.bounty_cents


def paid_cents(tournament: Tournament) -> int:
    """Add up the prizes that are due already."""
    return sum(placing.prize_cents for placing in tournament.places.values())


def survivors_of(tournament: Tournament) -> tuple[Survivor, ...]:
    """Return who is still in, by table and seat; before the seats of a stage all who begin it.

    Who goes on to the next stage without chips counts with one, whether a shoot-out's or a Big
    Shoot's.
    """
    if not tournament.tables:
        waiting = {
            **entrants(tournament),
            **{held.player: held.stack_chips for seats in tournament.seating for held in seats},
        }
        return tuple(
            survivor(tournament, SeatStack(0, player, chips), 0)
            for player, chips in waiting.items()
        )
    seated = (
        survivor(tournament, held, table.number)
        for table in tournament.tables.values()
        for held in sorted(table.seats + table.arriving, key=lambda held: held.seat)
    )
    going_on = (
        survivor(tournament, SeatStack(0, name, 0), 0) for name in has_qualified(tournament)
    )
    return (*seated, *going_on)


def entered_by(tournament: Tournament) -> tuple[Survivor, ...]:
    """Return everybody who entered: who is still in, then who is out, by their ids."""
    still_in = survivors_of(tournament)
    known = {survivor.player for survivor in still_in}
    out = (player for player in tournament.registered if player not in known)
    return (
        *still_in,
        *(replace(survivor(tournament, SeatStack(0, name, 0), 0), chips=0) for name in out),
    )


def survivor(tournament: Tournament, held: SeatStack, table: int) -> Survivor:
    """Write down who has chips, and all bought here or in stage 1, but for bounties."""
    bought, terms = paid_by(tournament, held.player), tournament.agreed
    extras = ((terms.rebuy, bought.rebuys), (terms.add_on, bought.add_ons))
    sold = [(one, times) for one, times in extras if one is not None]
    commission = sum(one.commission_cents * times for one, times in sold)
    fees = sum(one.fee_cents * times for one, times in sold)
    price = price_of(tournament, held.player)
    return Survivor(
        player=held.player,
        chips=max(held.stack_chips, 1),
        table=table,
        seat=held.seat,
        entries=bought.entries,
        extra_cents=commission + fees - terms.bounty_cents * bought.rebuys,
        extra_commission_cents=commission,
        entry_cents=None if price is None else sum(price),
        commission_cents=None if price is None else price[1],
    )


def sheet_now(tournament: Tournament) -> Sheet | Refused:
    """Draw the sheet up as of now; bounties stand beside it."""
    case = case_of(tournament)
    problem = problem_of(case)
    if problem is not None:
        return problem
    sheet = sheet_of(case, shares_of(case))
    return replace(sheet, warnings=(*sheet.warnings, *open_bounties(tournament)))


def open_bounties(tournament: Tournament) -> tuple[str, ...]:
    """Say that the bounties nobody has won go back to their owners, beside the sheet."""
    cents = sum(tournament.bounties.values())
    if not cents:
        return ()
    return (f"besides, {len(tournament.bounties)} players get their own bounties: {cents} cents",)


def cut_of(tournament: Tournament) -> tuple[Cut, ...]:
    """Return up to where each table's facts count."""
    return tuple(
        Cut(table.table, table.heard_from, table.heard_number)
        for table in tournament.tables.values()
    )


def hash_of(tournament: Tournament, sheet: Sheet) -> str:
    """Return the hash by which an operator approves this very sheet at this very cut."""
    content = (tournament.tournament, cut_of(tournament), sheet)
    return digest(msgspec.json.encode(content)).hex()
