"""The registry of used decks on a real PostgreSQL (PP-RNG): nothing is dealt twice, ever."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import httpx
import psycopg
import pytest

from services.dealer.core import DECIDER
from services.dealer.shell.registry import Registry
from services.dealer.shell.shuffling import Shuffles
from services.dealer.shell.vault import vault_of, write_new_key
from shared.contracts.dealer import DealBoard, DealHands, DealtBoard, DealtHands, Draw, Drawn
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.system import entropy
from shared.runtime.metrics import DECKS_REPEATED
from shared.runtime.ports import StartRefused, StoreUnavailable
from tests.core.dealer.dealer_play import deal, roster_of
from tests.integration.dealer.conftest import DEALER

OLD_KEY, NEW_KEY = bytes(range(32)), bytes(range(1, 33))
OLD, NEW = vault_of([OLD_KEY]), vault_of([NEW_KEY, OLD_KEY])


@contextmanager
def used_decks(database_url: str) -> Iterator[PostgresDecks]:
    used = PostgresDecks(database_url)
    yield used
    used.close()


def rows(database_url: str, query: str) -> list[tuple]:
    with psycopg.connect(database_url) as connection:
        return connection.execute(query).fetchall()


async def decks_of(shuffles: Shuffles, *hands: str):
    await shuffles.prepare([(DECIDER.initial, deal(hand=hand)) for hand in hands])
    return [shuffles.take(hand) for hand in hands]


async def test_pp_rng_a_deck_that_is_registered_is_an_alarm_and_another_is_dealt(database_url):
    with used_decks(database_url) as used, used_decks(database_url) as used_later:
        first = Shuffles(Random(1).randbytes, Registry(OLD, entropy, used))
        (dealt,) = await decks_of(first, "hnd_1")
        alarms = DECKS_REPEATED._value.get()
        later = Shuffles(Random(1).randbytes, Registry(OLD, entropy, used_later))
        (another,) = await decks_of(later, "hnd_2")
    assert (dealt.repeats, another.repeats) == (0, 1)
    assert dealt.cards != another.cards
    assert DECKS_REPEATED._value.get() == alarms + 1
    assert len(rows(database_url, "SELECT deck FROM platform.used_decks")) == 2


async def test_pp_rng_a_generator_that_repeats_itself_deals_nothing(database_url):
    with used_decks(database_url) as used:
        buffer = bytes(range(52)) + bytes(204)
        stuck = Shuffles(lambda _: buffer, Registry(OLD, entropy, used))
        assert (await decks_of(stuck, "hnd_1"))[0] is not None
        assert (await decks_of(stuck, "hnd_2"))[0] is None


async def test_pp_rng_two_dealers_at_once_never_deal_one_deck(database_url):
    hands = [f"hnd_{number}" for number in range(40)]
    with used_decks(database_url) as one, used_decks(database_url) as two:
        dealers = [
            Shuffles(Random(7).randbytes, Registry(OLD, entropy, used)) for used in (one, two)
        ]
        found = await asyncio.gather(*[decks_of(dealer, *hands) for dealer in dealers])
    cards = [shuffled.cards for dealt in found for shuffled in dealt]
    assert len({*cards}) == len(cards) == 80
    assert sum(shuffled.repeats for dealt in found for shuffled in dealt) >= 40
    assert len(rows(database_url, "SELECT FROM platform.deck_registry")) == 1


async def test_what_is_kept_of_a_deck_cannot_be_looked_up(database_url):
    with used_decks(database_url) as used:
        registry = Registry(OLD, entropy, used)
        (shuffled,) = await decks_of(Shuffles(Random(1).randbytes, registry), "hnd_1")
    ((deck,),) = rows(database_url, "SELECT deck FROM platform.used_decks")
    assert len(deck) == 16
    ((sealed_under, box),) = rows(database_url, "SELECT vault_key, box FROM platform.deck_registry")
    assert sealed_under == OLD.current
    assert registry._key not in box
    assert len(registry._key) == 32
    assert shuffled.cards


async def test_the_registrys_key_moves_to_the_new_vault_key_and_still_knows_old_decks(database_url):
    for vault in (OLD, NEW, vault_of([NEW_KEY])):
        with used_decks(database_url) as used:
            if vault.current == NEW.current and len(vault.keys) == 1:
                await used.retire(OLD.current)
            shuffles = Shuffles(Random(1).randbytes, Registry(vault, entropy, used))
            (shuffled,) = await decks_of(shuffles, f"hnd_{vault.current}")
            assert await used.sealing_key() == vault.current
    assert shuffled.repeats == 2


async def test_a_dealer_without_a_key_that_is_in_use_refuses_to_start(database_url):
    with used_decks(database_url) as used:
        await Registry(OLD, entropy, used).open()
        without = Registry(vault_of([NEW_KEY]), entropy, used)
        with pytest.raises(StartRefused, match=f"vault key {OLD.current}, in use since 2.* put it"):
            await without.open()
        await used.retire(OLD.current)
        with pytest.raises(StartRefused, match=f"sealed under vault key {OLD.current}"):
            await without.open()
        with pytest.raises(StartRefused, match=f"{OLD.current} is retired: put a new key on top"):
            await Registry(OLD, entropy, used).open()
        await used.forget_registry_key(OLD.current)
        await without.open()


async def test_migrate_adds_the_tables_to_an_old_database(database_url):
    with psycopg.connect(database_url) as connection:
        for table in ("used_decks", "vault_keys", "deck_registry"):
            connection.execute(f"DROP TABLE platform.{table}")
        platform = connection.execute("SELECT id FROM platform.deployment").fetchone()
    with used_decks(database_url) as used:
        with pytest.raises(StoreUnavailable, match="migrate step has not been run"):
            await used.vault_keys()
        migrate(database_url, [DEALER])
        await Registry(OLD, entropy, used).open()
        assert [use.key for use in await used.vault_keys()] == [OLD.current]
    assert rows(database_url, "SELECT id FROM platform.deployment") == [platform]


async def test_a_database_that_is_away_is_said_and_comes_back(database_url):
    with used_decks(database_url) as used:
        registry = Registry(OLD, entropy, used)
        await registry.open()
        with psycopg.connect(database_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        shuffles = Shuffles(entropy, registry)
        found = [(await decks_of(shuffles, "hnd_1"))[0] for _ in range(2)]
    assert found[0] is None
    assert found[1] is not None


# --- the whole dealer -------------------------------------------------------------------------


def asked(hand: str) -> DealHands:
    return DealHands(hand=hand, table="tbl_1", roster=roster_of(3))


async def test_while_the_registry_is_away_questions_stay_open_and_all_else_is_answered(
    dealer, asker, key_file, database_url
):
    write_new_key(key_file)
    dealer.start()
    await dealer.ready()
    before = await asker.reply(asked("hnd_1"), DealtHands)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE platform.used_decks RENAME TO gone")
        waiting = asyncio.create_task(asker.reply(asked("hnd_2"), DealtHands))
        served = await asyncio.gather(
            asker.reply(asked("hnd_1"), DealtHands),
            asker.reply(DealBoard(hand="hnd_1", root=before.root, street="flop"), DealtBoard),
            asker.reply(Draw(draw="drw_1", purpose="seats", count=10_000), Drawn),
        )
        assert not waiting.done()
        connection.execute("ALTER TABLE platform.gone RENAME TO used_decks")
        dealt = await waiting
    assert served[0] == before
    assert sorted(served[2].order) == list(range(10_000))
    assert await asker.reply(asked("hnd_2"), DealtHands) == dealt
    async with httpx.AsyncClient() as client:
        page = (await client.get(f"http://127.0.0.1:{dealer.port}/metrics")).text
    assert "rollforward_decks_repeated_total 0.0" in page
    assert 'reason="unavailable"' in page
