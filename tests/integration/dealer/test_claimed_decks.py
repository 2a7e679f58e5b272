"""Promised decks in the registry on a real PostgreSQL: what a hand has claimed is its (PP-RNG)."""

import asyncio

from services.dealer.shell.registry import Registry
from services.dealer.shell.vault import vault_of
from shared.poker.deck import CARDS
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.adapters.system import entropy

VAULT = vault_of([bytes(range(32))])
DECKS = [CARDS[turn:] + CARDS[:turn] for turn in range(4)]


async def test_a_deck_is_claimed_by_one_hand_for_ever_and_by_no_other(database_url):
    one, two = PostgresDecks(database_url), PostgresDecks(database_url)
    registry, later = Registry(VAULT, entropy, one), Registry(VAULT, entropy, two)
    try:
        claims = [("hnd_1", DECKS[0]), ("hnd_2", DECKS[1])]
        assert await registry.claim(claims) == [True, True]
        assert await later.claim([*claims, ("hnd_1", DECKS[2])]) == [True, True, True]
        swapped = [("hnd_2", DECKS[0]), ("hnd_1", DECKS[1])]
        assert await later.claim(swapped) == [False, False]
        assert await later.claim([*claims, *swapped]) == [True, True, False, False]
    finally:
        one.close()
        two.close()


async def test_a_deck_dealt_by_chance_is_claimed_by_nobody_and_the_other_way_round(database_url):
    used = PostgresDecks(database_url)
    registry = Registry(VAULT, entropy, used)
    try:
        assert await registry.enter(DECKS[:1]) == [True]
        assert await registry.claim([("hnd_1", DECKS[0])]) == [False]
        assert await registry.claim([("hnd_1", DECKS[0])]) == [False]
        assert await registry.claim([("hnd_1", DECKS[1])]) == [True]
        assert await registry.enter(DECKS[1:2]) == [False]
    finally:
        used.close()


async def test_two_hands_that_claim_one_deck_in_one_go_do_not_both_get_it(database_url):
    used = PostgresDecks(database_url)
    registry = Registry(VAULT, entropy, used)
    try:
        claimed = await registry.claim([("hnd_1", DECKS[0]), ("hnd_2", DECKS[0])])
        assert sorted(claimed) == [False, True]
    finally:
        used.close()


async def test_two_owners_that_claim_at_once_agree(database_url):
    """Each hand's deck is claimed by both owners: both find that it is the hand's."""
    owners = [PostgresDecks(database_url) for _ in range(2)]
    registries = [Registry(VAULT, entropy, used) for used in owners]
    try:
        for registry in registries:
            await registry.open()
        for turn in range(20):
            deck = CARDS[turn + 5 :] + CARDS[: turn + 5]
            found = await asyncio.gather(*[r.claim([(f"hnd_{turn}", deck)]) for r in registries])
            assert found == [[True], [True]]
    finally:
        for used in owners:
            used.close()
