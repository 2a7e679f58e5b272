"""A person is erased from a platform that has played: sums and hashes stay, the person does not.

On real engines: the key is gone from the database, so what is left of the person in log, stream
and tables opens with nothing; and a backup of the keys does not bring it back.
"""

import asyncio
import time

import httpx
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from services.cli.bots.crew import Crew
from services.cli.bots.player import Player
from services.cli.platform import Platform
from services.cli.run.terms import quick_terms
from services.cli.verdicts import search
from services.cli.verdicts.history import history_of
from services.cli.verdicts.personal import personal_in
from services.cli.verify.command import verify
from services.wallet.shell.sealing import open_name, open_person
from shared.contracts.wallet import AccountOpened, ContractFiled
from shared.runtime.sealed import Unreadable
from tests.integration.platform.watching import ended, metrics, settled
from tests.person_keys import keys_in

pytestmark = pytest.mark.timeout(300)

PLAYERS = 3
WITHIN_SECONDS = 150
SERVICES = ("table", "director", "wallet", "dealer", "ranking", "gateway")
WHY = {"reason": "as asked in writing"}


async def test_pp_account_who_is_erased_is_gone_and_everything_still_verifies(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    url = platform.settings.database_url
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("NATS_URL", platform.settings.nats_url)
    async with (
        Crew(platform.url("gateway"), platform.operator_token, PLAYERS, seed=5) as crew,
        asyncio.timeout(WITHIN_SECONDS),
    ):
        name = await crew.start(quick_terms(PLAYERS, PLAYERS))
        await ended(crew, name)
        gone = loser_of(crew, await crew.lobby(name))
        keys = keys_in(url)
        assert await asyncio.to_thread(verify) == 0
        assert keys[gone.player] in dump(url)
        assert named(await crew.lobby(name), gone) == {gone.name}
        await erased(platform, gone.player)
        assert await asyncio.to_thread(verify) == 0
        assert named(await crew.lobby(name), gone) == {""}
        await told_nowhere(platform, keys)
        await unreadable(platform, gone, keys[gone.player])
        await erased_again(platform, gone.player, keys[gone.player])


def loser_of(crew: Crew, lobby: dict) -> Player:
    """The one who came in last, and whose money is all gone."""
    last = max(lobby["places"], key=lambda place: place["place"])
    return next(player for player in crew.players if player.player == last["player"])


def named(lobby: dict, player: Player) -> set[str]:
    """What the lobby calls a player, wherever it does."""
    shown = [*lobby["entries"], *lobby["places"]]
    return {one["name"] for one in shown if one["player"] == player.player}


async def erased(platform: Platform, player: str) -> None:
    """Close the account, have the person erased, and see the key go."""
    desk = {"Authorization": f"Bearer {platform.operator_token}"}
    async with httpx.AsyncClient(base_url=platform.url("gateway"), headers=desk) as operator:
        path = f"/api/operator/players/{player}"
        (await operator.post(f"{path}/closure", json=WHY)).raise_for_status()
        (await operator.post(f"{path}/erasure")).raise_for_status()
    await asyncio.to_thread(key_destroyed, platform.settings.database_url, player)


def key_destroyed(database_url: str, player: str) -> None:
    """Wait until there is word of it in the log."""
    told = (
        "SELECT count(*) FROM wallet_0.commits"
        " WHERE position('wallet.person-erased.v1'::bytea IN state) > 0"
    )
    with psycopg.connect(database_url, autocommit=True) as connection:
        give_up = time.monotonic() + WITHIN_SECONDS
        while connection.execute(told).fetchone() == (0,):
            assert time.monotonic() < give_up
            time.sleep(0.05)
    assert player not in keys_in(database_url)


async def told_nowhere(platform: Platform, keys: dict[str, bytes]) -> None:
    """Nothing of anybody's was ever in a stream, a log, a metric, or any table."""
    copies = await settled(platform)
    assert not search(
        copies,
        platform.home / "vault.key",
        logs=[platform.log(service) for service in SERVICES],
        pages={service: metrics(platform, service) for service in SERVICES},
        person_keys=keys,
    )
    everything = dump(platform.settings.database_url)
    history = history_of({line: copy.rows for line, copy in copies.items()})
    known = personal_in(history, keys)
    assert len(known) >= 3 * PLAYERS
    assert not [what for text, what in known.items() if text.encode() in everything]


async def unreadable(platform: Platform, gone: Player, key: bytes) -> None:
    """Neither the key nor anything that opens what it sealed is left in the database."""
    url = platform.settings.database_url
    assert key not in dump(url)
    copies = await settled(platform)
    history = history_of({line: copy.rows for line, copy in copies.items()})
    facts = [fact.event for fact in history.of("wallet")]
    (opened,) = [e for e in facts if isinstance(e, AccountOpened) and e.player == gone.player]
    (filed,) = [e for e in facts if isinstance(e, ContractFiled) and e.player == gone.player]
    assert open_name(key, gone.player, opened.sealed) == gone.name
    assert open_person(key, gone.player, filed.sealed).email == f"{gone.player}@bots.example"
    for left in keys_in(url).values():
        with pytest.raises(Unreadable):
            open_name(left, gone.player, opened.sealed)
        with pytest.raises(Unreadable):
            open_person(left, gone.player, filed.sealed)


async def erased_again(platform: Platform, player: str, key: bytes) -> None:
    """Keys restored from an older backup: a wallet that starts destroys the key once more."""
    url = platform.settings.database_url
    await asyncio.to_thread(platform.end, "wallet")
    with psycopg.connect(url) as connection:
        restored = connection.execute(
            "UPDATE platform.person_keys SET key = %s WHERE player = %s", (key, player)
        )
        assert restored.rowcount == 1
    platform.spawn("wallet")
    await asyncio.to_thread(platform.wait_ready)
    desk = {"Authorization": f"Bearer {platform.operator_token}"}
    async with httpx.AsyncClient(base_url=platform.url("gateway"), headers=desk) as operator:
        answer = (await operator.get(f"/api/operator/players/{player}")).raise_for_status().json()
    assert (answer["account"]["name"], answer["person"]) == ("", None)
    assert player not in keys_in(url)


def dump(database_url: str) -> bytes:
    """All bytes of all tables, as PostgreSQL copies them out."""
    found = []
    with psycopg.connect(database_url) as connection:
        tables = connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables"
            " WHERE table_type = 'BASE TABLE'"
            " AND table_schema NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for table in tables:
            query = SQL("COPY {} TO STDOUT (FORMAT binary)").format(Identifier(*table))
            with connection.cursor().copy(query) as copy:
                found += [bytes(part) for part in copy]
    return b"".join(found)
