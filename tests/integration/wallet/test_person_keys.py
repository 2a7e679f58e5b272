"""The keys of persons on a real PostgreSQL: one a player, made once, and never again once gone."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.person_keys import PostgresPersonKeys
from shared.runtime.adapters.roles import role_of
from shared.runtime.adapters.system import entropy
from shared.runtime.ports import StoreUnavailable
from tests.integration.wallet.journal import WALLET

ANN, BEA, COY = "ply_ann", "ply_bea", "ply_coy"
TOGETHER = 256


@contextmanager
def keys_of(database_url: str) -> Iterator[PostgresPersonKeys]:
    keys = PostgresPersonKeys(database_url, role_of("wallet"))
    yield keys
    keys.close()


def fresh(*players: str) -> dict[str, bytes]:
    return {player: entropy(32) for player in players}


async def test_a_key_is_made_once_and_found_by_everybody(wallet_url):
    with keys_of(wallet_url) as one, keys_of(wallet_url) as another:
        made = await one.obtain(fresh(ANN, BEA))
        assert await another.obtain(fresh(ANN)) == {ANN: made[ANN]}
        assert await another.find([ANN, BEA, COY]) == made
    assert len({*made.values()}) == 2


async def test_two_wallets_at_once_agree_on_every_key(wallet_url):
    players = [f"ply_{number}" for number in range(TOGETHER)]
    with keys_of(wallet_url) as one, keys_of(wallet_url) as another:
        found = await asyncio.gather(
            one.obtain(fresh(*players)), another.obtain(fresh(*reversed(players)))
        )
    assert found[0] == found[1]
    assert found[0].keys() == {*players}


async def test_a_key_that_is_destroyed_leaves_word_and_is_never_made_again(wallet_url):
    with keys_of(wallet_url) as keys:
        made = await keys.obtain(fresh(ANN, BEA))
        for _ in range(2):
            await keys.destroy([ANN, COY, ANN])
            assert await keys.find([ANN, BEA, COY]) == {ANN: None, BEA: made[BEA], COY: None}
            assert await keys.obtain(fresh(ANN, COY)) == {ANN: None, COY: None}


async def test_the_table_takes_whole_keys_only(wallet_url):
    with keys_of(wallet_url) as keys:
        with pytest.raises(StoreUnavailable, match="check constraint"):
            await keys.obtain({ANN: b"short"})
        assert await keys.find([ANN]) == {}


async def test_without_the_migrate_step_it_says_so_and_works_after_it(wallet_url):
    with psycopg.connect(wallet_url) as connection:
        connection.execute("DROP TABLE platform.person_keys")
    with keys_of(wallet_url) as keys:
        with pytest.raises(StoreUnavailable, match="migrate step has not been run"):
            await keys.find([ANN])
        migrate(wallet_url, [WALLET])
        assert await keys.find([ANN]) == {}
