"""Nothing that leaves the dealer tells of hidden cards by its length, nor by the way to it.

The lines that a reply runs through are the same for every deck, so no branch and no early end of
a loop hangs on a card. Below the lines are SHA-256, HMAC, HKDF, AES-GCM and X25519, copies of byte
strings of fixed length, and the set of the 52 names, always the same ones, that a deck read back
is checked with. Two things do depend on a deck and are left out: how long a shuffle takes, which
says when a card came again and not which one, all cards being alike to it (see
`test_pp_rng_how_long_a_shuffle_takes_says_nothing_about_its_order`); and opened cards, which
everybody may see. Caches of the processor and the garbage collector are below all that.
"""

import sys
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from itertools import count
from random import Random

import msgspec
import pytest

from services.dealer.shell import replies
from services.dealer.shell.sealing import deck_of, seal_deck, seal_hands, unseal_deck
from services.dealer.shell.shuffling import Shuffled
from shared.contracts.dealer import AskSeatKey, DealBoard, DeckCommitted, ViewSeat
from shared.poker.deck import CARDS
from shared.runtime.sealed import new_reply_key
from tests.core.dealer.dealer_play import (
    HAND,
    STATED,
    TABLE,
    VAULT,
    VAULT_KEY,
    Dealer,
    deal,
    roster_of,
)

DECKS = 40
PLAYERS = 9
SEAT = 4
REPLY_KEY = new_reply_key(Random(3).randbytes)


def decks():
    """Yield orders of all 52, the sorted one and its reverse among them."""
    yield CARDS
    yield CARDS[::-1]
    chance = Random(9)
    for _ in range(DECKS):
        yield tuple(chance.sample(CARDS, len(CARDS)))


def dealt(cards):
    """A dealer that has committed to these cards; all other chance is the same every time."""
    dealer = Dealer()
    chance = Random(2).randbytes
    roster = roster_of(PLAYERS)
    deck = deck_of(HAND, cards, chance(32))
    committed = DeckCommitted(
        hand=HAND,
        table=TABLE,
        roster=roster,
        root=deck.tree.root,
        vault_key=VAULT.current,
        sealed_deck=seal_deck(VAULT_KEY, deck, chance),
        sealed=seal_hands(VAULT_KEY, deck, roster),
    )
    dealer.state = dealer.decider.evolve(dealer.state, committed)
    return dealer, committed


def look(dealer):
    return ViewSeat(
        hand=HAND,
        root=dealer.root,
        seat=SEAT,
        reason="showdown",
        stated=STATED,
        to_key=REPLY_KEY.public,
    )


def ask_key(_dealer):
    return AskSeatKey(hand=HAND, seat=SEAT, player=f"ply_{SEAT}", to_key=REPLY_KEY.public)


def test_everything_sealed_has_one_length_whatever_the_cards():
    lengths = set()
    for cards in decks():
        dealer, committed = dealt(cards)
        sealed = [len(committed.sealed_deck), *[len(box.box) for box in committed.sealed]]
        said = [dealer.ask(ask(dealer)) for ask in (look, ask_key)]
        sealed += [len(reply.from_key + reply.box) for reply in said]
        wire = [len(msgspec.json.encode(one)) for one in (committed, *dealer.log, *said)]
        lengths.add((*sealed, *wire))
    assert len(lengths) == 1


@pytest.mark.parametrize("ask", [look, ask_key], ids=["look", "seat key"])
def test_a_sealed_reply_takes_the_same_way_whatever_the_cards(ask):
    ways = set()
    for cards in decks():
        dealer, _ = dealt(cards)
        ways.add(way_through(partial(dealer.ask, ask(dealer))))
    assert len(ways) == 1


def test_a_board_takes_the_same_way_up_to_the_cards_that_it_shows():
    """Of the hidden cards no more is seen in opening a board than in reading the deck back."""
    ways = set()
    for cards in decks():
        dealer, committed = dealt(cards)
        ways.add(way_through(partial(unseal_deck, VAULT_KEY, committed)))
        assert dealer.ask(DealBoard(hand=HAND, root=dealer.root, street="flop"))
    assert len(ways) == 1


def test_hands_are_sealed_the_same_way_whatever_the_cards():
    ways = set()
    for cards in decks():
        deck = deck_of(HAND, cards, bytes(32))
        ways.add(way_through(partial(seal_deck, VAULT_KEY, deck, Random(5).randbytes)))
        ways.add(way_through(partial(seal_hands, VAULT_KEY, deck, roster_of(PLAYERS))))
    assert len(ways) == 2


def test_a_deck_is_committed_to_the_same_way_and_in_as_many_bytes_whatever_the_cards():
    """From the finished deck to the event and the answer, through the whole decision."""
    ways, lengths = set(), set()
    for cards in decks():
        dealer = Dealer()
        dealer.shuffles.take = partial(shuffled_as, cards)
        ways.add(way_through(partial(dealer.decider.step, dealer.state, deal(PLAYERS), 0)))
        said = dealer.ask(deal(PLAYERS))
        assert [unseal_deck(VAULT_KEY, event).cards for event in dealer.log] == [cards]
        lengths.add(tuple(len(msgspec.json.encode(one)) for one in (said, *dealer.log)))
    assert len(ways) == len(lengths) == 1


def shuffled_as(cards, _hand):
    return Shuffled(cards)


def test_a_way_that_hangs_on_a_card_would_be_seen(monkeypatch):
    honest = replies.unseal_deck

    def telling(vault_key, committed):
        deck = honest(vault_key, committed)
        return honest(vault_key, committed) if deck.cards[SEAT] in CARDS[:26] else deck

    monkeypatch.setattr(replies, "unseal_deck", telling)
    ways = set()
    for cards in decks():
        dealer, _ = dealt(cards)
        ways.add(way_through(partial(dealer.ask, look(dealer))))
    assert len(ways) == 2


def way_through(work: Callable[[], object]) -> tuple[tuple[str, int], ...]:
    """Return every line that was run, in order, of code that is ours."""
    steps: list[tuple[str, int]] = []
    with following(steps):
        work()
    assert steps
    return tuple(steps)


@contextmanager
def following(steps):
    def trace(frame, event, _):
        path = frame.f_code.co_filename
        if not any(f"/{ours}/" in path for ours in ("services", "shared", "core")):
            return None
        if event == "line":
            steps.append((path, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def test_the_search_for_other_ways_counts_loops_as_well():
    assert len(way_through(partial(list, counted(3)))) < len(way_through(partial(list, counted(4))))


def counted(upto):
    for number in count():
        if number == upto:
            return
        yield number
