"""The outsider's verifier of opened cards, against decks that the dealer really made."""

from msgspec.structs import replace

from services.cli.verdicts.openings import opens
from services.dealer.shell.sealing import deck_of
from shared.contracts.dealer import Opening
from shared.poker.deck import CARDS

HAND = "hnd_w_1_1"
DECK = deck_of(HAND, CARDS, bytes(range(32)))


def test_every_position_of_a_deck_opens_and_nothing_else_does():
    root = DECK.tree.root
    openings = DECK.opened(tuple(range(52)))
    assert all(opens(root, HAND, opening) for opening in openings)
    for opening, other in zip(openings, openings[1:] + openings[:1], strict=True):
        assert not opens(root, HAND, replace(opening, card=other.card))
        assert not opens(root, HAND, replace(opening, salt=other.salt))
        assert not opens(root, HAND, replace(opening, position=other.position))
        assert not opens(root, HAND, replace(opening, path=other.path))
        assert not opens(root, HAND, replace(opening, path=opening.path[:-1]))
        assert not opens(root, HAND, replace(opening, path=(*opening.path, bytes(32))))
        assert not opens(root, "hnd_other", opening)
        assert not opens(bytes(32), HAND, opening)


def test_what_cannot_be_an_opening_does_not_open():
    whole = DECK.opened((0,))[0]
    for odd in (
        *(replace(whole, card=card) for card in ("10h", "Ax", "", "é♥", "ah")),
        *(replace(whole, position=position) for position in (-1, 52, 256)),
        replace(whole, salt=b""),
        replace(whole, path=(b"", *whole.path[1:])),
    ):
        assert isinstance(odd, Opening)
        assert not opens(DECK.tree.root, HAND, odd)
