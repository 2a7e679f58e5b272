"""Main pot, side pots and who gets them (BH-ALLIN, PP-SIDEPOTS, BH-ODD)."""

from collections.abc import Mapping, Sequence
from operator import add

import msgspec

from services.table.core.hand.evolve import evolve
from services.table.core.hand.state import Chips, Hand, Queue, from_seat_after, live_seats
from shared.contracts.hand import KnockOut, PotAwarded, Share
from shared.poker.hand_rank import hand_rank


class Pot(msgspec.Struct, frozen=True):
    """Chips in the middle, and the live seats that contest them, in dealing order."""

    chips: int
    eligible: Queue


def pots_of(hand: Hand, live: Queue) -> tuple[Pot, ...]:
    """Return what is in the middle; without an all-in, or with one seat left, it is one pot."""
    if len(live) == 1 or not hand.all_in:
        return (Pot(sum(hand.paid) + sum(hand.bets) + hand.dead, live),)
    return side_pots(tuple(map(add, hand.paid, hand.bets)), live, hand.dead)


def side_pots(paid: Chips, live: Queue, dead: int) -> tuple[Pot, ...]:
    """Layer the contributions by what the live seats paid, main pot first.

    Dead chips belong to the main pot. What folded seats paid beyond every live one lies in the
    last pot.
    """
    levels = sorted({paid[seat] for seat in live})
    pots = []
    floor = 0
    for level in levels:
        chips = sum([min(chips, level) - floor for chips in paid if chips > floor]) + dead
        if level == levels[-1]:
            chips += sum([chips - level for chips in paid if chips > level])
        pots.append(Pot(chips, tuple([seat for seat in live if paid[seat] >= level])))
        floor, dead = level, 0
    return tuple(pots)


def awards(hand: Hand) -> tuple[tuple[PotAwarded, ...], Hand]:
    """Pay every pot, from the last one created back to the main pot (PP-SHOWDOWN)."""
    live = live_seats(hand)
    ranks = {} if len(live) == 1 else {seat: rank_of(hand, seat) for seat in live}
    events = []
    pots = pots_of(hand, live)
    for number in range(len(pots) - 1, -1, -1):
        pot = pots[number]
        if pot.chips:
            event = PotAwarded(pot=number, shares=shares(hand, pot, ranks))
            hand = evolve(hand, event)
            events.append(event)
    return tuple(events), hand


def knock_outs(hand: Hand) -> tuple[KnockOut, ...]:
    """Say of all who have lost their last chips who won the last pot that they contested."""
    live = live_seats(hand)
    fallen = [seat for seat in live if not hand.stacks[seat]]
    if not fallen:
        return ()
    ranks = {seat: rank_of(hand, seat) for seat in live}
    pots = pots_of(hand, live)
    deciding = {seat: pot for pot in pots for seat in pot.eligible}
    return tuple(
        [
            KnockOut(seat, tuple([share.seat for share in shares(hand, deciding[seat], ranks)]))
            for seat in sorted(fallen)
        ]
    )


def rank_of(hand: Hand, seat: int) -> int:
    """Rank a hand that has been shown."""
    cards = next(cards for shown, cards in hand.shown if shown == seat)
    return hand_rank(cards + hand.board)


def shares(hand: Hand, pot: Pot, ranks: Mapping[int, int]) -> tuple[Share, ...]:
    """The best hand takes the pot; ties split it, and the rule set places the odd chips."""
    eligible = pot.eligible
    if len(eligible) == 1:
        return (Share(eligible[0], pot.chips),)
    best = max([ranks[seat] for seat in eligible])
    winners = [seat for seat in eligible if ranks[seat] == best]
    each, odd = divmod(pot.chips, len(winners))
    extra = odd_chips(hand, winners, odd)
    return tuple([Share(seat, each + extra[seat]) for seat in winners])


def odd_chips(hand: Hand, winners: Sequence[int], odd: int) -> dict[int, int]:
    """Place the chips that cannot be split (BH-ODD, and one at a time for the others)."""
    if hand.rules.odd_chips == "one_each_left_of_button":
        return {seat: int(place < odd) for place, seat in enumerate(winners)}
    coming_blinds = from_seat_after(hand.order, hand.started.big_blind_seat)
    lucky = next(seat for seat in coming_blinds if seat in winners)
    return {seat: odd if seat == lucky else 0 for seat in winners}
