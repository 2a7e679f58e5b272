"""An answer is lost at every point there is: the same command again changes nothing.

One script of requests and facts is run once in peace. Then again for each of its writes and each
kind of trouble with that write; whoever asked repeats the same command id until answered. The
journal comes out the same.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import psycopg
import pytest

from services.wallet.shell.reactions import JOURNAL
from shared.contracts.director import (
    EntryDeclined,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
)
from shared.contracts.edge import Accepted, Declined, decode_answer, encode
from shared.contracts.message import tag_of
from shared.contracts.wallet import (
    CorrectionLine,
    CorrectionPosted,
    Deposit,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    MoneyDeposited,
    ParticipationIdIssued,
    PostCorrection,
    PrizePaid,
    SessionIdIssued,
)
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.system import SystemClock
from shared.runtime.aggregate import Aggregate
from shared.runtime.follow import Fact
from shared.runtime.health import Health
from shared.runtime.intake import Intake
from shared.runtime.ports import Conflict, NewCommit, StoreUnavailable
from shared.runtime.reacting import Reactor
from shared.runtime.shard import Shard
from tests.integration.runtime.feeding import commit_of
from tests.integration.runtime.running import until
from tests.integration.wallet.journal import (
    DIRECTOR,
    WALLET,
    command_id,
    folded,
    log_at,
    requested,
    wallet,
)
from tests.people import signing_up

ANN, BEA = "ply_ann", "ply_bea"
TRN = "trn_1"
PRICE = {"fee_cents": 900, "commission_cents": 100}

Kind = Literal["not written", "written, not told", "another owner", "a new owner"]
KINDS: tuple[Kind, ...] = ("not written", "written, not told", "another owner", "a new owner")


def entry(player: str, nth: int = 1) -> dict[str, str]:
    return {"tournament": TRN, "entry": f"{TRN}/{player}/{nth}", "player": player}


def transfer(name: str, giver: str, taker: str, cents: int) -> PostCorrection:
    lines = (CorrectionLine(f"cash/{giver}", -cents), CorrectionLine(f"cash/{taker}", cents))
    return PostCorrection(correction=name, corrects=1, lines=lines, author="ops", reason="x")


READY = (*signing_up(ANN), *signing_up(BEA))
SCRIPT: tuple[Any, ...] = (
    Deposit(player=ANN, amount_cents=2_000, reference="ann"),
    Deposit(player=BEA, amount_cents=1_000, reference="bea"),
    EntryRequested(**entry(ANN), **PRICE, deadline_ms=0),
    transfer("cor_1", BEA, ANN, 1_000),
    transfer("cor_2", BEA, ANN, 1),  # Refused: nothing is left.
    EntryRequested(**entry(BEA), **PRICE, deadline_ms=0),  # Refused likewise.
    PlayerRegistered(**entry(ANN), **PRICE),
    EntryDeclined(**entry(BEA), reason="full"),
    EntryRequested(**entry(ANN, 2), **PRICE, deadline_ms=0),
    PlayerRegistered(**entry(ANN, 2), **PRICE),
    PlayerUnregistered(**entry(ANN, 2), refund_cents=950),
    PrizeDue(tournament=TRN, place=1, player=BEA, amount_cents=600),
    PrizeDue(tournament=TRN, place=2, player="ply_nobody", amount_cents=300),
    transfer("cor_3", BEA, ANN, 600),
)
IS_REQUEST = (Deposit, PostCorrection)
DECIDED = {
    tag_of(event)
    for event in (
        MoneyDeposited,
        CorrectionPosted,
        EntryHeld,
        EntryRefused,
        EntryPosted,
        EntryReleased,
        EntryRefunded,
        PrizePaid,
    )
}
ISSUED = {tag_of(SessionIdIssued), tag_of(ParticipationIdIssued)}


class TroubledStore(PostgresStore):
    """Makes trouble with one write."""

    def __init__(self, dsn: str, threads: Threads, kind: Kind | None, point: int) -> None:
        super().__init__(dsn, WALLET, threads)
        self.kind, self.point, self.writes = kind, point, 0
        self.took_over = asyncio.Event()

    async def append(self, commits: Sequence[NewCommit], *args: Any, **kwargs: Any) -> int:
        self.writes += 1
        if self.kind is None or self.writes != self.point:
            return await super().append(commits, *args, **kwargs)
        if self.kind == "not written":
            raise StoreUnavailable("the server is gone")
        last = await super().append(commits, *args, **kwargs)
        if self.kind == "another owner":
            raise Conflict("somebody was faster, with the very same")
        self.took_over.set()
        raise StoreUnavailable(f"the answer to {last} got lost")


class Line:
    """The journal's line with whoever owns it now."""

    def __init__(self, dsn: str, kind: Kind | None, point: int) -> None:
        self.threads = Threads()
        self.store = TroubledStore(dsn, self.threads, kind, point)
        self.aggregate: Aggregate = wallet()
        self.clock = SystemClock()
        self.deciding: asyncio.Task[None] | None = None
        self.shard = self._owner()
        self.facts = 0

    def _owner(self) -> Shard:
        shard = Shard(WALLET, self.aggregate, self.store, self.clock, Health(self.clock), "test")
        self.deciding = asyncio.create_task(shard.run())
        return shard

    async def take_over(self) -> None:
        """A successor starts with nothing but the log."""
        await self.leave()
        self.shard = self._owner()
        await self.shard.take_up()

    async def leave(self) -> None:
        assert self.deciding
        self.deciding.cancel()
        await self.shard.close()

    async def ask(self, command: Any) -> Accepted | Declined:
        """Repeat one command id until somebody has decided, and once more."""
        name = command_id()
        verb = tag_of(type(command)).split(".")[1]
        answers: list[Accepted | Declined] = []
        while len(answers) < 2:
            handler = Intake(self.shard, 1, self.clock).verbs()[verb]
            answer = decode_answer.decode(await handler(requested(command, name)))
            await self._change_hands()
            if not (isinstance(answer, Declined) and answer.reason == "unavailable"):
                answers.append(answer)
        assert answers[0] == answers[1]
        return answers[0]

    async def hear(self, fact: Any) -> None:
        """Feed a fact until the position is behind it, and once more."""
        self.facts += 1
        told = Fact(self.facts, commit_of(DIRECTOR, TRN, self.facts, encode(fact)))
        while (position := await self.store.position(str(DIRECTOR))).reached < self.facts:
            reactor = Reactor(DIRECTOR, self.shard, 1, position, self.clock)
            try:
                await reactor.take([told])
            except (Conflict, StoreUnavailable):
                await self._change_hands()
        again = Reactor(DIRECTOR, self.shard, 1, position._replace(reached=0), self.clock)
        with pytest.raises((Conflict, StoreUnavailable)):
            await again.take([told])

    async def _change_hands(self) -> None:
        if self.store.kind == "a new owner" and self.store.took_over.is_set():
            self.store.took_over.clear()
            await self.take_over()

    async def issued(self) -> None:
        """Wait until the regulator's ids are there: they are asked for by the way."""
        await until(lambda: not self.shard.questions.open)


@asynccontextmanager
async def owned(dsn: str, kind: Kind | None, point: int):
    """Begin with an empty journal."""
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "TRUNCATE wallet_0.commits, wallet_0.positions, wallet_0.live_streams,"
            " wallet_0.snapshots, wallet_0.parked"
        )
    line = Line(dsn, kind, point)
    try:
        yield line
    finally:
        await line.leave()
        line.store.close()
        line.threads.close()


async def run(dsn: str, kind: Kind | None, point: int) -> tuple[list[str], list[Any], int]:
    """Run the script; return what was answered, what was recorded, and how many writes it took."""
    async with owned(dsn, None, 0) as line:
        for command in READY:
            assert isinstance(await line.ask(command), Accepted)
        line.store.writes, line.store.kind, line.store.point = 0, kind, point
        answers = []
        for said in SCRIPT:
            if isinstance(said, IS_REQUEST):
                answer = await line.ask(said)
                answers.append(answer.reason if isinstance(answer, Declined) else "accepted")
            else:
                await line.hear(said)
        await line.issued()
        return answers, recorded(dsn), line.store.writes


def recorded(dsn: str) -> list[Any]:
    """Return what moved money or refused to, in order, and what the regulator was told."""
    events = [event for row in log_at(dsn) for event in json.loads(row.data)["events"]]
    ids = [event for event in events if event["type"] in ISSUED]
    return [e for e in events if e["type"] in DECIDED] + sorted(ids, key=json.dumps)


async def test_in_peace_the_script_does_what_it_says(wallet_url):
    answers, _, writes = await run(wallet_url, None, 0)
    assert answers == ["accepted", "accepted", "accepted", "would_go_below_zero", "accepted"]
    assert folded(log_at(wallet_url)) == {
        "external": -3_000,
        f"cash/{ANN}": 2_000 + 1_000 - 1_000 - 50 + 600,
        f"cash/{BEA}": 0,
        f"hold/{ANN}": 0,
        f"pool/{TRN}": 0,
        "commission": 150,
        "unclaimed": 300,
    }
    assert writes > len(SCRIPT)


@pytest.mark.parametrize("kind", KINDS)
async def test_trouble_at_any_write_changes_nothing(wallet_url, kind):
    answers, events, writes = await run(wallet_url, None, 0)
    for point in range(1, writes + 1):
        again = await run(wallet_url, kind, point)
        assert again[0] == answers, point
        assert again[1] == events, point


async def test_the_journal_s_stream_is_the_only_one(wallet_url):
    await run(wallet_url, None, 0)
    assert {row.stream for row in log_at(wallet_url)} == {JOURNAL}
