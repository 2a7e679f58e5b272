"""What an auditor with the vault keys can say beyond an outsider: the sealed decks, opened.

Every sealed deck must be 52 different cards and the one that was committed to; every seat's box
must hold that seat's two cards of it; a deck of players' seeds must follow from the promised
secret. Nothing of what was opened is told, unless the auditor asks for it.
"""

from collections.abc import Iterator, Sequence

from services.cli.deal.file import Export
from services.cli.deal.judging import Finding
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds, unsealed_deck
from services.cli.verdicts.mixing import DECK, RANKS, SUITS, root_of
from services.cli.verdicts.unsealing import VaultKeys, hole_cards
from shared.contracts.dealer import DeckCommitted

ALL_CARDS = sorted(rank + suit for rank in RANKS for suit in SUITS)


def sealed_findings(
    export: Export, vault_keys: VaultKeys, *, show: bool = False
) -> Iterator[Finding]:
    """Judge every deck in a file, and how those with seeds were made; `show` tells the cards."""
    for fact in export.history.of("dealer"):
        if isinstance(fact.event, DeckCommitted):
            yield of_deck(fact.event, vault_keys, show=show)
    mixed = decks_follow_from_seeds(export.history, vault_keys)
    yield Finding(mixed.name, right=mixed.true, detail=mixed.detail)


def of_deck(deck: DeckCommitted, vault_keys: VaultKeys, *, show: bool) -> Finding:
    """Open a deck and compare all of it."""
    what, unsealed = f"{deck.hand} sealed deck", unsealed_deck(deck, vault_keys)
    if unsealed is None:
        return Finding(what, right=False, detail="does not open with the vault keys at hand")
    wrong = [*wrong_cards(unsealed.cards)]
    if root_of(deck.hand, *unsealed) != deck.root:
        wrong.append("is not the one committed to")
    if not wrong:
        wrong += wrong_boxes(deck, unsealed.cards, vault_keys[deck.vault_key])
    told = [*wrong] if wrong else ["is the one committed to, and holds what every seat was dealt"]
    if show:
        told.append(" ".join(unsealed.cards))
    return Finding(what, right=not wrong, detail="; ".join(told))


def wrong_cards(cards: Sequence[str]) -> Iterator[str]:
    if sorted(cards) != ALL_CARDS:
        yield f"is not {DECK} different cards"


def wrong_boxes(deck: DeckCommitted, cards: Sequence[str], vault_key: bytes) -> Iterator[str]:
    """Open every seat's box; with n players, the k-th has the cards k and n + k."""
    players = len(deck.roster)
    due = {
        dealt.seat: "".join(cards[place : players + place + 1 : players])
        for place, dealt in enumerate(deck.roster)
    }
    for sealed in deck.sealed:
        held = hole_cards(vault_key, deck.hand, deck.root, sealed.seat, sealed.box)
        if held is None or held != due.get(sealed.seat):
            yield f"the box of seat {sealed.seat} does not hold its cards"
