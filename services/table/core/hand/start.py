"""From explicit positions to the first question: antes, blinds, and the cards that are due."""

from services.table.core.hand.closing import Stepped
from services.table.core.hand.evolve import HandEvent, evolve, new_hand
from services.table.core.hand.state import Hand
from shared.contracts.dealer import DealtIn, SeatSeed
from shared.contracts.hand import AntePosted, BlindPosted, DealAwaited, HandStarted
from shared.poker.rule_sets import RuleSet


def start_hand(
    rules: RuleSet,
    started: HandStarted,
    promise: bytes = b"",
    seeds: tuple[SeatSeed, ...] = (),
) -> Stepped:
    """Post antes, then blinds (PP-BLINDS), and ask for the cards.

    The events are those after `HandStarted` itself. Positions are taken as given: no small
    blind where `small_blind_seat` is None, a dead ante of the big blind where the rule set says.
    With player entropy the dealer is held to its promise, and gets the seeds that were given.
    """
    hand = new_hand(rules, started)
    posts: list[HandEvent] = []
    if started.ante_chips:
        posts += antes(hand)
        for post in posts:
            hand = evolve(hand, post)
    due: list[HandEvent] = [*blinds(hand), deal_question(started, promise, seeds)]
    for event in due:
        hand = evolve(hand, event)
    return (*posts, *due), hand


def deal_question(started: HandStarted, promise: bytes, seeds: tuple[SeatSeed, ...]) -> DealAwaited:
    """Ask for everybody's cards, in dealing order; the seeds come in that order too."""
    roster = tuple([DealtIn(dealt.seat, dealt.player) for dealt in started.seats])
    given = {seed.seat: seed for seed in seeds}
    ordered = tuple([given[dealt.seat] for dealt in roster if dealt.seat in given])
    return DealAwaited(hand=started.hand, roster=roster, promise=promise, seeds=ordered)


def antes(hand: Hand) -> list[AntePosted]:
    """Everyone posts the ante, or the big blind a dead one for all; or all there is."""
    started, stacks = hand.started, hand.stacks
    dead = hand.rules.ante == "big_blind"
    return [
        AntePosted(seat=seat, by_chips=min(started.ante_chips, stacks[seat]), dead=dead)
        for seat in ((started.big_blind_seat,) if dead else hand.order)
    ]


def blinds(hand: Hand) -> list[BlindPosted]:
    """Post the blinds, or all that the ante left; they count in full all the same."""
    started, stacks = hand.started, hand.stacks
    small, big = started.small_blind_seat, started.big_blind_seat
    posts = []
    if small is not None and stacks[small]:
        chips = min(started.small_blind_chips, stacks[small])
        posts.append(BlindPosted(seat=small, by_chips=chips, blind="small"))
    if stacks[big]:
        chips = min(started.big_blind_chips, stacks[big])
        posts.append(BlindPosted(seat=big, by_chips=chips, blind="big"))
    return posts
