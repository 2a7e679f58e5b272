"""A wallet of a million accounts starts: from its snapshot, and by folding its log.

All on one durable embedded PostgreSQL (fsync on), read as an owner reads it. The log has ten
commits an account, the opening and nine deposits; the part of it for the first 10,000 accounts is
folded, and the time scaled up. That is kind to the log: with few accounts each commit folds faster.
While the snapshot is written and read, the loop is watched: it must not be busy for long at a time,
or others wait.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice

from msgspec.structs import replace

from services.wallet.core import Wallet
from services.wallet.core.accounts.state import Account
from shared.contracts.commit import Cause, Commit, encode, hash_of, moment, raw
from shared.contracts.wallet import AccountOpened, MoneyDeposited, Posting
from shared.kernel.pmap import PMap
from shared.runtime.adapters.engines import postgres
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.schema import migrate
from shared.runtime.adapters.system import SystemClock
from shared.runtime.answers import Answers
from shared.runtime.memory import Folding, Head, Memory
from shared.runtime.ports import Line, NewCommit
from shared.runtime.snapshots import Snapshots
from tests.bench.log import AT_MS, BY, JOURNAL, WALLET

ACCOUNTS = 1_000_000
COMMITS_AN_ACCOUNT = 10
COMMITS_FOLDED = 100_000
TOGETHER = 1_000
LOOK_SECONDS = 0.001
SEALED_BYTES = 60
CONTRACT_BYTES = 92
LINE = Line("wallet", 0)
AGGREGATE = replace(WALLET, state=Wallet)

Figures = dict[str, dict[str, object]]


def run() -> Figures:
    """Return how long a start takes either way, and how busy the loop is meanwhile."""
    with postgres() as database_url:
        migrate(database_url, [LINE])
        threads = Threads()
        store = PostgresStore(database_url, LINE, threads)
        try:
            return asyncio.run(measured(store))
        finally:
            store.close()
            threads.close()


async def measured(store: PostgresStore) -> Figures:
    last = await logged(store)
    head = Head(large_wallet(), COMMITS_FOLDED, AT_MS, hash_of(last).hex())
    folded, _ = await started(store, None)
    whole = folded * ACCOUNTS * COMMITS_AN_ACCOUNT / COMMITS_FOLDED
    snapshots = Snapshots(LINE, store, AGGREGATE, "bench")
    began = time.perf_counter()
    async with watched() as while_written:
        await snapshots.write(JOURNAL, head)
    written = time.perf_counter() - began
    read, while_read = await started(store, snapshots)
    return {
        "wallet of 1,000,000 accounts starts from its snapshot": {
            "value": round(read, 2),
            "unit": "s",
            "peer": f"fold of its {COMMITS_AN_ACCOUNT} commits an account",
            "peer_value": round(whole, 2),
            "ratio": round(whole / read, 1),
        },
        "that snapshot is written, beside the work": {"value": round(written, 2), "unit": "s"},
        "the loop is busy with writing it, at a time": {
            "value": round(1000 * max(while_written), 1),
            "unit": "ms",
        },
        "the loop is busy with reading it, at a time": {
            "value": round(1000 * max(while_read), 1),
            "unit": "ms",
        },
    }


async def started(store: PostgresStore, snapshots: Snapshots | None) -> tuple[float, list[float]]:
    """Load the journal as the first command after a start does; return seconds and how busy."""
    memory = Memory(store, Folding(AGGREGATE), Answers(SystemClock()), snapshots)
    began = time.perf_counter()
    async with watched() as pauses:
        await memory.load([JOURNAL])
    took = time.perf_counter() - began
    head = memory.head(JOURNAL)
    assert head.n == COMMITS_FOLDED
    assert len(head.state.accounts) == (
        ACCOUNTS if snapshots else COMMITS_FOLDED // COMMITS_AN_ACCOUNT
    )
    return took, pauses


@asynccontextmanager
async def watched() -> AsyncIterator[list[float]]:
    """Note how much the loop's thread computes before others have their turn."""
    pauses = [0.0]

    async def look() -> None:
        while True:
            began = time.thread_time()
            await asyncio.sleep(LOOK_SECONDS)
            pauses.append(time.thread_time() - began)

    looking = asyncio.create_task(look())
    yield pauses
    looking.cancel()


def large_wallet() -> Wallet:
    players = [f"ply_{number:016x}" for number in range(ACCOUNTS)]
    return Wallet(
        accounts=PMap({player: account_of(player) for player in players}),
        balances=PMap({f"cash/{player}": 100 for player in players}),
    )


def account_of(player: str) -> Account:
    """An account with all that most have: name and contract as long as sealed ones, a deposit."""
    sealed = player.encode().ljust(SEALED_BYTES, b".")
    return Account("identified", sealed, sealed.ljust(CONTRACT_BYTES, b"."), deposited=True)


async def logged(store: PostgresStore) -> bytes:
    """Write the part of the log that is folded; return its last commit."""
    rows = commits()
    last = b""
    while group := list(islice(rows, TOGETHER)):
        await store.append(group)
        last = group[-1].data
    return last


def commits() -> Iterator[NewCommit]:
    prev = ""
    for n in range(1, COMMITS_FOLDED + 1):
        commit = Commit(
            stream=JOURNAL,
            n=n,
            at=moment(AT_MS + n),
            by=BY,
            cause=Cause(command=f"cmd_{n:026}"),
            saga=None,
            build="bench",
            prev=prev,
            events=(raw(event_at(n)),),
        )
        data = encode(commit)
        prev = hash_of(data).hex()
        yield NewCommit(JOURNAL, n, "d", data)


def event_at(n: int) -> AccountOpened | MoneyDeposited:
    """One player after the other opens an account and deposits, again and again."""
    number, nth = divmod(n - 1, COMMITS_AN_ACCOUNT)
    player = f"ply_{number:016x}"
    if not nth:
        return AccountOpened(player=player, sealed=account_of(player).sealed)
    return MoneyDeposited(
        player=player,
        amount_cents=100,
        reference=f"r{n}",
        postings=(
            Posting(f"cash/{player}", 100, 100 * nth),
            Posting("external", -100, -100 * (n - number - 1)),
        ),
    )
