"""Where PokerKit is known to play by other rules than ours, and exactly when that shows.

Each predicate is as narrow as the difference: it computes what PokerKit must say, or names the
situation, so that any other disagreement still fails.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from shared.contracts.hand import BlindPosted, BoardDealt, PlayerRaised, PotAwarded
from tests.hands.two_engines import RAISES, Ours, Theirs

Split = tuple[tuple[int, ...], int]


@dataclass(frozen=True)
class Point:
    """One decision of one hand, in both engines."""

    ours: Ours
    theirs: Theirs
    what: str
    our_value: object
    their_value: object

    def __str__(self) -> str:
        hand = self.ours.hand
        return (
            f"{self.what}: ours {self.our_value}, theirs {self.their_value} "
            f"(bets {hand.bets[1:]}, stacks {hand.stacks[1:]}, board {len(hand.board)})"
        )


@dataclass(frozen=True)
class Known:
    """A difference that is PokerKit's, and exactly when it shows."""

    reason: str
    shows: Callable[[Point], bool]


def short_blind(point: Point) -> bool:
    """All posted blinds are short of the big blind, and nobody has bet since."""
    hand = point.ours.hand
    highest = max(hand.bets)
    if (
        point.what not in ("call", "raises")
        or hand.board
        or hand.to_match != hand.started.big_blind_chips
    ):
        return False
    return highest < hand.to_match


def missing_blind(point: Point) -> bool:
    """The largest pot-limit raise differs by what the blinds lack, and by nothing else."""
    deal, hand = point.ours.deal, point.ours.hand
    if point.what != "raises" or deal.limit != "pot_limit" or hand.board:
        return False
    (our_low, our_high), (their_low, their_high) = pair(point.our_value), pair(point.their_value)
    posted = [event for event in point.ours.log if isinstance(event, BlindPosted)]
    lacking = deal.small + deal.big - sum(event.by_chips for event in posted)
    all_in = hand.stacks[hand.to_act[0]] + hand.bets[hand.to_act[0]]
    return our_low == their_low and our_high == min(their_high + lacking, all_in) > their_high


def first_bet_short(point: Point) -> bool:
    """Nobody has made a full bet or raise, and who has acted may not raise."""
    hand = point.ours.hand
    if (
        point.what != "raises"
        or pair(point.our_value) != (0, 0)
        or hand.to_act[0] not in hand.again
    ):
        return False
    opened_at = 0 if hand.board else hand.started.big_blind_chips
    return 0 < hand.to_match - opened_at < bet_of(point)


def short_all_ins_summed(point: Point) -> bool:
    """Two or more short all-ins since the last full raise, and we go by what the seat owes."""
    hand = point.ours.hand
    if point.what != "raises" or hand.to_act[0] not in hand.again:
        return False
    size, shorts = raises_of_street(point)
    we_let, they_let = point.our_value != (0, 0), point.their_value != (0, 0)
    owed = hand.to_match - hand.bets[hand.to_act[0]]
    return len(shorts) > 1 and we_let != they_let and we_let == (owed >= size)


def raises_of_street(point: Point) -> tuple[int, list[int]]:
    """Return the size of the last full bet or raise, and the short all-ins since."""
    level, size, shorts = point.ours.deal.big, bet_of(point), list[int]()
    for event in point.ours.log:
        if isinstance(event, BoardDealt):
            level, size, shorts = 0, bet_of(point), []
        elif isinstance(event, PlayerRaised):
            by, level = event.to_chips - level, event.to_chips
            if by >= size:
                size, shorts = by, []
            else:
                shorts.append(by)
    return size, shorts


def half_a_bet(point: Point) -> bool:
    """An all-in of half a bet or more, but less than one, faces who has acted."""
    hand = point.ours.hand
    if not only_we_let_raise(point) or hand.to_act[0] not in hand.again:
        return False
    owed = hand.to_match - hand.bets[hand.to_act[0]]
    return bet_of(point) / 2 <= owed < bet_of(point)


def two_left(point: Point) -> bool:
    """PokerKit's street has all its raises, and two players are not folded."""
    hand = point.ours.hand
    live = len(hand.to_act) + len(hand.acted) + len(hand.all_in)
    return only_we_let_raise(point) and their_cap(point) and live == 2


def short_raises_counted(point: Point) -> bool:
    """PokerKit's street has all its raises, ours has not: some of them were short."""
    return only_we_let_raise(point) and their_cap(point) and point.ours.hand.raises < RAISES


def only_we_let_raise(point: Point) -> bool:
    if point.what != "raises" or point.ours.deal.limit != "fixed_limit":
        return False
    return pair(point.our_value) != (0, 0) == pair(point.their_value)


def their_cap(point: Point) -> bool:
    state = point.theirs.state
    most = state.street.max_completion_betting_or_raising_count
    return bool(state.completion_betting_or_raising_count == most)


def bet_of(point: Point) -> int:
    """The full bet of the street."""
    deal, fixed = point.ours.deal, point.ours.deal.limit == "fixed_limit"
    return 2 * deal.big if fixed and len(point.ours.hand.board) > 3 else deal.big


def nothing_to_decide(point: Point) -> bool:
    """Everybody else is all-in and the one who is asked owes nothing."""
    state = point.theirs.state
    if point.what != "actor" or point.our_value is not None:
        return False
    others = [stack for player, stack in enumerate(state.stacks)
              if state.statuses[player] and player != state.actor_index]  # fmt: skip
    return not any(others) and state.checking_or_calling_amount == 0


def several_odd_chips(point: Point) -> bool:
    """With all odd chips of each pot given to the first winner, the stacks are PokerKit's."""
    pots = [(winners_of(pot), chips_of(pot)) for pot in pots_of(point)]
    return paid_so(point, pots, firsts=())


def merged_pots(point: Point) -> bool:
    """The same, with pots of the same winners taken together."""
    return paid_so(point, merged(point), firsts=())


def unsorted_winners(point: Point) -> bool:
    """The same, with a winner on seat 9 or 10 taken for the first."""
    return paid_so(point, merged(point), firsts=(9, 10))


def merged(point: Point) -> list[Split]:
    chips: Counter[tuple[int, ...]] = Counter()
    for pot in pots_of(point):
        chips[winners_of(pot)] += chips_of(pot)
    return list(chips.items())


def paid_so(point: Point, pots: list[Split], firsts: tuple[int, ...]) -> bool:
    """Pay the pots again, all odd chips of each in one hand, and look for PokerKit's stacks."""
    if point.what != "final stacks":
        return False
    unpaid = list(point.ours.stacks())
    for pot in pots_of(point):
        for share in pot.shares:
            unpaid[share.seat - 1] -= share.chips
    lucky = [[seats[0], *[seat for seat in seats[1:] if seat in firsts]] for seats, _ in pots]
    return any(paid(unpaid, pots, seats) == point.their_value for seats in product(*lucky))


def paid(unpaid: list[int], pots: list[Split], lucky: tuple[int, ...]) -> tuple[int, ...]:
    stacks = list(unpaid)
    for (winners, chips), first in zip(pots, lucky, strict=True):
        each, odd = divmod(chips, len(winners))
        for seat in winners:
            stacks[seat - 1] += each + (odd if seat == first else 0)
    return tuple(stacks)


def pots_of(point: Point) -> list[PotAwarded]:
    return [event for event in point.ours.log if isinstance(event, PotAwarded)]


def winners_of(pot: PotAwarded) -> tuple[int, ...]:
    return tuple([share.seat for share in pot.shares])


def chips_of(pot: PotAwarded) -> int:
    return sum(share.chips for share in pot.shares)


def pair(value: object) -> tuple[int, int]:
    assert isinstance(value, tuple)
    low, high = value
    return low, high


KNOWN: dict[str, Known] = {
    "short big blind": Known(
        "callers owe the whole big blind, PokerKit asks for what was posted (PP-BLINDS)",
        short_blind,
    ),
    "short blind in the pot": Known(
        "a short blind counts in full in the pot, PokerKit counts what was posted (BH-POTLIMIT)",
        missing_blind,
    ),
    "short first bet": Known(
        "an all-in below a full bet re-opens nothing, PokerKit takes the first one for a bet "
        "(Re-opening)",
        first_bet_short,
    ),
    "short all-ins summed": Known(
        "a seat may raise when it owes a full raise; PokerKit adds up short all-ins that the seat "
        "has called, and forgets them once they came to a full one (Re-opening)",
        short_all_ins_summed,
    ),
    "half a bet": Known(
        "in fixed limit half a bet re-opens, PokerKit wants a whole one (Re-opening)",
        half_a_bet,
    ),
    "two left": Known(
        "two players have no cap, PokerKit keeps it (BH-LIMITS)",
        two_left,
    ),
    "short raises counted": Known(
        "a short all-in is no raise, PokerKit counts it to the cap (Re-opening)",
        short_raises_counted,
    ),
    "nothing to decide": Known(
        "betting is over when all others are all-in and matched, PokerKit asks for a check",
        nothing_to_decide,
    ),
    "several odd chips": Known(
        "odd chips go one by one left of the button, PokerKit gives all to the first (BH-ODD)",
        several_odd_chips,
    ),
    "pots merged": Known(
        "odd chips are per pot, PokerKit merges pots when the losers of one are gone (BH-ODD)",
        merged_pots,
    ),
    "winners unsorted": Known(
        "odd chips go left of the button, PokerKit takes winners in the order of a hash table, "
        "where seats 9 and 10 may come first (BH-ODD)",
        unsorted_winners,
    ),
}
