"""A wallet owned in the test's own process, asked through its intake, and its books."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import psycopg

from services.wallet.settings import WalletSettings
from services.wallet.shell.app import compose
from services.wallet.shell.outside import Outside
from services.wallet.shell.reactions import JOURNAL
from shared.contracts.commit import Actor, raw
from shared.contracts.edge import Accepted, Answer, LogRow, Request, decode_answer, encode
from shared.contracts.message import tag_of
from shared.kernel.ids import new_id
from shared.runtime.adapters.nats import NatsBroker
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.aggregate import Aggregate
from shared.runtime.asking import reply_of
from shared.runtime.ports import Line
from shared.runtime.service import World
from tests.integration.runtime.owning import Here, owning
from tests.people import signing_up
from tests.person_keys import KeysInMemory

WALLET, DIRECTOR = Line("wallet", 0), Line("director", 0)
OPERATOR = Actor("operator", "ops_1")

Balances = dict[str, int]


def wallet() -> Aggregate:
    """A wallet that gives no bonus."""
    nobody: Any = None
    world = World(SystemClock(), entropy, nobody)
    settings = WalletSettings(database_url="", nats_url="", wallet_bonus_cents=0)
    return compose(settings, world, Outside(KeysInMemory()))


@asynccontextmanager
async def wallet_here(dsn: str, broker: NatsBroker) -> AsyncIterator[Here]:
    """Own the journal for the length of a block, its read model with it."""
    async with owning(WALLET, wallet(), dsn, broker, [DIRECTOR]) as here:
        yield here


def command_id() -> str:
    return new_id("cmd", SystemClock().now_ms(), entropy(10))


def requested(command: Any, name: str | None = None) -> bytes:
    """Write a command as it comes over the wire."""
    request = Request(id=name or command_id(), by=OPERATOR, stream=JOURNAL, command=raw(command))
    return encode(request)


async def ask(here: Here, command: Any, name: str | None = None) -> Answer:
    """Ask the owner at its intake."""
    verb = tag_of(type(command)).split(".")[1]
    answer = await here.owner.verbs()[verb](requested(command, name))
    return decode_answer.decode(answer)


async def accepted(here: Here, command: Any, name: str | None = None) -> Accepted:
    """Ask for something that must not be refused."""
    answer = await ask(here, command, name)
    assert isinstance(answer, Accepted), answer
    return answer


async def reply(here: Here, command: Any, kind: type[Any]) -> Any:
    """Read something."""
    return reply_of(await accepted(here, command), kind)


async def sign_up(here: Here, players: Iterable[str]) -> None:
    """Open accounts and identify them."""
    for player in players:
        for command in signing_up(player):
            await accepted(here, command)


def log_at(dsn: str) -> list[LogRow]:
    """Return the journal's commits."""
    return read_logs(dsn, [WALLET])[WALLET]


def postings_in(row: LogRow) -> list[dict[str, Any]]:
    """Return what a commit posted, read without any of the wallet's code."""
    events = json.loads(row.data)["events"]
    return [posting for event in events for posting in event.get("postings", ())]


def folded(rows: Iterable[LogRow]) -> Balances:
    """Sum up the amounts of all postings by account."""
    found: Balances = {}
    for row in rows:
        for posting in postings_in(row):
            account = posting["account"]
            found[account] = found.get(account, 0) + posting["amount_cents"]
    return found


def in_tables(dsn: str) -> dict[str, list[Any]]:
    """Return the read model as it stands, and how far it has come."""
    with psycopg.connect(dsn) as connection:
        return {
            table: connection.execute(f"SELECT * FROM wallet_0.{table} ORDER BY 1, 2, 3").fetchall()
            for table in ("balances", "postings", "read_model")
        }


def is_up_to_date(dsn: str) -> bool:
    """Say whether the read model has all commits of the log."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "SELECT (SELECT reached FROM wallet_0.read_model)"
            " = (SELECT coalesce(max(notification_id), 0) FROM wallet_0.commits)"
        ).fetchone()
    return row == (True,)


def assert_every_prefix_sums_up(dsn: str) -> None:
    """See that each stored balance is the sum of all that was posted up to there (property)."""
    stored = {(row[0], row[1], row[2]): row[-1] for row in in_tables(dsn)["postings"]}
    sums: Balances = {}
    for row in log_at(dsn):
        for place, posting in enumerate(postings_in(row)):
            account = posting["account"]
            sums[account] = sums.get(account, 0) + posting["amount_cents"]
            assert stored.pop((account, row.number, place)) == sums[account]
            assert posting["balance_cents"] == sums[account]
        assert sum(sums.values()) == 0
    assert not stored
