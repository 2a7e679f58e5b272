"""Player entropy in the dealer's process: secrets promised, sealed and opened, mixed decks made.

A promised deck follows from secret and seeds alone, so every owner makes the same one, at any
time. It is claimed in the registry of used decks for its hand before it is dealt: the hand may
claim it again after a crash, another one never (PP-RNG).

A sealed secret is a 12-byte nonce and an AES-GCM box (AAD `hand/promise`) of its 32 bytes.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final

import structlog

from services.dealer.core import Dealings, verdict_on
from services.dealer.core.commands import RecordPromise
from services.dealer.core.mixing import SECRET_BYTES, mixed_deck, promise_of
from services.dealer.shell.registry import Cards, Registry
from services.dealer.shell.vault import Vault
from shared.contracts.dealer import DealerRequest, DealHands, DeckPromised, PromiseDeck
from shared.poker.deck import CARDS
from shared.runtime.metrics import DECKS_REPEATED
from shared.runtime.ports import Entropy, StoreUnavailable
from shared.runtime.sealed import NONCE_BYTES, Unreadable, Withheld, derived, seal, unseal

ATTEMPTS_MAX: Final = 16
READY_MAX: Final = 10_000

log = structlog.get_logger()


class Shuffled(Withheld, frozen=True):
    """A deck that nobody was dealt before, and how many used ones were thrown away for it."""

    cards: Cards
    repeats: int = 0


class Due(Withheld, frozen=True):
    """A promised deck that is asked for now."""

    request: DealHands
    secret: bytes
    attempt: int = 0

    @property
    def cards(self) -> Cards:
        """Make the deck of this attempt."""
        asked = self.request
        deck = mixed_deck(self.secret, asked.hand, asked.roster, asked.seeds, self.attempt)
        return tuple(CARDS[number] for number in deck)

    def again(self) -> "Due":
        """Go on after a deck that another hand was dealt."""
        return Due(self.request, self.secret, self.attempt + 1)


class Mixes:
    """Has the promised decks ready that a group of requests asks for."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._ready: OrderedDict[DealHands, Shuffled] = OrderedDict()

    async def prepare(self, group: Sequence[tuple[Dealings, DealerRequest]]) -> None:
        """Claim every promised deck that may be dealt now, or another in place of a used one."""
        due = list(self._due(group))
        try:
            for _ in range(ATTEMPTS_MAX):
                if not due:
                    return
                due = await self._claim(due)
        except StoreUnavailable as error:
            log.warning("deck_registry_waits", hands=len(due), why=str(error))
            return
        log.critical("promised_decks_repeat_themselves", hands=len(due))

    def take(self, request: DealHands) -> Shuffled | None:
        """Hand out the deck that is ready for exactly this request, once."""
        return self._ready.pop(request, None)

    def _due(self, group: Sequence[tuple[Dealings, DealerRequest]]) -> Iterator[Due]:
        for dealings, request in group:
            if not isinstance(request, DealHands) or not request.promise:
                continue
            promised = dealings.promise
            if promised is None or request in self._ready:
                continue
            if verdict_on(dealings, request) != "due":
                continue
            secret = opened_secret(self._registry.vault, promised)
            if secret is not None:
                yield Due(request, secret)

    async def _claim(self, due: Sequence[Due]) -> list[Due]:
        """Claim these decks; return what has to be made anew."""
        decks = [one.cards for one in due]
        claimed = await self._registry.claim(
            [(one.request.hand, cards) for one, cards in zip(due, decks, strict=True)]
        )
        left: list[Due] = []
        for one, cards, is_ours in zip(due, decks, claimed, strict=True):
            if is_ours:
                self._keep(one.request, Shuffled(cards, one.attempt))
            else:
                left.append(one.again())
                DECKS_REPEATED.inc()
                log.critical("deck_repeated", hand=one.request.hand, times=one.attempt + 1)
        return left

    def _keep(self, request: DealHands, shuffled: Shuffled) -> None:
        self._ready[request] = shuffled
        if len(self._ready) > READY_MAX:
            self._ready.popitem(last=False)


def promised(vault: Vault, entropy: Entropy, request: PromiseDeck) -> RecordPromise:
    """Choose a secret, and bind the dealer to it."""
    secret = entropy(SECRET_BYTES)
    key = vault.keys[vault.current]
    return RecordPromise(
        request,
        promise_of(request.hand, secret),
        vault.current,
        seal_secret(key, request.hand, secret, entropy),
    )


def seal_secret(vault_key: bytes, hand: str, secret: bytes, entropy: Entropy) -> bytes:
    """Seal a secret so that log and vault key suffice to deal from it."""
    nonce = entropy(NONCE_BYTES)
    return nonce + seal(secret_key(vault_key, hand), nonce, secret, secret_context(hand))


def unseal_secret(vault_key: bytes, promised: DeckPromised) -> bytes:
    """Read a secret back, and check that it is the promised one."""
    hand, sealed = promised.hand, promised.sealed_secret
    nonce, box = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    secret = unseal(secret_key(vault_key, hand), nonce, box, secret_context(hand))
    if promise_of(hand, secret) != promised.promise:
        raise ValueError("the sealed secret is not the promised one")
    return secret


def opened_secret(vault: Vault, promised: DeckPromised) -> bytes | None:
    """Return the secret, or nothing, in sight, where this process cannot have it."""
    key = vault.keys.get(promised.vault_key)
    if key is None:
        return None
    try:
        return unseal_secret(key, promised)
    except (Unreadable, ValueError) as error:
        log.critical("promise_unreadable", hand=promised.hand, why=str(error))
        return None


def secret_key(vault_key: bytes, hand: str) -> bytes:
    """Derive the key of one hand's sealed secret."""
    return derived(vault_key, f"rollforward/promise-key/v1/{hand}")


def secret_context(hand: str) -> str:
    return f"{hand}/promise"
