"""*Decks = promises + seeds*: for an auditor with the vault keys, every mixed deck made again.

The promised secret and the deck are read out of the log, the deck is made of secret and seeds
once more, and it has to be the sealed one, and the one that was committed to. Nothing of the
dealer's code is used but the formats that it publishes.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from services.cli.verdicts.history import History
from services.cli.verdicts.mixing import deck_made_of, promise_to, root_of
from services.cli.verdicts.seeds import Made, made_of
from services.cli.verdicts.unsealing import VaultKeys, opened_for_hand
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.dealer import DeckCommitted, DeckPromised

NAME = "decks = promises + seeds"
CARDS_BYTES = 104


class Unsealed(NamedTuple):
    """A deck as its box holds it, and what its salts come from."""

    cards: tuple[str, ...]
    salt_seed: bytes


def decks_follow_from_seeds(history: History, vault_keys: VaultKeys) -> Verdict:
    """Make every promised deck again from its secret and seeds, and compare it with what it is."""
    made = made_of(history)
    decks = {
        hand: unsealed_deck(deck, vault_keys)
        for hand, found in made.items()
        for deck in found.committed
    }
    hands = [hand for hand, found in made.items() if any(d.promise for d in found.committed)]
    wrong = [
        f"{hand}: {what}" for hand in hands for what in wrong_making(made[hand], decks, vault_keys)
    ]
    return judged(NAME, [*history.unreadable, *wrong], f"{len(hands):,} promised decks made again")


def wrong_making(
    made: Made, decks: Mapping[str, Unsealed | None], vault_keys: VaultKeys
) -> Iterator[str]:
    """Go through the attempts: the last one was dealt, and those before it were others' decks."""
    committed = made.committed[0]
    hand = committed.hand
    secret, deck = secret_of(made, vault_keys), decks[hand]
    if secret is None or deck is None:
        yield "the vault keys at hand do not open its secret and its deck"
        return
    if promise_to(hand, secret) != committed.promise:
        yield "the sealed secret is not the promised one"
    if root_of(hand, deck.cards, deck.salt_seed) != committed.root:
        yield "the sealed deck is not the one committed to"
    given = {seed.seat: seed.seed for seed in committed.seeds}
    seats = [(one.seat, given.get(one.seat, b"")) for one in committed.roster]
    attempts = sum(repeated.times for repeated in made.repeated)
    others = {other.cards for name, other in decks.items() if other and name != hand}
    for attempt in range(attempts):
        if deck_made_of(secret, hand, seats, attempt) not in others:
            yield f"attempt {attempt} was thrown away, and no other hand had that deck"
    if deck_made_of(secret, hand, seats, attempts) != deck.cards:
        yield "the deck does not follow from secret and seeds"


def secret_of(made: Made, vault_keys: VaultKeys) -> bytes | None:
    """Open the promised secret; nothing where it does not open."""
    opened = [opened_secret(promised, vault_keys) for promised in made.promised]
    return next((secret for secret in opened if secret is not None), None)


def opened_secret(promised: DeckPromised, vault_keys: VaultKeys) -> bytes | None:
    purpose, context = "promise-key", f"{promised.hand}/promise"
    key = vault_keys.get(promised.vault_key)
    return opened_for_hand(key, purpose, promised.hand, promised.sealed_secret, context)


def unsealed_deck(deck: DeckCommitted, vault_keys: VaultKeys) -> Unsealed | None:
    """Open one deck; nothing where it does not open."""
    key = vault_keys.get(deck.vault_key)
    plain = opened_for_hand(key, "deck-key", deck.hand, deck.sealed_deck, f"{deck.hand}/deck")
    if plain is None or not plain[:CARDS_BYTES].isascii():
        return None
    text = plain[:CARDS_BYTES].decode()
    cards = tuple(text[at : at + 2] for at in range(0, len(text), 2))
    return Unsealed(cards, plain[CARDS_BYTES:])
