"""A tournament of 10,000 given up: its log folded, its sheet drawn up, its prizes paid.

Director and wallet decide in memory until every table has played a hand and halted; what they said
becomes their logs. Then the wallet's owner, on a durable embedded PostgreSQL (fsync on), takes the
approval in as a follower brings it, until the last share stands in the journal.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar, get_args

from msgspec.structs import replace

from services.director.core import DECIDER as DIRECTOR, HaltReported, HandReported
from services.director.core.rollforward.cutting import hash_of as sheet_hash_of, sheet_now
from services.director.core.rollforward.sheet import Sheet
from services.director.core.state import Tournament
from services.wallet.core import DECIDER as WALLET
from services.wallet.shell.reactions import REACTIONS
from shared.contracts.commit import Actor, Cause, Commit, encode, hash_of, moment, raw
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    ApproveSheet,
    CancelTournament,
    CreateTournament,
    DirectorEvent,
    EntryRequested,
    HandCleared,
    PayoutDue,
    Register,
)
from shared.contracts.edge import LogRow
from shared.contracts.hand import HandEnded, SeatAtEnd
from shared.contracts.table import TableHalted
from shared.contracts.wallet import Deposit, EntryHeld, WalletEvent
from shared.kernel.decider import Decider
from shared.runtime.adapters.engines import postgres
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.schema import migrate
from shared.runtime.adapters.system import SystemClock
from shared.runtime.aggregate import Aggregate
from shared.runtime.answers import Answers
from shared.runtime.follow import Fact
from shared.runtime.health import Health
from shared.runtime.memory import Folding
from shared.runtime.ports import Line, NewCommit
from shared.runtime.reacting import Reactor
from shared.runtime.shard import Shard
from tests.bench.log import AT_MS, BY, JOURNAL
from tests.core.director.director_play import TERMS, winners
from tests.people import signed_up

SURVIVORS = 10_000
SEATS = 10
ROUNDS = 3
SHEET_SECONDS = 1.0
PAID_SECONDS = 5.0
EVENTS_A_COMMIT = 500
TOGETHER = 1_000
FACTS_TOGETHER = 256
TOURNAMENT = "trn_bench"
DIRECTOR_LINE, WALLET_LINE = Line("director", 0), Line("wallet", 0)
MANY = replace(
    TERMS,
    entries=SURVIVORS,
    seats=SEATS,
    prizes=winners(3_000, 2_000, 1_400, 1_000, 700, 600, 500, 400, 250, 150),
)

Figures = dict[str, dict[str, object]]
T = TypeVar("T")


def run() -> Figures:
    """Return the seconds that fold, sheet and payment take, beside what they may take."""
    tournament, journal, approval = given_up()
    folding = Folding(aggregate(DIRECTOR, DirectorEvent))
    fold, head = timed(lambda: folding.fold(tournament.rows, Answers(SystemClock())))
    assert head.state == tournament.state
    drawing, sheet = timed(lambda: drawn_up(head.state))
    assert sheet_hash_of(head.state, sheet) == head.state.cancelling.sheet_hash
    paying = asyncio.run(paid(journal, approval))
    events = sum(len(commit) for commit in tournament.commits)
    return {
        f"fold of {events:,} events to {SURVIVORS:,} survivors": seconds(fold),
        f"sheet of {SURVIVORS:,} survivors, with its hash": seconds(drawing, SHEET_SECONDS),
        f"shares of {SURVIVORS:,} survivors in the journal": seconds(paying, PAID_SECONDS),
    }


def seconds(value: float, bar: float | None = None) -> dict[str, object]:
    """Beside a bar the ratio says how many times faster it is."""
    figure: dict[str, object] = {"value": round(value, 2), "unit": "s"}
    if bar is None:
        return figure
    return {**figure, "peer": "bar", "peer_value": bar, "ratio": round(bar / value, 1)}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Do it a few times; return the fewest seconds, and what came of it."""
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = work()
        took.append(time.perf_counter() - began)
    return min(took), found


def drawn_up(tournament: Tournament) -> Sheet:
    sheet = sheet_now(tournament)
    assert isinstance(sheet, Sheet)
    sheet_hash_of(tournament, sheet)
    return sheet


# --- the tournament, in memory ----------------------------------------------------------------


class Stream:
    """One aggregate's commits, decided by its core."""

    def __init__(self, name: str, decider: Decider[Any, Any, Any]) -> None:
        self.name = name
        self.state = decider.initial
        self.commits: list[tuple[Any, ...]] = []
        self._decider = decider

    def tell(self, command: Any) -> tuple[Any, ...]:
        stepped = self._decider.step(self.state, command, AT_MS)
        assert isinstance(stepped, tuple), stepped
        events, self.state = stepped
        if events:
            self.commits.append(events)
        return events

    @property
    def rows(self) -> list[LogRow]:
        return list(rows_of(self.name, self.commits))


def given_up() -> tuple[Stream, Stream, list[tuple[Any, ...]]]:
    """Return tournament and journal as they are before the approval, and what that says."""
    tournament, journal = Stream(TOURNAMENT, DIRECTOR), Stream(JOURNAL, WALLET)
    tournament.tell(CreateTournament(tournament=TOURNAMENT, terms=MANY))
    for number in range(SURVIVORS):
        enter(tournament, journal, f"ply_{number:05}")
    cleared = seated(tournament)
    for number, hand in enumerate(cleared, 1):
        tournament.tell(HandReported(ended(hand), f"table-{number}", 1))
    tournament.tell(CancelTournament(author="ops_1", reason="the power is gone"))
    for table in tuple(tournament.state.tables.values()):
        fact = TableHalted(
            tournament=TOURNAMENT,
            table=table.table,
            hand=f"hnd_bench_{table.number}_{table.hand}" if table.playing else "",
            seats=table.seats,
        )
        tournament.tell(HaltReported(fact, f"table-{table.number}", 2))
    approve = ApproveSheet(author="ops_2", sheet_hash=tournament.state.cancelling.sheet_hash)
    events = DIRECTOR.decide(tournament.state, approve, AT_MS)
    assert isinstance(events, tuple), events
    assert sum(isinstance(event, PayoutDue) for event in events) == SURVIVORS
    return tournament, journal, list(parts(events, EVENTS_A_COMMIT))


def enter(tournament: Stream, journal: Stream, player: str) -> None:
    """Bring money, and enter."""
    for command in signed_up(player):
        journal.tell(command)
    journal.tell(Deposit(player=player, amount_cents=1_100, reference=player))
    (request,) = of(EntryRequested, tournament.tell(Register(player=player)))
    (held,) = of(EntryHeld, journal.tell(request))
    registered, *_ = tournament.tell(held)
    journal.tell(registered)


def seated(tournament: Stream) -> list[HandCleared]:
    """Answer every draw; return the first hand of every table."""
    events: list[Any] = []
    while tournament.state.question is not None:
        order = tuple(range(tournament.state.question.count))
        events += tournament.tell(Drawn(draw="drw", order=order))
    return of(HandCleared, events)


def ended(hand: HandCleared) -> HandEnded:
    """Every other player loses some chips to the next one."""
    lost = {seat.seat: -7 * seat.seat for seat in hand.roster if seat.seat % 2}
    won = {seat + 1: -chips for seat, chips in lost.items()}
    change: defaultdict[int, int] = defaultdict(int, {**lost, **won})
    return HandEnded(
        tournament=hand.tournament,
        table=hand.table,
        hand=hand.hand,
        number=hand.number,
        button_seat=1,
        small_blind_seat=2,
        big_blind_seat=3,
        seats=tuple(
            SeatAtEnd(seat.seat, seat.player, MANY.starting_chips + change[seat.seat], False)
            for seat in hand.roster
        ),
    )


def of(kind: type[T], events: Iterable[Any]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


# --- logs ---------------------------------------------------------------------------------------


def rows_of(stream: str, commits: Iterable[tuple[Any, ...]]) -> Iterator[LogRow]:
    """Chain commits as their owner does."""
    prev = ""
    for n, events in enumerate(commits, 1):
        commit = Commit(
            stream=stream,
            n=n,
            at=moment(AT_MS),
            by=BY,
            cause=Cause(command=f"cmd_{n}"),
            saga=None,
            build="bench",
            prev=prev,
            events=tuple([raw(event) for event in events]),
        )
        data = encode(commit)
        prev = hash_of(data).hex()
        yield LogRow(n, stream, n, "m", data)


def parts(events: tuple[T, ...], size: int) -> Iterator[tuple[T, ...]]:
    rest = iter(events)
    while part := tuple(islice(rest, size)):
        yield part


def aggregate(decider: Decider[Any, Any, Any], events: Any) -> Aggregate:
    """Say what the runtime needs to know of a director or a wallet."""
    return Aggregate(
        owns=lambda _: True,
        decider=decider,
        events=get_args(events),
        requests=(),
        reactions=REACTIONS,
    )


# --- the wallet's owner -------------------------------------------------------------------------


async def paid(journal: Stream, approval: Iterable[tuple[Any, ...]]) -> float:
    """Bring the approval to the wallet; return the seconds until all shares are durable."""
    facts = [Fact(row.number, row.data) for row in rows_of(TOURNAMENT, approval)]
    with postgres() as database_url:
        migrate(database_url, [WALLET_LINE])
        threads = Threads()
        store = PostgresStore(database_url, WALLET_LINE, threads)
        try:
            for group in parts(tuple(journal.rows), TOGETHER):
                await store.append([NewCommit(r.stream, r.n, r.klass, r.data) for r in group])
            return await brought(store, facts, len(journal.commits))
        finally:
            store.close()
            threads.close()


async def brought(store: PostgresStore, facts: list[Fact], commits: int) -> float:
    clock = SystemClock()
    shard = Shard(WALLET_LINE, aggregate(WALLET, WalletEvent), store, clock, Health(clock), "bench")
    running = asyncio.create_task(shard.run())
    again = Deposit(player="ply_00000", amount_cents=1_100, reference="ply_00000")
    await shard.submit(JOURNAL, again, Actor("operator", "ops_1"), Cause(command="cmd_0"))
    position = await store.position(str(DIRECTOR_LINE))
    reactor = Reactor(DIRECTOR_LINE, shard, 1, position, clock)
    began = time.perf_counter()
    await reactor.take(facts[:FACTS_TOGETHER])
    took = time.perf_counter() - began
    rows = await store.read_stream(JOURNAL, commits)
    mark = b'"wallet.payout-paid'
    assert sum(row.data.count(mark) for row in rows) == SURVIVORS
    running.cancel()
    await shard.close()
    return took
