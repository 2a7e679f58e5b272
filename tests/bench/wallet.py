"""Transfers of the wallet beside pgbench's TPC-B, on the same durable server, turn about.

A transfer is a deposit: two postings, decided on the whole state, answered once it is durable. The
first figures are taken at the shard's intake, bytes in and bytes out, as many clients at once as
pgbench has; the others over NATS, asked of the wallet as it runs in production, its relay and its
read model at work beside, the clients in a process of their own. All of it shares this machine's
processors with the server. pgbench runs with prepared statements and a branch for each client up to
64, so that its clients do not wait for one row.
"""

import asyncio
import gc
import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from statistics import median, quantiles
from typing import Any

import httpx

from services.wallet.settings import WalletSettings
from services.wallet.shell.app import compose
from services.wallet.shell.outside import Outside
from services.wallet.shell.projections import rows_of
from services.wallet.shell.reactions import JOURNAL
from shared.contracts.commit import Actor, raw
from shared.contracts.edge import Request, encode
from shared.contracts.wallet import Deposit
from shared.kernel.ids import new_id
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engine_files import postgres_programs
from shared.runtime.adapters.engines import Postgres, free_port, nats_server
from shared.runtime.adapters.nats import connect, disconnect
from shared.runtime.adapters.person_keys import PostgresPersonKeys
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.read_model import PostgresTables
from shared.runtime.adapters.roles import role_of
from shared.runtime.adapters.schema import schema_of
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.bell import Bell
from shared.runtime.collecting import collect_rarely
from shared.runtime.health import Health
from shared.runtime.intake import Intake
from shared.runtime.log_reading import Serve
from shared.runtime.ports import Line
from shared.runtime.projection import Projection
from shared.runtime.read_models import READ_MODELS
from shared.runtime.service import World
from shared.runtime.shard import Shard
from tests.people import signing_up

CLIENTS = (1, 8, 64, 256)
BRANCHES = 64
ROUNDS = 3
SECONDS = 3
MOST_A_SECOND = 40_000
PACED_CLIENTS = 64
PACED_SECONDS = 5
PLAYERS = 1_000
BUILD = "dev"  # As the process says of itself, so that each uses the other's snapshots.
LINE, DIRECTOR = Line("wallet", 0), Line("director", 0)
BY = Actor("operator", "ops_1")
READY_SECONDS = 60
LOOK_SECONDS = 0.05
ACCEPTED = b'{"answer":"accepted"'

Figures = dict[str, dict[str, object]]
Ask = Callable[[bytes], Awaitable[bytes]]


class Roomy(Postgres):
    """A server that lets all clients in at once."""

    def command(self) -> list[str]:
        return [*super().command(), "-c", f"max_connections={max(CLIENTS) + 50}"]


def run() -> Figures:
    """Return transfers a second at the intake and over NATS, and how long one takes."""
    with Roomy() as server, nats_server() as nats_url:
        migrate(server.url, [LINE, DIRECTOR])
        bench = PgBench(server)
        asyncio.run(opened(server.url))
        with wallet_process(server.url, nats_url):
            over_nats = {clients: asked_elsewhere(nats_url, clients) for clients in CLIENTS}
        ours, theirs = asyncio.run(turn_about(server.url, bench))
        slowest_ms = asyncio.run(paced(server.url, ours[PACED_CLIENTS] / 2))
        into_tables = asyncio.run(projected(server.url))
    found = {
        f"wallet, transfers at the intake, {clients} clients": beside(ours, theirs, clients)
        for clients in CLIENTS
    }
    found |= {
        f"wallet, transfers over NATS, {clients} clients": beside(over_nats, theirs, clients)
        for clients in CLIENTS
    }
    found[f"wallet, 99 of 100 transfers at half load, {PACED_CLIENTS} clients"] = {
        "value": round(slowest_ms, 1),
        "unit": "ms",
    }
    found["wallet, commits into the read model"] = {
        "value": round(into_tables),
        "unit": "commits/s",
    }
    return found


def beside(ours: dict[int, float], theirs: dict[int, float], clients: int) -> dict[str, object]:
    return {
        "value": round(ours[clients]),
        "unit": "transfers/s",
        "peer": "pgbench TPC-B, prepared",
        "peer_value": round(theirs[clients]),
        "ratio": round(ours[clients] / theirs[clients], 1),
    }


class PgBench:
    """pgbench on the same server, in a database of its own."""

    def __init__(self, server: Postgres) -> None:
        self._programs = postgres_programs(server.user, server.install)
        self._port = server.port
        self._run("createdb", "bench")
        self._run("pgbench", "-i", "-I", "dtGvp", "-s", str(BRANCHES), "-q", "bench")

    def transactions(self, clients: int) -> float:
        """Return TPC-B transactions a second."""
        said = self._run(
            *("pgbench", "-M", "prepared", "-n", "-c", str(clients), "-j", str(min(clients, 2))),
            *("-T", str(SECONDS), "bench"),
        )
        found = re.search(r"tps = ([0-9.]+)", said)
        assert found, said
        return float(found[1])

    def _run(self, program: str, *words: str) -> str:
        where = {"PGHOST": "127.0.0.1", "PGPORT": str(self._port), "PGUSER": "postgres"}
        ran = subprocess.run(
            [self._programs / program, *words],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **where},
        )
        return ran.stdout


async def turn_about(
    database_url: str, bench: PgBench
) -> tuple[dict[int, float], dict[int, float]]:
    """Measure at the intake and with pgbench, one after the other, again and again."""
    ours: dict[int, list[float]] = {clients: [] for clients in CLIENTS}
    theirs: dict[int, list[float]] = {clients: [] for clients in CLIENTS}
    async with at_the_intake(database_url) as ask:
        for _ in range(ROUNDS):
            for clients in CLIENTS:
                ours[clients].append(await asked(ask, clients))
                theirs[clients].append(await asyncio.to_thread(bench.transactions, clients))
    return (
        {clients: median(rates) for clients, rates in ours.items()},
        {clients: median(rates) for clients, rates in theirs.items()},
    )


@asynccontextmanager
async def at_the_intake(database_url: str) -> AsyncIterator[Ask]:
    """Own the journal, without a broker; yield what takes deposits."""
    collect_rarely()
    clock, threads = SystemClock(), Threads()
    nobody: Any = None
    settings = WalletSettings(database_url=database_url, nats_url="", wallet_bonus_cents=0)
    keys = PostgresPersonKeys(database_url)
    aggregate = compose(settings, World(clock, entropy, nobody), Outside(keys))
    store = PostgresStore(database_url, LINE, threads, role_of(LINE.service))
    shard = Shard(LINE, aggregate, store, clock, Health(clock), BUILD)
    deciding = asyncio.create_task(shard.run())
    verbs = Intake(shard, 1, clock).verbs()
    await sign_up(verbs)
    gc.freeze()
    yield verbs["deposit"]
    deciding.cancel()
    await shard.close()
    keys.close()
    store.close()
    threads.close()


async def opened(database_url: str) -> None:
    """Have the players' accounts there before anybody asks."""
    async with at_the_intake(database_url):
        pass


async def sign_up(verbs: dict[str, Serve]) -> None:
    """Identify all players, many at a time."""
    for step, verb in enumerate(("open-account", "file-contract", "identify-account")):
        commands = [signing_up(player_of(nth))[step] for nth in range(PLAYERS)]
        answers = await asyncio.gather(*[verbs[verb](requested(command)) for command in commands])
        assert all(answer.startswith(ACCEPTED) for answer in answers), answers[0]


def player_of(nth: int) -> str:
    return f"ply_{nth % PLAYERS:06}"


def requested(command: Any) -> bytes:
    """Write a command as it comes over the wire."""
    name = new_id("cmd", SystemClock().now_ms(), entropy(10))
    return encode(Request(id=name, by=BY, stream=JOURNAL, command=raw(command)))


deposits = count(1)


def deposit() -> bytes:
    nth = next(deposits)
    reference = f"{os.getpid()}-{nth}"
    return requested(Deposit(player=player_of(nth), amount_cents=100, reference=reference))


async def asked(ask: Ask, clients: int) -> float:
    """Let so many clients ask, each again as soon as it is answered; return answers a second.

    What they ask is written before the time begins.
    """
    requests = [deposit() for _ in range(SECONDS * MOST_A_SECOND)]
    waiting = iter(requests)
    began = time.perf_counter()

    async def work() -> int:
        done = 0
        while time.perf_counter() < began + SECONDS and (request := next(waiting, b"")):
            answer = await ask(request)
            assert answer.startswith(ACCEPTED), answer
            done += 1
        return done

    done = sum(await asyncio.gather(*[work() for _ in range(clients)]))
    return done / (time.perf_counter() - began)


async def paced(database_url: str, rate: float) -> float:
    """Ask at a steady rate, whether answered or not; return what 99 of 100 are faster than."""
    requests = [deposit() for _ in range(round(rate * PACED_SECONDS))]
    took: list[float] = []

    async def one(ask: Ask, request: bytes, due: float) -> None:
        answer = await ask(request)
        assert answer.startswith(ACCEPTED), answer
        took.append(time.perf_counter() - due)

    async with at_the_intake(database_url) as ask, asyncio.TaskGroup() as group:
        began = time.perf_counter()
        for nth, request in enumerate(requests):
            due = began + nth / rate
            if (ahead := due - time.perf_counter()) > 0:
                await asyncio.sleep(ahead)
            group.create_task(one(ask, request, due))
    return 1_000 * quantiles(took, n=100)[98]


async def projected(database_url: str) -> float:
    """Fill the read model from all that was logged; return commits a second."""
    threads, clock = Threads(), SystemClock()
    role, schema = role_of(LINE.service), schema_of(LINE)
    store = PostgresStore(database_url, LINE, threads, role)
    tables = PostgresTables(database_url, schema, READ_MODELS[LINE.service], role)
    last, first = await store.last_number(), await tables.reached()
    projection = Projection(LINE, rows_of, store, tables, clock, Bell())
    began = time.perf_counter()
    running = asyncio.create_task(projection.run(Health(clock)))
    reached = await tables.reached()
    while reached < last:
        await clock.sleep(LOOK_SECONDS)
        reached = await tables.reached()
    took = time.perf_counter() - began
    running.cancel()
    tables.close()
    store.close()
    threads.close()
    return (last - first) / took


@contextmanager
def wallet_process(database_url: str, nats_url: str) -> Iterator[None]:
    """Run the wallet as in production."""
    port = free_port()
    environ = {
        **os.environ,
        "DATABASE_URL": database_url,
        "NATS_URL": nats_url,
        "ROLLFORWARD_HTTP_PORT": str(port),
        "ROLLFORWARD_LOG_LEVEL": "error",
        "ROLLFORWARD_WALLET_BONUS_CENTS": "0",
    }
    wallet = subprocess.Popen([sys.executable, "-m", "services.wallet"], env=environ)
    try:
        give_up = time.monotonic() + READY_SECONDS
        while not ready(port):
            assert time.monotonic() < give_up, "the wallet does not get ready"
            time.sleep(0.1)
        yield
    finally:
        wallet.terminate()
        wallet.wait()


def ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def asked_elsewhere(nats_url: str, clients: int) -> float:
    """Let clients ask from a process of their own; return answers a second."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bench.wallet", nats_url, str(clients)],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(ran.stdout)


async def over_nats(nats_url: str, clients: int) -> float:
    client = await connect(nats_url, "bench")
    subject = LINE.request("deposit")

    async def ask(data: bytes) -> bytes:
        return (await client.request(subject, data, timeout=10)).data

    rate = await asked(ask, clients)
    await disconnect(client)
    return rate


if __name__ == "__main__":
    sys.stdout.write(str(asyncio.run(over_nats(sys.argv[1], int(sys.argv[2])))))
