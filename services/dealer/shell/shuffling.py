"""Where chance comes in: decks and orders out of the operating system's generator.

Decks are made before the decision that commits to them, because each has to be entered in the
registry of used decks first (PP-RNG), and a decision waits for nothing. A deck that was used
before is an alarm, and another is made in its place. A deck goes into one decision at most; one
that is not committed to is lost, which harms nobody. Promised decks are another matter, and that
of `promising.py`.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import structlog

from services.dealer.core import Dealings, deck_from, drawn_from, verdict_on
from services.dealer.core.shuffle import BUFFER_BYTES
from services.dealer.shell.promising import Mixes, Shuffled
from services.dealer.shell.registry import Cards, Registry
from shared.contracts.dealer import DealerRequest, DealHands
from shared.poker.deck import CARDS
from shared.runtime.metrics import DECKS_REPEATED
from shared.runtime.ports import Entropy, StoreUnavailable

TRIES_MAX: Final = 16
READY_MAX: Final = 10_000

log = structlog.get_logger()


class Shuffles:
    """Makes decks ahead of their decisions, and orders at once."""

    def __init__(self, entropy: Entropy, registry: Registry) -> None:
        self._entropy = entropy
        self._registry = registry
        self._mixes = Mixes(registry)
        self._ready: OrderedDict[str, Shuffled] = OrderedDict()

    async def prepare(self, group: Sequence[tuple[Dealings, DealerRequest]]) -> None:
        """Have a registered deck ready for every hand that this group may deal.

        Where the registry does not answer there is none, and the decision says `unavailable`.
        """
        hands = [
            request.hand
            for dealings, request in group
            if isinstance(request, DealHands)
            and not request.promise
            and verdict_on(dealings, request) == "due"
        ]
        try:
            await self._make(hand for hand in dict.fromkeys(hands) if hand not in self._ready)
        except StoreUnavailable as error:
            log.warning("deck_registry_waits", hands=len(hands), why=str(error))
        await self._mixes.prepare(group)

    def take(self, hand: str) -> Shuffled | None:
        """Hand out the deck that is ready for a hand, once."""
        return self._ready.pop(hand, None)

    def take_promised(self, request: DealHands) -> Shuffled | None:
        """Hand out the promised deck that is ready for exactly this request, once."""
        return self._mixes.take(request)

    def drawn(self, count: int) -> tuple[tuple[int, ...], bytes]:
        """Draw an order of so many, with the bytes that it was made of."""
        return drawn_from(count, self.buffers())

    async def _make(self, hands: Iterable[str]) -> None:
        """Shuffle and enter all in one group, and those that were used before again."""
        repeats = dict.fromkeys(hands, 0)
        for _ in range(TRIES_MAX):
            if not repeats:
                return
            decks = {hand: self.cards() for hand in repeats}
            news = await self._registry.enter(decks.values())
            for (hand, cards), new in zip(decks.items(), news, strict=True):
                if new:
                    self._keep(hand, Shuffled(cards, repeats.pop(hand)))
                else:
                    repeats[hand] += 1
                    DECKS_REPEATED.inc()
                    log.critical("deck_repeated", hand=hand, times=repeats[hand])
        log.critical("generator_repeats_itself", hands=len(repeats))

    def _keep(self, hand: str, shuffled: Shuffled) -> None:
        """Keep a deck for its decision; the oldest of those that none came for go."""
        self._ready[hand] = shuffled
        if len(self._ready) > READY_MAX:
            self._ready.popitem(last=False)

    def cards(self) -> Cards:
        """Shuffle one deck (PP-RNG)."""
        return tuple(CARDS[number] for number in deck_from(self.buffers()))

    def buffers(self) -> Iterator[bytes]:
        """Ask the generator for one buffer after the other, as they are needed."""
        while True:
            yield self._entropy(BUFFER_BYTES)
