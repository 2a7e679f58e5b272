"""What PostgreSQL lets a service do: append to its own log, and nothing else to any."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from shared.contracts.edge import Accepted
from shared.runtime.adapters import deployment
from shared.runtime.adapters.connection import take_role
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.adapters.deployment import NotMigrated, migrate
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.roles import role_of
from shared.runtime.decks import SealedKey
from shared.runtime.ports import Conflict, Line, NewCommit, StartRefused, StoreUnavailable
from tests.integration.runtime.conftest import COUNTERS, SHARDS, TALLIES, client_at
from tests.integration.runtime.counting import Add
from tests.integration.runtime.running import Running

PASSWORD = "secret"
COMMIT = NewCommit("ctr_1", 1, "m", b"{}")
CHANGES = [
    "UPDATE counter_0.commits SET state = ''",
    "DELETE FROM counter_0.commits",
    "TRUNCATE counter_0.commits",
    "DROP TABLE counter_0.commits",
    "ALTER TABLE counter_0.commits DISABLE TRIGGER ALL",
    "CREATE TABLE counter_0.another (n int)",
]
OTHERS = [
    "SELECT * FROM tally_0.commits",
    "INSERT INTO tally_0.commits VALUES ('ctr_1', 1, 'm', '', 1)",
    "SELECT tally_0.append('{ctr_1}', '{1}', '{m}', '{x}')",
    "UPDATE tally_0.positions SET reached = 0",
    "SELECT * FROM platform.used_decks",
    "SELECT * FROM platform.vault_keys",
    "SELECT * FROM platform.deck_registry",
    "SELECT * FROM platform.person_keys",
    "UPDATE platform.deployment SET id = 'dep_x'",
    "UPDATE platform.shards SET count = 1",
]


@contextmanager
def login(dsn: str, *member_of: str, options: str = "") -> Iterator[str]:
    """Yield the DSN of somebody who may connect, and take these roles."""
    name = f"login_{uuid4().hex[:12]}"
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute(
            SQL("CREATE ROLE {} LOGIN PASSWORD {} {}").format(
                Identifier(name), PASSWORD, SQL(options)
            )
        )
        for role in member_of:
            admin.execute(
                SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(
                    Identifier(role), Identifier(name)
                )
            )
        try:
            yield make_conninfo(dsn, user=name, password=PASSWORD)
        finally:
            admin.execute(SQL("DROP OWNED BY {} CASCADE").format(Identifier(name)))
            admin.execute(SQL("DROP ROLE {}").format(Identifier(name)))


@pytest.fixture
def counter(store_url) -> Iterator[psycopg.Connection]:
    """A connection that works as the counter's role, with a commit in its log."""
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("INSERT INTO counter_0.commits VALUES ('ctr_1', 1, 'm', 'x', 1)")
        take_role(connection, role_of("counter"))
        yield connection


@pytest.mark.parametrize("statement", CHANGES)
def test_what_was_committed_cannot_be_changed_by_its_own_service(counter, statement):
    with pytest.raises(errors.InsufficientPrivilege):
        counter.execute(statement)
    assert counter.execute("SELECT state FROM counter_0.commits").fetchall() == [(b"x",)]


@pytest.mark.parametrize("statement", OTHERS)
def test_what_is_another_service_s_can_be_neither_read_nor_written(counter, statement):
    with pytest.raises(errors.InsufficientPrivilege):
        counter.execute(statement)


def test_a_role_reads_which_platform_this_is(counter):
    (row,) = counter.execute("SELECT id FROM platform.deployment").fetchall()
    assert row[0].startswith("dep_")


async def test_every_connection_of_a_store_works_as_the_role(store_url):
    threads = Threads()
    store = PostgresStore(store_url, COUNTERS[0], threads, role_of("counter"))
    other = PostgresStore(store_url, TALLIES[0], threads, role_of("counter"))
    try:
        assert await store.append([COMMIT]) == 1
        with psycopg.connect(store_url, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises(Conflict):
            await store.append([COMMIT])
        with pytest.raises(StoreUnavailable, match="permission denied"):
            await other.append([COMMIT])
        with pytest.raises(StoreUnavailable, match="permission denied"):
            await other.last_number()
    finally:
        store.close()
        other.close()
        threads.close()


async def test_a_service_works_with_a_login_that_is_nothing_but_a_member(store_url, broker_url):
    with (
        login(store_url, role_of("counter")) as restricted,
        Running("counter", restricted, broker_url) as process,
    ):
        await process.ready()
        client, broker = await client_at(broker_url)
        assert isinstance(await client.send("ctr_1", Add(amount=3)), Accepted)
        assert isinstance(await client.send("ctr_2", Add(amount=4)), Accepted)
        await broker._client.close()
        with psycopg.connect(restricted) as connection, pytest.raises(errors.InsufficientPrivilege):
            connection.execute("SELECT * FROM counter_0.commits")
        assert process.stop() == 0


async def test_a_login_that_is_no_member_is_told_so(store_url, broker_url):
    with (
        login(store_url, role_of("tally")) as stranger,
        Running("counter", stranger, broker_url) as process,
    ):
        assert await asyncio.to_thread(process.child.wait, 30) == 2
        assert "may not work as rollforward_counter: see deploy/runbooks/database-roles.md" in (
            process.log.read_text()
        )


def test_a_role_that_nobody_has_made_is_waited_for(store_url):
    with psycopg.connect(store_url) as admin:
        admin.execute("INSERT INTO platform.shards VALUES ('nobody', 1)")
    with pytest.raises(NotMigrated, match="has not made the role rollforward_nobody"):
        deployment.check(store_url, "nobody", SHARDS)


def test_migrating_again_takes_back_what_was_granted_beside(store_url):
    with psycopg.connect(store_url, autocommit=True) as admin:
        admin.execute("GRANT ALL ON counter_0.commits TO rollforward_counter")
        migrate(store_url, [*COUNTERS, *TALLIES])
        take_role(admin, role_of("counter"))
        with pytest.raises(errors.InsufficientPrivilege):
            admin.execute("DELETE FROM counter_0.commits")
        admin.execute("SELECT * FROM counter_0.commits")


def test_who_may_make_no_roles_is_told_so_and_needs_none_that_are_there(dsn):
    strangers = [Line("stranger", 0)]
    with login(dsn) as plain:
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute(f"GRANT CREATE ON DATABASE {admin.info.dbname} TO {user_of(plain)}")
        with pytest.raises(StartRefused, match="may not create the role rollforward_stranger"):
            migrate(plain, strangers)
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute("CREATE ROLE rollforward_stranger NOLOGIN")
        try:
            migrate(plain, strangers)
            migrate(plain, strangers)
            with psycopg.connect(dsn) as admin:
                take_role(admin, role_of("stranger"))
                assert admin.execute("SELECT count(*) FROM stranger_0.commits").fetchone() == (0,)
        finally:
            with psycopg.connect(dsn, autocommit=True) as admin:
                admin.execute("DROP OWNED BY rollforward_stranger")
                admin.execute("DROP ROLE rollforward_stranger")


async def test_who_may_make_roles_makes_them_and_works_as_them(dsn):
    lines = [Line("maker", 0)]
    with login(dsn, options="CREATEROLE") as maker:
        with psycopg.connect(dsn, autocommit=True) as admin:
            admin.execute(f"GRANT CREATE ON DATABASE {admin.info.dbname} TO {user_of(maker)}")
        try:
            migrate(maker, lines)
            deployment.check(maker, "maker", {"maker": 1})
        finally:
            with psycopg.connect(dsn, autocommit=True) as admin:
                admin.execute("DROP OWNED BY rollforward_maker")
                admin.execute("DROP ROLE rollforward_maker")


@pytest.mark.parametrize(
    ("option", "why"), [("SUPERUSER", "whom nothing stops"), ("LOGIN", "would own the log")]
)
def test_a_role_that_protects_nothing_is_refused(dsn, option, why):
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE rollforward_mighty {option} PASSWORD '{PASSWORD}'")
        admin.execute(f"GRANT CREATE ON DATABASE {admin.info.dbname} TO rollforward_mighty")
        url = dsn
        if option == "LOGIN":
            url = make_conninfo(dsn, user="rollforward_mighty", password=PASSWORD)
        try:
            with pytest.raises(StartRefused, match=why):
                migrate(url, [Line("mighty", 0)])
        finally:
            admin.execute("DROP OWNED BY rollforward_mighty CASCADE")
            admin.execute("DROP ROLE rollforward_mighty")


async def test_the_dealer_s_role_can_do_what_the_dealer_does_with_decks(dsn):
    migrate(dsn, [Line("dealer", 0)])
    decks = PostgresDecks(dsn, role_of("dealer"))
    try:
        await decks.use_key("key_1")
        await decks.use_key("key_1")
        assert [use.key for use in await decks.vault_keys()] == ["key_1"]
        first, second = SealedKey("key_1", b"box"), SealedKey("key_1", b"other")
        assert await decks.registry_key(first) == first
        await decks.seal_again(first, second)
        assert await decks.registry_key(first) == second
        assert await decks.enter([b"1", b"2"]) == {b"1", b"2"}
        assert await decks.enter([b"2", b"3"]) == {b"3"}
        assert await decks.claim([b"4"], [b"c"]) == {b"c"}
        with pytest.raises(StoreUnavailable, match="permission denied"):
            await decks.retire("key_1")
    finally:
        decks.close()


def user_of(dsn: str) -> str:
    """Return the login that a DSN names."""
    return str(psycopg.conninfo.conninfo_to_dict(dsn)["user"])
