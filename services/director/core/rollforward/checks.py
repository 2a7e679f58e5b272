"""What makes a case impossible: refused before a cent is computed, with the first reason."""

from collections.abc import Callable

from services.director.core.rollforward.case import Case
from shared.kernel.decider import Refused


def problem_of(case: Case) -> Refused | None:
    """Return the first problem, in this order."""
    for check in CHECKS:
        problem = check(case)
        if problem is not None:
            return problem
    return None


def nobody_is_left(case: Case) -> Refused | None:
    return None if case.survivors else Refused("no_survivors")


def players_twice(case: Case) -> Refused | None:
    """One line a player, and one player a seat."""
    players = [survivor.player for survivor in case.survivors]
    if "" in players:
        return Refused("player_invalid", "a survivor has no name")
    if len(set(players)) != len(players):
        return Refused("player_twice")
    seats = [(held.table, held.seat) for held in case.survivors if held.seat]
    return None if len(set(seats)) == len(seats) else Refused("seat_twice")


def chips_missing(case: Case) -> Refused | None:
    """Who has no chips is out; only where everybody is refunded chips do not matter."""
    if case.policy != "refund_all":
        for survivor in case.survivors:
            if survivor.chips == 0:
                return Refused("no_chips", f"{survivor.player} has none, and so is out")
    if case.chips_in_play not in (None, case.chips):
        return Refused(
            "chips_do_not_add_up", f"{case.chips} of {case.chips_in_play} chips are listed"
        )
    return None


def prizes_rise(case: Case) -> Refused | None:
    """BH-WINNERS: prizes never rise with the place."""
    prizes = case.prizes_cents
    rising = next((n for n in range(1, len(prizes)) if prizes[n] > prizes[n - 1]), None)
    return None if rising is None else Refused("prizes_rise", f"at place {rising + 1}")


def prizes_are_not_the_pool(case: Case) -> Refused | None:
    """The prizes sum to the pool, less what was withdrawn of it, to the cent."""
    shared = case.pool_cents - case.withdrawn_cents
    if case.prizes_cents and sum(case.prizes_cents) != shared:
        return Refused(
            "money_does_not_add_up", f"prizes are {sum(case.prizes_cents)} cents of {shared}"
        )
    return None


def more_paid_than_there_is(case: Case) -> Refused | None:
    """What was paid and withdrawn came out of the pool."""
    if case.left_cents < 0:
        return Refused("money_does_not_add_up", f"{-case.left_cents} cents more than the pool")
    return None


def won_is_not_paid(case: Case) -> Refused | None:
    """Prizes won are those of the last paid places, and were paid so, where they are listed."""
    prizes, won = case.prizes_cents, case.prizes_won
    if won and not prizes:
        return None
    if won > len(prizes):
        return Refused("prizes_won_invalid", f"{won} of {len(prizes)} prizes cannot be won")
    expected = sum(prizes[len(prizes) - won :])
    if case.paid_cents != expected:
        return Refused(
            "money_does_not_add_up", f"{won} prizes won are {expected} cents, not {case.paid_cents}"
        )
    return None


def too_many_left(case: Case) -> Refused | None:
    """Once a prize is won, every player still in has a paid place."""
    left, paid_places = len(case.survivors), len(case.prizes_cents)
    if case.prizes_won and paid_places and left != paid_places - case.prizes_won:
        return Refused(
            "survivors_do_not_fit", f"{left} are left, {paid_places - case.prizes_won} prizes"
        )
    return None


def policy_does_not_apply(case: Case) -> Refused | None:
    """`refund_all` gives back what a prize has already been paid from."""
    if case.policy == "refund_all" and case.prizes_won:
        return Refused("prize_already_won", "refund_all applies only while no prize is won")
    next_prize = case.policy == "big_holdem" or case.in_the_money == "next_prize"
    by_place = case.policy == "tda" or (case.prizes_won and next_prize)
    if by_place and not case.prizes_cents:
        return Refused("prizes_missing", f"{case.policy} depends on the prizes of places")
    return None


def commission_above_price(case: Case) -> Refused | None:
    """The price of an entry includes its commission."""
    named = case.policy == "refund_all" or (case.policy == "big_holdem" and not case.prizes_won)
    prices = [(case.entry_cents, case.commission_cents)]
    prices += [(case.entry_of(held), case.commission_of(held)) for held in case.survivors]
    if named and any(entry < commission for entry, commission in prices):
        return Refused("entry_invalid", "an entry costs at least its commission")
    return None


def extras_below_their_commission(case: Case) -> Refused | None:
    """So does the price of what was bought beside the entries."""
    for survivor in case.survivors:
        if survivor.extra_cents < survivor.extra_commission_cents:
            return Refused("extras_invalid", f"{survivor.player}: less than their commission")
    return None


CHECKS: tuple[Callable[[Case], Refused | None], ...] = (
    nobody_is_left,
    players_twice,
    chips_missing,
    prizes_rise,
    prizes_are_not_the_pool,
    more_paid_than_there_is,
    won_is_not_paid,
    too_many_left,
    policy_does_not_apply,
    commission_above_price,
    extras_below_their_commission,
)
