"""One random hand in our core and in PokerKit at once, for the differential.

Both get the same deal and the same actions; nothing here judges.
"""

import warnings
from dataclasses import dataclass, field
from random import Random

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    Mode,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from services.table.core import hand as core
from shared.contracts.dealer import SealedCards
from shared.contracts.hand import (
    BoardAwaited,
    DealAwaited,
    HandStarted,
    OpeningAwaited,
    SeatStack,
    ViewAwaited,
)
from shared.kernel.decider import Refused
from shared.poker.deck import CARDS, STREET_OFFSETS
from shared.poker.rule_sets import Limit, RuleSet

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)
STRUCTURES = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "fixed_limit": BettingStructure.FIXED_LIMIT,
}
RAISES = 4


@dataclass(frozen=True)
class Deal:
    """Everything that is fixed before the first action."""

    limit: Limit
    small: int
    big: int
    ante: int
    big_blind_antes: bool
    stacks: tuple[int, ...]
    deck: tuple[str, ...]

    @property
    def players(self) -> int:
        return len(self.stacks)

    def hole(self, player: int) -> tuple[str, ...]:
        return self.deck[2 * player : 2 * player + 2]

    def board(self, street: str) -> tuple[str, ...]:
        return tuple(self.deck[2 * self.players + at] for at in STREET_OFFSETS[street])


def random_deal(random: Random, limit: Limit) -> Deal:
    """Blinds need not be even; in a quarter of the hands stacks need not cover them."""
    players = random.choice((2, 2, 3, 3, 4, 5, 6, 8, 10))
    big = random.choice((2, 3, 10, 100))
    depth = random.choice((2, 5, 12, 60))
    ante = random.choice((0, 0, 0, 1, max(1, big // 4), big))
    least = random.choice((1, big + ante, big + ante, big + ante))
    stacks = tuple(random.randint(least, max(depth, 3) * big) for _ in range(players))
    deck = list(CARDS)
    random.shuffle(deck)
    return Deal(
        limit,
        small=random.choice((big // 2, max(1, big // 3))),
        big=big,
        ante=ante,
        big_blind_antes=bool(ante) and random.random() < 0.4,
        stacks=stacks,
        deck=tuple(deck),
    )


@dataclass
class Ours:
    """Our hand, its dealer included; player k sits on seat k + 1."""

    deal: Deal
    rules: RuleSet
    log: list[core.HandEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        deal, heads_up = self.deal, self.deal.players == 2
        seats = [SeatStack(k, f"p{k}", chips) for k, chips in enumerate(deal.stacks, 1)]
        started = HandStarted(
            hand="h",
            number=1,
            small_blind_chips=deal.small,
            big_blind_chips=deal.big,
            ante_chips=deal.ante,
            button_seat=deal.players,
            small_blind_seat=2 if heads_up else 1,
            big_blind_seat=1 if heads_up else 2,
            seats=tuple(seats),
        )
        self.take(core.start_hand(self.rules, started))

    def take(self, stepped: core.Stepped | Refused) -> None:
        """Fold a step, and answer the dealer's part until somebody has to act."""
        assert not isinstance(stepped, Refused), stepped
        events, self.hand = stepped
        self.log += events
        while (asked := self.hand.asked) is not None:
            events, self.hand = self.answer(asked)
            self.log += events

    def answer(self, asked: object) -> core.Stepped:
        match asked:
            case DealAwaited():
                boxes = tuple(SealedCards(dealt.seat, b"") for dealt in asked.roster)
                stepped = core.deal_hands(self.hand, b"root", boxes)
            case BoardAwaited():
                stepped = core.deal_board(self.hand, asked.street, self.deal.board(asked.street))
            case OpeningAwaited():
                opened = tuple((seat, self.deal.hole(seat - 1)) for seat in asked.seats)
                stepped = core.open_hands(self.hand, opened)
            case ViewAwaited():
                stepped = core.view_hand(self.hand, asked.seat, self.deal.hole(asked.seat - 1))
        assert not isinstance(stepped, Refused), stepped
        return stepped

    def stacks(self) -> tuple[int, ...]:
        return self.hand.stacks[1:]


class Theirs:
    """PokerKit's hand; boards are dealt as soon as they can be."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        fixed = deal.limit == "fixed_limit"
        bets = (deal.big, deal.big, *(2 * (2 * deal.big if fixed else deal.big,)))
        # The big blind is the bet before the flop: it leaves three raises (BH-LIMITS).
        counts = (RAISES - 1, RAISES, RAISES, RAISES) if fixed else (None,) * 4
        cards = (0, 3, 1, 1)
        streets = tuple(
            Street(
                number > 0,
                () if number else (False, False),
                cards[number],
                False,
                Opening.POSITION,
                bets[number],
                counts[number],
            )
            for number in range(4)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.state = State(
                AUTOMATIC,
                Deck.STANDARD,
                (StandardHighHand,),
                streets,
                STRUCTURES[deal.limit],
                not deal.big_blind_antes,
                self.antes(),
                (deal.small, deal.big),
                0,
                deal.stacks,
                deal.players,
                mode=Mode.TOURNAMENT,
            )
            for player in range(deal.players):
                self.state.deal_hole("".join(deal.hole(player)))
        self.deal_boards()

    def antes(self) -> tuple[int, ...]:
        deal = self.deal
        if not deal.big_blind_antes:
            return (deal.ante,) * deal.players
        return tuple(deal.ante if player == 1 else 0 for player in range(deal.players))

    def deal_boards(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while self.state.status and self.state.actor_index is None:
                street = ("flop", "turn", "river")[self.state.street_index - 1]
                self.state.burn_card("??")
                self.state.deal_board("".join(self.deal.board(street)))

    def accepts(self, to_chips: int) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.state.can_complete_bet_or_raise_to(to_chips)

    def fold(self) -> None:
        self.state.fold()
        self.deal_boards()

    def check_or_call(self) -> None:
        self.state.check_or_call()
        self.deal_boards()

    def raise_to(self, to_chips: int) -> None:
        self.state.complete_bet_or_raise_to(to_chips)
        self.deal_boards()

    def stacks(self) -> tuple[int, ...]:
        return tuple(self.state.stacks)
