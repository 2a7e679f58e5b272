"""A table and its dealer as owners run them, each life on the same logs: it may end at any await.

Every await at a port is a crossing, before it and behind it; nothing outside of a life can see
anything else of it. A life that ends, or stands still for a while, does so at a crossing.
"""

import asyncio
from base64 import b64decode
from random import Random

import msgspec

from services.cli.verdicts.cards import shown_cards_are_committed
from services.cli.verdicts.history import history_of
from services.dealer.settings import DealerSettings
from services.dealer.shell.app import compose as compose_dealer
from services.table.core import DECIDER as TABLE_DECIDER, legal_actions, show_or_muck, timers
from services.table.settings import TableSettings
from services.table.shell.app import compose as compose_table
from shared.contracts.commit import Actor, Cause
from shared.contracts.dealer import DeckCommitted
from shared.contracts.director import DealtSeat, HandCleared, Level
from shared.contracts.edge import Accepted
from shared.contracts.hand import HandsDealt
from shared.contracts.message import TimerFired
from shared.contracts.table import Call, Check, Muck
from shared.kernel.ids import new_id
from shared.runtime.health import Health
from shared.runtime.ports import Line, StoreUnavailable
from shared.runtime.service import World
from shared.runtime.shard import Shard
from tests.core.dealer.dealer_play import VAULT_KEY
from tests.core.runtime.clock import StandingClock
from tests.core.runtime.log_in_memory import LogInMemory
from tests.core.table.table_play import TABLE, TOURNAMENT, formed, player_of
from tests.used_decks import DecksInMemory

TABLE_LINE, DEALER_LINE = Line("table", 0), Line("dealer", 0)
LINES = (TABLE_LINE, DEALER_LINE)
STACKS = {1: 1_000, 3: 1_000, 4: 1_000}
HAND = "hnd_1"
NOWHERE = {"database_url": "", "nats_url": ""}
BY = Actor("service", "test")
ASKED = Cause(timer="test")
HAND_ENDED = b'"table.hand-ended.'
LOOKS_MAX = 20_000


class Durable:
    """What outlives every life: two logs and the registry of used decks."""

    def __init__(self):
        self.logs = {line: LogInMemory(line) for line in LINES}
        self.used = DecksInMemory()
        self.heard = []

    @property
    def history(self):
        return history_of({line: log.disk.rows for line, log in self.logs.items()})

    def events(self, service, kind):
        return [f.event for f in self.history.of(service) if isinstance(f.event, kind)]

    @property
    def ended(self):
        rows = self.logs[TABLE_LINE].disk.rows
        return bool(rows) and HAND_ENDED in rows[-1].data

    def verdict(self):
        return shown_cards_are_committed(self.history)

    def decks(self):
        """Every root that anybody has ever seen of the hand: on record, dealt, or answered."""
        return [
            *(event.root for event in self.events("dealer", DeckCommitted)),
            *(event.root for event in self.events("table", HandsDealt)),
            *(b64decode(reply["root"]) for reply in self.heard if "root" in reply),
        ]


class Crossing:
    """Counts what a life does at its ports; `stop_at` is where it stands still, `go` lets it on."""

    def __init__(self, stop_at=0, jitter=None):
        self.count = 0
        self.stop_at = stop_at
        self.stopped, self.go = asyncio.Event(), asyncio.Event()
        self._jitter = jitter

    async def cross(self):
        self.count += 1
        if self.count == self.stop_at:
            self.stopped.set()
        if self.stopped.is_set():
            await self.go.wait()
        for _ in range(1 if self._jitter is None else self._jitter.randint(0, 4)):
            await asyncio.sleep(0)


class Through:
    """A port, crossed on the way there and on the way back."""

    def __init__(self, port, crossing):
        self._port = port
        self._crossing = crossing

    def __getattr__(self, name):
        async def called(*args):
            await self._crossing.cross()
            found = await getattr(self._port, name)(*args)
            await self._crossing.cross()
            return found

        return called


class Life:
    """One process of the table's and one of the dealer's, from their start."""

    def __init__(self, durable, seed, crossing):
        self.durable = durable
        self.clock = StandingClock()
        self.entropy = Random(f"life {seed}").randbytes
        self.crossing = crossing
        self.seen = 0, TABLE_DECIDER.initial
        world = World(self.clock, self.entropy, self)
        dealer = compose_dealer(
            DealerSettings(dealer_vault_key=VAULT_KEY.hex(), **NOWHERE),
            world,
            Through(durable.used, crossing),
        )
        self.dealer = self.shard(DEALER_LINE, dealer)
        self.table = self.shard(TABLE_LINE, compose_table(TableSettings(**NOWHERE), world))

    def shard(self, line, aggregate):
        store = Through(self.durable.logs[line], self.crossing)
        return Shard(line, aggregate, store, self.clock, Health(self.clock), "test")

    async def ask(self, service, stream, command, **_):
        """Stand where `Asking` stands: the same command id until somebody decides."""
        assert service == "dealer"
        command_id = new_id("cmd", self.clock.now_ms(), self.entropy(10))
        while True:
            await self.crossing.cross()
            try:
                answer = await self.dealer.submit(stream, command, BY, Cause(command=command_id))
            except StoreUnavailable:
                continue
            await self.crossing.cross()
            if isinstance(answer, Accepted):
                self.durable.heard.append(msgspec.json.decode(answer.reply))
            return answer

    async def play(self):
        """Own both lines, and have players check and call until the hand has ended."""
        running = [asyncio.create_task(shard.run()) for shard in (self.dealer, self.table)]
        try:
            for shard in (self.dealer, self.table):
                await shard.take_up()
            for _ in range(LOOKS_MAX):
                if self.durable.ended:
                    return
                await self.move()
            raise AssertionError("the hand has not ended")
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for shard in (self.dealer, self.table):
                await shard.close()

    async def move(self):
        """Do what comes next at the table, if anything does."""
        command = self.next_command()
        if command is not None:
            await self.table.submit(TABLE, command, BY, ASKED)
        await asyncio.sleep(0)

    def state(self):
        """The table as it stands in the log."""
        rows = len(self.durable.logs[TABLE_LINE].disk.rows)
        if rows != self.seen[0]:
            facts = self.durable.history.of("table")
            self.seen = rows, TABLE_DECIDER.fold([fact.event for fact in facts])
        return self.seen[1]

    def next_command(self):
        state = self.state()
        if not state.seats:
            return formed(STACKS, button=4)
        if not state.cleared:
            return cleared(self.clock.now_ms())
        if (legal := legal_actions(state)) is not None:
            base = {"hand": HAND, "player": legal.player, "decision": legal.decision}
            return Call(**base) if legal.call_chips else Check(**base)
        if (choice := show_or_muck(state)) is not None:
            return Muck(hand=HAND, player=choice.player, decision=choice.decision)
        for name, due_ms in timers(state):
            self.clock.ms = max(self.clock.ms, due_ms)
            return TimerFired(name=name)
        return None


def cleared(at_ms):
    return HandCleared(
        tournament=TOURNAMENT,
        table=TABLE,
        hand=HAND,
        number=1,
        level=Level(5, 10, 0),
        roster=tuple(DealtSeat(seat, player_of(seat)) for seat in STACKS),
        not_before_ms=at_ms,
    )
