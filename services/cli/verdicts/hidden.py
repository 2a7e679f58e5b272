"""What must not be seen outside, derived from the logs and the keys of dealer and wallet.

Of every deck: the cards that nobody opened, the salts of closed positions, the seed, the deck's
key and the seats' keys; of every promise its secret, and the key that seals it; and the vault keys
themselves. And of persons, for whoever has their keys: the keys and all that is sealed with them.
"""

import base64
from collections import defaultdict
from collections.abc import Iterator, Mapping

from services.cli.verdicts.history import History
from services.cli.verdicts.personal import personal_in
from services.dealer.shell.promising import secret_key, unseal_secret
from services.dealer.shell.sealing import Deck, deck_key, seat_key, unseal_deck
from services.dealer.shell.vault import Vault
from shared.contracts.dealer import BoardOpened, DeckCommitted, DeckPromised, SeatsOpened
from shared.poker.deck import seat_positions
from shared.runtime.sealed import HoleCards, Withheld

NO_KEYS: Mapping[str, bytes] = {}


class HiddenHand(Withheld, frozen=True):
    """One hand's closed cards, each with what it is, and the cards that each player may know."""

    hand: str
    closed: Mapping[str, str]
    boxed: Mapping[str, str]
    own: Mapping[str, HoleCards]


class Hidden(Withheld, frozen=True):
    """All that is hidden: cards by hand, 32-byte secrets and texts about persons, named each."""

    hands: Mapping[str, HiddenHand]
    secrets: Mapping[bytes, str]
    personal: Mapping[str, str] = {}


def hidden_in(history: History, vault: Vault, person_keys: Mapping[str, bytes] = NO_KEYS) -> Hidden:
    """Unseal every deck and take away what has been opened to everybody; unseal every person."""
    opened = opened_positions(history)
    hands: dict[str, HiddenHand] = {}
    secrets = {key: f"vault key {name}" for name, key in vault.keys.items()}
    secrets |= {key: f"the key of {player}" for player, key in person_keys.items()}
    for fact in history.of("dealer"):
        if isinstance(fact.event, DeckCommitted):
            committed = fact.event
            key = vault.keys[committed.vault_key]
            deck = unseal_deck(key, committed)
            hands[committed.hand] = hidden_hand(committed, deck, opened[committed.hand])
            secrets.update(secrets_of(key, committed, deck, opened[committed.hand]))
        elif isinstance(fact.event, DeckPromised):
            key, hand = vault.keys[fact.event.vault_key], fact.event.hand
            secrets[unseal_secret(key, fact.event)] = f"the promised secret of {hand}"
            secrets[secret_key(key, hand)] = f"the key of the promised secret of {hand}"
    return Hidden(hands, secrets, personal_in(history, person_keys))


def opened_positions(history: History) -> defaultdict[str, set[int]]:
    """Return the positions of every hand's deck that the dealer has opened."""
    opened: defaultdict[str, set[int]] = defaultdict(set)
    for fact in history.of("dealer"):
        match fact.event:
            case BoardOpened(hand=hand, openings=openings):
                opened[hand] |= {opening.position for opening in openings}
            case SeatsOpened(hand=hand, seats=seats):
                opened[hand] |= {opening.position for seat in seats for opening in seat.openings}
            case _:
                pass
    return opened


def hidden_hand(committed: DeckCommitted, deck: Deck, opened: set[int]) -> HiddenHand:
    """Name every closed card by its place, and the two of a seat as one text."""
    closed = {
        card: f"the card at position {position}"
        for position, card in enumerate(deck.cards)
        if position not in opened
    }
    boxed: dict[str, str] = {}
    own: dict[str, HoleCards] = {}
    seats = [dealt.seat for dealt in committed.roster]
    for dealt in committed.roster:
        cards = deck.hole_cards(committed.roster, dealt.seat)
        own[dealt.player] = cards
        if not {*seat_positions(seats, dealt.seat)} <= opened:
            boxed |= dict.fromkeys(encoded_cards(cards), f"seat {dealt.seat}'s cards")
    return HiddenHand(committed.hand, closed, boxed, own)


def encoded_cards(cards: HoleCards) -> Iterator[str]:
    """The four characters as bytes travel: base64 and hex, either order."""
    for text in ("".join(cards), "".join(reversed(cards))):
        yield base64.b64encode(text.encode()).decode()
        yield text.encode().hex()


def secrets_of(
    vault_key: bytes, committed: DeckCommitted, deck: Deck, opened: set[int]
) -> Iterator[tuple[bytes, str]]:
    """Yield every 32-byte secret of one deck."""
    hand = committed.hand
    yield deck.seed, f"the seed of {hand}"
    yield deck_key(vault_key, hand), f"the deck key of {hand}"
    for position, salt in enumerate(deck.salts):
        if position not in opened:
            yield salt, f"the salt of position {position} of {hand}"
    for dealt in committed.roster:
        key = seat_key(vault_key, hand, committed.root, dealt.seat)
        yield key, f"the key of seat {dealt.seat} of {hand}"
