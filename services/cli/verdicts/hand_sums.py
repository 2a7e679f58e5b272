"""One hand added up from its facts alone: what went in is what came out, seat by seat.

This knows nothing of turns, raises, pots or hand ranks. It says that no chip came from nowhere or
went nowhere, not that the right player won it. Blinds and calls must be of the amount due, since
a raise says a whole amount and would hide what is wrong beneath it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from services.cli.verdicts.history import PlayedHand
from shared.contracts.hand import (
    AntePosted,
    BlindPosted,
    BoardDealt,
    HandStarted,
    PlayerCalled,
    PlayerRaised,
    PotAwarded,
    UncalledReturned,
)


class HandSums:
    """The chips of one hand while its facts are followed."""

    def __init__(self, started: HandStarted) -> None:
        self.stacks = {dealt.seat: dealt.stack_chips for dealt in started.seats}
        self.blinds = {"small": started.small_blind_chips, "big": started.big_blind_chips}
        self.bets: Counter[int] = Counter()
        self.to_match = started.big_blind_chips
        self.contributed = self.uncalled = self.awarded = 0
        self.pots: list[int] = []
        self.wrong: list[str] = []

    def pay(self, seat: int, chips: int) -> None:
        """Move chips from a stack to the middle."""
        if seat not in self.stacks:
            self.wrong.append(f"seat {seat} was not dealt in and pays {chips}")
            return
        self.stacks[seat] -= chips
        self.contributed += chips
        if chips < 0 or self.stacks[seat] < 0:
            self.wrong.append(f"seat {seat} pays {chips} and has {self.stacks[seat]} left")

    def bet(self, seat: int, chips: int, due: int) -> None:
        """Bet up to what is due, or all-in below it."""
        self.pay(seat, chips)
        self.bets[seat] += chips
        if self.bets[seat] > due or (self.bets[seat] < due and self.stacks.get(seat)):
            self.wrong.append(f"seat {seat} bets {self.bets[seat]} where {due} is due")

    def get(self, seat: int, chips: int) -> None:
        """Move chips from the middle to a stack."""
        if seat not in self.stacks or chips < 0:
            self.wrong.append(f"seat {seat} gets {chips}")
            return
        self.stacks[seat] += chips


def ante(sums: HandSums, event: AntePosted) -> None:
    sums.pay(event.seat, event.by_chips)


def blind(sums: HandSums, event: BlindPosted) -> None:
    sums.bet(event.seat, event.by_chips, sums.blinds[event.blind])


def called(sums: HandSums, event: PlayerCalled) -> None:
    sums.bet(event.seat, event.by_chips, sums.to_match)


def raised(sums: HandSums, event: PlayerRaised) -> None:
    sums.pay(event.seat, event.to_chips - sums.bets[event.seat])
    sums.bets[event.seat] = sums.to_match = event.to_chips


def new_street(sums: HandSums, _: BoardDealt) -> None:
    sums.bets.clear()
    sums.to_match = 0


def returned(sums: HandSums, event: UncalledReturned) -> None:
    sums.uncalled += event.by_chips
    sums.bets[event.seat] -= event.by_chips
    sums.get(event.seat, event.by_chips)


def awarded(sums: HandSums, event: PotAwarded) -> None:
    sums.pots.append(event.pot)
    for share in event.shares:
        sums.awarded += share.chips
        sums.get(share.seat, share.chips)


FOLLOW: dict[type[Any], Callable[[HandSums, Any], None]] = {
    AntePosted: ante,
    BlindPosted: blind,
    PlayerCalled: called,
    PlayerRaised: raised,
    BoardDealt: new_street,
    UncalledReturned: returned,
    PotAwarded: awarded,
}


def sums_of(hand: PlayedHand) -> HandSums:
    """Follow a hand's facts to its last one."""
    sums = HandSums(hand.started)
    for fact in hand.facts:
        follow = FOLLOW.get(type(fact.event))
        if follow is not None:
            follow(sums, fact.event)
    return sums


def wrong_sums(hand: PlayedHand) -> Iterator[str]:
    """Complain about a hand that does not add up; one that is still played owes no sums."""
    sums = sums_of(hand)
    yield from (f"{hand.name}: {what}" for what in sums.wrong)
    if hand.ended is None:
        return
    if len(set(sums.pots)) < len(sums.pots):
        yield f"{hand.name}: a pot was awarded twice"
    if sums.contributed - sums.uncalled != sums.awarded:
        yield (
            f"{hand.name}: {sums.contributed} contributed - {sums.uncalled} uncalled"
            f" is not {sums.awarded} awarded"
        )
    began = {dealt.seat: dealt.player for dealt in hand.started.seats}
    if (hand.ended.hand, {end.seat: end.player for end in hand.ended.seats}) != (hand.name, began):
        yield f"{hand.name}: ended as {hand.ended.hand}, or with other players"
    for end in hand.ended.seats:
        if end.stack_chips != sums.stacks.get(end.seat):
            yield (
                f"{hand.name}: seat {end.seat} ends with {end.stack_chips},"
                f" its facts add up to {sums.stacks.get(end.seat)}"
            )
    before = sum(dealt.stack_chips for dealt in hand.started.seats)
    after = sum(end.stack_chips for end in hand.ended.seats)
    if before != after:
        yield f"{hand.name}: {before} chips at its start, {after} at its end"
