"""How much may be bet and raised: no limit, pot limit and fixed limit (BH-LIMITS).

Amounts are whole bets of the street. Whatever the limit, a stack too short for the smallest
raise may go all-in (PP-MINBET).
"""

from services.table.core.hand.state import Hand

RAISES_MAX = 4  # One bet and three raises; before the flop the big blind is the bet.


def min_bet(hand: Hand, board_cards: int) -> int:
    """Return the smallest bet of a street, told by the cards on the board (PP-MINBET)."""
    big, rules = hand.started.big_blind_chips, hand.rules
    if board_cards > 3 and (rules.min_bet == "doubles_on_turn" or rules.limit == "fixed_limit"):
        return 2 * big
    return big


def raise_size(hand: Hand) -> int:
    """Return by how much a full raise goes over the bet to match (BH-MINRAISE, PP-MINRAISE)."""
    rules = hand.rules
    if rules.min_raise == "double_to" and rules.limit != "fixed_limit":
        return max(hand.to_match, hand.last_raise)
    return hand.last_raise


def reopening_size(hand: Hand) -> int:
    """Return what an all-in must add to be a raise for those who have acted (Re-opening)."""
    rules = hand.rules
    if rules.limit == "fixed_limit" and rules.fixed_limit_reopens == "half_bet":
        return (hand.last_raise + 1) // 2
    return hand.last_raise


def has_cap(hand: Hand) -> bool:
    """Tell whether `RAISES_MAX` holds: two players left in the hand have no cap (BH-LIMITS)."""
    return (
        hand.rules.limit == "fixed_limit"
        and len(hand.to_act) + len(hand.acted) + len(hand.all_in) > 2
    )


def full_raise_to(hand: Hand) -> int:
    """Return the smallest raise that is no short all-in."""
    return hand.to_match + raise_size(hand)


def all_in_to(hand: Hand, seat: int) -> int:
    """Return the whole bet of a seat that puts in everything."""
    return hand.stacks[seat] + hand.bets[seat]


def min_raise_to(hand: Hand, seat: int) -> int:
    """Return the smallest raise; a shorter stack may always go all-in (PP-MINBET)."""
    return min(full_raise_to(hand), all_in_to(hand, seat))


def max_raise_to(hand: Hand, seat: int) -> int:
    """Return the largest raise: all-in, or what the limit allows of it."""
    all_in, limit = hand.stacks[seat] + hand.bets[seat], hand.rules.limit
    if limit == "no_limit":
        return all_in
    if limit == "fixed_limit":
        return min(full_raise_to(hand), all_in)
    return min(pot_raise_to(hand, seat), all_in)


def pot_raise_to(hand: Hand, seat: int) -> int:
    """Return the highest bet plus the pot, with or without the own call (BH-POTLIMIT).

    It is never below a full raise: every raise lies in the pot, and so do two big blinds when a
    bet is still to come.
    """
    pot = sum(hand.paid) + sum(hand.bets) + hand.dead + missing_blinds(hand)
    own_call = hand.to_match - hand.bets[seat] if hand.rules.pot_limit_counts_call else 0
    return hand.to_match + pot + own_call


def missing_blinds(hand: Hand) -> int:
    """Return what short and dead blinds lack: before the flop they count in full."""
    if hand.board:
        return 0
    started, bets = hand.started, hand.bets
    small = started.small_blind_seat
    posted = 0 if small is None else bets[small]
    return max(0, started.small_blind_chips - posted) + max(
        0, started.big_blind_chips - bets[started.big_blind_seat]
    )
