"""Random hands through our core and PokerKit: what is offered and refused at every decision.

Where the two are known to differ, a row of `KNOWN` says why and when; such a hand is counted
and compared no further, since the engines have parted. Any other difference fails.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from msgspec.structs import replace

from services.table.core import hand as core
from shared.kernel.decider import Refused
from shared.poker.rule_sets import TDA, Limit, RuleSet
from tests.hands.known_differences import KNOWN, Point
from tests.hands.two_engines import Ours, Theirs, random_deal

Ante = Literal["each", "big_blind"]

LIMITS: tuple[Limit, ...] = ("no_limit", "pot_limit", "fixed_limit")


@dataclass
class Report:
    """What many hands came to."""

    hands: int = 0
    decisions: int = 0
    probes: int = 0
    known: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        for name, count in sorted(self.known.items()):
            yield f"known: {count} × {name}: {KNOWN[name].reason}"
        yield f"{self.decisions} decisions, {self.probes} amounts tried"
        known, failed = self.known.total(), len(self.failures)
        right = self.hands - known - failed
        yield f"{self.hands} hands: {right} ok, {failed} failed, {known} known differences"


class Differs(Exception):
    """The engines have parted."""

    def __init__(self, point: Point) -> None:
        super().__init__(str(point))
        self.point = point


def compare(seed: int, limit: Limit, report: Report, rules: RuleSet = TDA) -> None:
    """Play one random hand in both engines, and say where they part."""
    random = Random(f"{seed} {limit}")
    deal = random_deal(random, limit)
    ante: Ante = "big_blind" if deal.big_blind_antes else "each"
    ours, theirs = Ours(deal, replace(rules, limit=limit, ante=ante)), Theirs(deal)
    report.hands += 1
    try:
        while (choice := same_choice(ours, theirs)) is not None:
            report.decisions += 1
            report.probes += same_bounds(ours, theirs, choice, random)
            act(ours, theirs, choice, random)
        same(ours, theirs, "final stacks", ours.stacks(), theirs.stacks())
    except Differs as differs:
        names = [name for name, known in KNOWN.items() if known.shows(differs.point)]
        if names:
            report.known[names[0]] += 1
        else:
            report.failures.append(f"seed {seed} {limit}: {differs}")


def same(ours: Ours, theirs: Theirs, what: str, our_value: object, their_value: object) -> None:
    if our_value != their_value:
        raise Differs(Point(ours, theirs, what, our_value, their_value))


def same_choice(ours: Ours, theirs: Theirs) -> core.Options | None:
    """Compare who acts, what a call costs, and from where to where may be raised."""
    choice = core.options(ours.hand)
    index = theirs.state.actor_index
    same(ours, theirs, "actor", choice and choice.seat, None if index is None else index + 1)
    if choice is None:
        return None
    low = theirs.state.min_completion_betting_or_raising_to_amount
    high = theirs.state.max_completion_betting_or_raising_to_amount
    same(ours, theirs, "call", choice.call_chips, theirs.state.checking_or_calling_amount)
    same(ours, theirs, "raises", (choice.min_raise_to, choice.max_raise_to), (low or 0, high or 0))
    return choice


def same_bounds(ours: Ours, theirs: Theirs, choice: core.Options, random: Random) -> int:
    """Try amounts on both sides of the bounds, and one anywhere: both take it or neither.

    Folding with nothing to call is ours alone: in a tournament PokerKit refuses it.
    """
    hand, seat = ours.hand, choice.seat
    all_in = hand.stacks[seat] + hand.bets[seat]
    bounds = {choice.min_raise_to, choice.max_raise_to, all_in, hand.to_match}
    amounts = sorted({bound + step for bound in bounds for step in (-1, 0, 1)})
    amounts.append(random.randint(1, all_in + 2))
    for amount in amounts:
        taken = not isinstance(core.raise_to(hand, seat, amount), Refused)
        same(ours, theirs, f"raise to {amount}", taken, theirs.accepts(amount))
    checks = not isinstance(core.check(hand, seat), Refused)
    same(ours, theirs, "check", checks, not choice.call_chips)
    folds = not isinstance(core.fold(hand, seat), Refused)
    same(ours, theirs, "fold", folds, theirs.state.can_fold() or not choice.call_chips)
    return len(amounts)


def act(ours: Ours, theirs: Theirs, choice: core.Options, random: Random) -> None:
    """Take the same action on both sides, raises often at a bound."""
    hand, seat, dice = ours.hand, choice.seat, random.random()
    if choice.max_raise_to and dice < 0.45:
        low, high = choice.min_raise_to, choice.max_raise_to
        to_chips = random.choice((low, low, high, random.randint(low, high)))
        ours.take(core.raise_to(hand, seat, to_chips))
        theirs.raise_to(to_chips)
    elif choice.call_chips and dice < 0.65:
        ours.take(core.fold(hand, seat))
        theirs.fold()
    else:
        ours.take((core.call if choice.call_chips else core.check)(hand, seat))
        theirs.check_or_call()


def differential(hands: int, seed: int, rules: RuleSet = TDA) -> Report:
    """Compare this many hands of each limit; `tda` counts the own call in the pot, as PokerKit."""
    report = Report()
    for number in range(seed, seed + hands):
        for limit in LIMITS:
            compare(number, limit, report, rules)
    return report
