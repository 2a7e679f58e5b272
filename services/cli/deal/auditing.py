"""What an auditor with the vault keys can say beyond an outsider: the sealed decks, opened.

Every sealed deck must be the one that was committed to, all 52 cards of it; a deck of players'
seeds must follow from the promised secret. Nothing of what was opened is told.
"""

from collections.abc import Iterator, Mapping

from services.cli.deal.file import Export
from services.cli.deal.judging import Finding
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds, unsealed_deck
from services.cli.verdicts.mixing import root_of
from shared.contracts.dealer import DeckCommitted


def sealed_findings(export: Export, vault_keys: Mapping[str, bytes]) -> Iterator[Finding]:
    """Judge every deck in a file, and how those with seeds were made."""
    for fact in export.history.of("dealer"):
        if isinstance(fact.event, DeckCommitted):
            wrong = wrong_deck(fact.event, vault_keys)
            what = f"{fact.event.hand} sealed deck"
            yield Finding(what, right=not wrong, detail=wrong or "is the one committed to")
    mixed = decks_follow_from_seeds(export.history, vault_keys)
    yield Finding(mixed.name, right=mixed.true, detail=mixed.detail)


def wrong_deck(deck: DeckCommitted, vault_keys: Mapping[str, bytes]) -> str:
    """Say what is wrong with a sealed deck, "" when nothing is."""
    unsealed = unsealed_deck(deck, vault_keys)
    if unsealed is None:
        return "does not open with the vault keys at hand"
    if root_of(deck.hand, *unsealed) != deck.root:
        return "is not the one committed to"
    return ""
