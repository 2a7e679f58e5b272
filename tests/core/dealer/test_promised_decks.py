"""Player entropy at the dealer: bound before it sees a seed, and one deck for secret and seeds."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from services.cli.rng.chances import rejected
from services.cli.rng.orders import order_tests
from services.cli.verdicts.mixing import deck_made_of, promise_to
from services.dealer.core import DECIDER
from services.dealer.core.mixing import mixed_deck, promise_of
from services.dealer.shell.promising import unseal_secret
from services.dealer.shell.registry import deck_hash
from services.dealer.shell.sealing import unseal_deck
from services.dealer.shell.vault import vault_of
from shared.contracts.dealer import (
    DealtHands,
    DealtIn,
    DeckCommitted,
    DeckPromised,
    DeckRepeated,
    PromisedDeck,
    PromiseDeck,
    SeatSeed,
)
from shared.kernel.decider import Refused
from shared.poker.deck import CARDS
from tests.core.dealer.dealer_play import HAND, TABLE, VAULT, VAULT_KEY, Dealer, deal, roster_of
from tests.used_decks import DecksInMemory, finished

ASK = PromiseDeck(hand=HAND, table=TABLE)
SEEDS = tuple(SeatSeed(seat, bytes((seat,)) * 32) for seat in (1, 2, 3))
SECRET = bytes(range(32))
ALPHA = 0.001


def promised(seed=0, **more):
    dealer = Dealer(seed, **more)
    dealer.ask(ASK)
    return dealer


def mixed(dealer, seeds=SEEDS, players=3, **changes):
    """Ask for the deck of the promise that stands, and of these seeds."""
    promise = dealer.state.promise.promise
    return replace(deal(players), promise=promise, seeds=seeds, **changes)


def cards_of(dealer):
    return unseal_deck(VAULT_KEY, dealer.state.deck).cards


def outsiders_cards(dealer, attempt=0):
    """Make the deck from the log and the vault key, with an auditor's own code."""
    committed = dealer.state.deck
    secret = unseal_secret(VAULT_KEY, dealer.state.promise)
    assert promise_to(HAND, secret) == committed.promise
    seeds = {seed.seat: seed.seed for seed in committed.seeds}
    seats = [(dealt.seat, seeds.get(dealt.seat, b"")) for dealt in committed.roster]
    return deck_made_of(secret, HAND, seats, attempt)


# --- one promise, one deck --------------------------------------------------------------------


def test_the_promise_comes_first_and_the_deck_names_promise_and_seeds():
    dealer = Dealer()
    told = dealer.ask(ASK)
    assert type(told) is PromisedDeck
    assert type(dealer.ask(mixed(dealer))) is DealtHands
    first, second = dealer.log
    assert type(first) is DeckPromised
    assert type(second) is DeckCommitted
    assert first.promise == second.promise == told.promise
    assert second.seeds == SEEDS


@given(
    seed=st.integers(0, 2**32),
    players=st.integers(1, 23),
    silent=st.sets(st.integers(1, 23)),
    chance=st.integers(0, 2**32),
)
@settings(max_examples=40, deadline=None)
def test_the_deck_follows_from_secret_and_seeds_by_the_words_alone(seed, players, silent, chance):
    dealer = promised(seed)
    randbytes = Random(chance).randbytes
    giving = [seat for seat in range(1, players + 1) if seat not in silent]
    seeds = tuple(SeatSeed(seat, randbytes(32)) for seat in giving)
    dealer.ask(mixed(dealer, seeds, players))
    assert cards_of(dealer) == outsiders_cards(dealer)
    assert sorted(cards_of(dealer)) == sorted(CARDS)


def test_all_silent_the_secret_alone_makes_the_deck():
    dealer = promised()
    dealer.ask(mixed(dealer, ()))
    assert dealer.state.deck.seeds == ()
    assert cards_of(dealer) == outsiders_cards(dealer)


OTHERS = [
    ("another secret", {"secret": bytes(32)}),
    ("another hand", {"hand": "hnd_2"}),
    ("one bit of one seed", {"seeds": (*SEEDS[:2], SeatSeed(3, b"\x02" + bytes((3,)) * 31))}),
    ("one seed left out", {"seeds": SEEDS[:2]}),
    ("the same seed from another seat", {"seeds": (SEEDS[0], SEEDS[1], SeatSeed(4, b"\3" * 32))}),
    ("another order of dealing", {"roster": roster_of(4)[::-1]}),
    ("one more dealt in", {"roster": roster_of(5)}),
    ("another attempt", {"attempt": 1}),
]


@pytest.mark.parametrize(("what", "changes"), OTHERS, ids=[row[0] for row in OTHERS])
def test_whatever_is_different_makes_another_deck(what, changes):
    asked = {"secret": SECRET, "hand": HAND, "roster": roster_of(4), "seeds": SEEDS}
    assert mixed_deck(**asked) == mixed_deck(**asked), what
    assert mixed_deck(**{**asked, **changes}) != mixed_deck(**asked)


def test_a_deck_and_a_promise_known_by_heart():
    """Whoever changes how decks are mixed breaks every audit: the known values stand here."""
    roster = (DealtIn(3, "ply_3"), DealtIn(1, "ply_1"))
    deck = mixed_deck(SECRET, "hnd_known", roster, (SeatSeed(3, bytes(32)),))
    assert [CARDS[card] for card in deck] == [
        *deck_made_of(SECRET, "hnd_known", [(3, bytes(32)), (1, b"")], 0)
    ]
    assert [CARDS[card] for card in deck][:5] == ["4c", "9d", "3c", "6d", "5h"]
    assert promise_of("hnd_known", SECRET) == promise_to("hnd_known", SECRET)
    assert promise_of("hnd_known", SECRET).hex() == (
        "07c1feb032a1cb4efa29d7fe619132e2369c687fcb93fe012b6e477f760bd23a"
    )


# --- crashes, owners, repeats -----------------------------------------------------------------


def test_asked_again_it_is_the_same_promise_also_after_a_crash_and_for_ever():
    dealer = promised()
    told = dealer.ask(ASK)
    successor = Dealer(seed=99)
    successor.state = DECIDER.fold(dealer.log)
    assert successor.ask(ASK) == told
    dealer.ask(mixed(dealer))
    assert dealer.ask(ASK) == told
    assert [type(event) for event in dealer.log] == [DeckPromised, DeckCommitted]
    assert successor.log == []


def test_a_crash_between_registry_and_log_ends_with_the_same_deck():
    """The first owner has claimed the deck and dies; the second claims it for the same hand."""
    used = DecksInMemory()
    first = promised(used=used)
    asked = mixed(first)
    finished(first.shuffles.prepare([(first.state, asked)]))
    second = Dealer(seed=99, used=used)
    second.state = first.state
    second.ask(asked)
    assert [type(event) for event in second.log] == [DeckCommitted]
    assert cards_of(second) == outsiders_cards(second)


def test_two_owners_at_once_make_the_same_deck():
    used = DecksInMemory()
    owners = [promised(used=used), Dealer(seed=99, used=used)]
    owners[1].state = owners[0].state
    for owner in owners:
        owner.ask(mixed(owner))
    assert cards_of(owners[0]) == cards_of(owners[1])


def test_pp_rng_a_promised_deck_that_was_dealt_before_is_an_alarm_and_another_is_made():
    used = DecksInMemory()
    dealer = promised(used=used)
    asked = mixed(dealer)
    registry = dealer.shuffles._registry
    finished(registry.open())
    secret = unseal_secret(VAULT_KEY, dealer.state.promise)
    taken = mixed_deck(secret, HAND, asked.roster, asked.seeds)
    used.decks.add(deck_hash(registry._key, tuple(CARDS[number] for number in taken)))
    dealer.ask(asked)
    assert [type(event) for event in dealer.log] == [DeckPromised, DeckRepeated, DeckCommitted]
    assert dealer.log[1].times == 1
    assert cards_of(dealer) == outsiders_cards(dealer, attempt=1)


def test_a_deck_of_another_request_is_not_dealt():
    """What was got ready for these seeds is for these seeds: other ones make their own."""
    dealer = promised()
    finished(dealer.shuffles.prepare([(dealer.state, mixed(dealer))]))
    dealer.ask(mixed(dealer, SEEDS[:1]))
    assert cards_of(dealer) == outsiders_cards(dealer)


# --- refusals ---------------------------------------------------------------------------------

PROMISE = promised().state.promise.promise
MIXED = replace(deal(), promise=PROMISE, seeds=SEEDS)

REFUSALS = [
    # given, when, reason: each row also breaks a rule that comes later, where there is one
    ((), replace(ASK, hand="trn_1", table=""), "bad_hand_id"),
    ((), replace(ASK, table="hnd_1"), "bad_table_id"),
    ((ASK,), replace(ASK, table="tbl_2"), "exists_with_different_content"),
    ((deal(),), ASK, "dealt_already"),
    ((), replace(MIXED, promise=b"", roster=()), "empty_roster"),
    ((), replace(MIXED, promise=b""), "seeds_without_promise"),
    ((ASK,), replace(MIXED, seeds=(SeatSeed(9, b""),)), "bad_seed"),
    ((ASK,), replace(MIXED, seeds=(SeatSeed(9, b"x" * 33),)), "bad_seed"),
    ((ASK,), replace(MIXED, seeds=(SeatSeed(9, bytes(32)), *SEEDS[:1])), "seed_of_nobody"),
    ((ASK,), replace(MIXED, promise=b"?", seeds=SEEDS[::-1]), "seeds_out_of_order"),
    ((ASK,), replace(MIXED, seeds=SEEDS[:1] * 2), "seeds_out_of_order"),
    ((), MIXED, "unknown_promise"),
    ((ASK,), replace(MIXED, promise=bytes(32)), "unknown_promise"),
    ((ASK,), replace(MIXED, table="tbl_2"), "unknown_promise"),
    ((ASK,), deal(), "unknown_promise"),
    ((ASK, MIXED), replace(MIXED, seeds=SEEDS[:2]), "exists_with_different_content"),
    ((ASK, MIXED), replace(MIXED, seeds=()), "exists_with_different_content"),
    ((ASK, MIXED), deal(), "exists_with_different_content"),
    ((deal(),), MIXED, "exists_with_different_content"),
]


@pytest.mark.parametrize(
    ("given", "when", "reason"), REFUSALS, ids=[f"{n}-{row[2]}" for n, row in enumerate(REFUSALS)]
)
def test_refusals(given, when, reason):
    dealer = Dealer()
    for request in given:
        assert not isinstance(dealer.ask(request), Refused)
    before, told = dealer.state, dealer.ask(when)
    assert isinstance(told, Refused)
    assert told.reason == reason
    assert dealer.state == before


def test_a_promise_whose_vault_key_is_gone_is_an_alarm_and_no_other_deck_is_dealt():
    without = Dealer(vault=vault_of([bytes(32)]))
    without.state = promised().state
    told = without.ask(MIXED)
    assert (told.reason, told.detail) == ("vault_key_missing", VAULT.current)
    rotated = Dealer(vault=vault_of([bytes(32), VAULT_KEY]))
    rotated.state = without.state
    assert type(rotated.ask(MIXED)) is DealtHands
    assert rotated.state.deck.vault_key != VAULT.current


def test_a_sealed_secret_that_is_not_the_promised_one_deals_nothing():
    dealer = promised()
    other = promised(seed=1).state.promise
    for sealed in (other.sealed_secret, bytes(60), b""):
        tampered = replace(dealer.state.promise, sealed_secret=sealed)
        dealer.state = replace(dealer.state, promise=tampered)
        assert dealer.ask(mixed(dealer)).reason == "unavailable"
    assert dealer.state.deck is None


def test_every_secret_and_every_sealed_secret_is_another_and_of_one_length():
    promises = [promised(seed).state.promise for seed in range(20)]
    assert len({one.promise for one in promises}) == 20
    assert len({one.sealed_secret for one in promises}) == 20
    assert {len(one.sealed_secret) for one in promises} == {12 + 32 + 16}


# --- the walk is PP-RNG's ---------------------------------------------------------------------


def test_pp_rng_mixed_decks_are_as_even_as_any():
    """Seeded secrets and seeds, the bench's own tests of decks, no false alarm in a thousand."""
    secrets = Random(3).randbytes
    roster, seeds = roster_of(3), SEEDS[:2]
    made = (mixed_deck(secrets(32), HAND, roster, seeds) for _ in range(10_000))
    decks = np.array([*made], dtype=np.uint8)
    assert rejected(order_tests(decks), ALPHA) == ()


def test_pp_rng_players_seeds_alone_move_every_card():
    """With one secret for all, fresh seeds of one player make decks as even as fresh secrets."""
    chance = Random(4).randbytes
    roster = roster_of(3)
    made = (mixed_deck(SECRET, HAND, roster, (SeatSeed(2, chance(32)),)) for _ in range(10_000))
    decks = np.array([*made], dtype=np.uint8)
    assert rejected(order_tests(decks), ALPHA) == ()
