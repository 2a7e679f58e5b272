"""The people: bots that sign up, play, repeat themselves, come late, and some that mean no good."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from services.cli.bots.strategy import Move, Turn, choose
from shared.contracts.commit import Actor
from shared.contracts.dealer import DealtIn
from shared.contracts.director import (
    CreateTournament,
    EntriesClosed,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerBusted,
    PlayerRegistered,
    PlayerUnregistered,
    Register,
    Terms,
    TournamentCancelled,
    TournamentStarted,
    Unregister,
)
from shared.contracts.edge import Accepted, Answer
from shared.contracts.hand import HandScheduled, SeedsInvited
from shared.contracts.table import Call, Check, ComeBack, Fold, GoOut, RaiseTo
from shared.contracts.wallet import Deposit
from shared.runtime.asking import is_unavailable
from tests.people import signing_up
from tests.simulation.buying import buy
from tests.simulation.cancelling import Operators
from tests.simulation.gateways import GatewayLost
from tests.simulation.giving import give_seed
from tests.simulation.mischief import mischief
from tests.simulation.qualifying import ENTRIES, is_kept_from, qualify
from tests.simulation.series import announced, is_sold
from tests.simulation.sharing import Deals
from tests.simulation.terms import Size, people_for
from tests.simulation.turns import OpenTurn
from tests.simulation.visitor import visit

if TYPE_CHECKING:
    from tests.simulation.world import World

OPERATOR = Actor("operator", "operator")
JOURNAL = "journal"
LOOK_SECONDS = 0.2
DEPOSIT_CENTS = 5_000
HASTY: Mapping[Size, float] = {
    "small": 0.75,
    "staged": 0.75,
    "double": 0.75,
    "rebuys": 0.5,
    "series": 0.75,
    "whole": 0.0,
}
"""In how many worlds players push all their chips in, so that a few hands decide everything."""

PUSHES = 0.7
ENTRY = {
    EntryRequested: "pending",
    PlayerRegistered: "registered",
    EntryDeclined: "",
    EntryExpired: "",
    PlayerUnregistered: "",
    PlayerBusted: "out",
}
CLOSE_ENTRIES = {EntriesClosed, TournamentCancelled}
LATE, AGAIN = 0.3, 0.7


class Crowd:
    """All players, and the operator who announces the tournament; they see what is committed."""

    def __init__(
        self, world: "World", command_id: Callable[[], str], terms: Mapping[str, Terms]
    ) -> None:
        self.world = world
        self.command_id = command_id
        self.terms = terms
        self.started: set[str] = set()
        self.closed: set[str] = set()
        self.rosters: dict[str, tuple[DealtIn, ...]] = {}
        self._works: dict[asyncio.Task[None], None] = {}
        people = people_for(world.size, terms)
        names = [f"ply_{number}" for number in range(1, people + 1)]
        self.bots = {name: Bot(self, name) for name in names}
        haste = Random(f"{world.seed}/haste").random()
        self.hasty = haste < HASTY[world.size] and not world.weather.thoughtful
        self.deals = Deals(self)
        self.operators = Operators(self, Random(f"{world.seed}/operators"))

    def begin(self) -> None:
        """Announce the tournaments; everybody comes, and among strangers one who does not stay."""
        for one_by_one in announced(self.terms):
            self.work(self._announce(one_by_one))
        for bot in self.bots.values():
            self.work(bot.come())
        if self.world.weather.strangers:
            self.work(visit(self))
        if self.operators.wanted:
            self.work(self.operators.give_up())

    def work(self, doing: Any) -> None:
        """Do something beside everything else; the world waits for its end."""
        task = self.world.loop.create_task(doing)
        self._works[task] = None
        task.add_done_callback(self._worked)

    @property
    def working(self) -> int:
        """How much of it is not done yet."""
        return len(self._works)

    def _worked(self, task: "asyncio.Task[None]") -> None:
        del self._works[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.fell("a player", error)

    async def _announce(self, tournaments: Iterable[str]) -> None:
        for tournament in tournaments:
            create = CreateTournament(tournament=tournament, terms=self.terms[tournament])
            await self.tell("director", tournament, create, OPERATOR)

    async def tell(
        self,
        service: str,
        stream: str,
        command: Any,
        by: Actor,
        command_id: str | None = None,
    ) -> Answer:
        """Ask until somebody decides, through one gateway or the next, each time the same."""
        command_id = command_id or self.command_id()
        while True:
            asking = (await self.world.gateways.of(by.id)).asking
            try:
                answer = await asking.ask(service, stream, command, by=by, command_id=command_id)
            except GatewayLost:
                continue
            if not is_unavailable(answer):
                return answer

    def see(self, stream: str, events: Iterable[Any]) -> None:
        """Learn what a commit says of entries, hands and deals."""
        self.deals.see(stream, events)
        for event in events:
            kind = type(event)
            if kind in ENTRY:
                self.bots[event.player].entries[stream] = ENTRY[kind]
            elif kind in ENTRIES:
                for player in event.players:
                    self.bots[player].entries[stream] = ENTRIES[kind]
            elif kind is TournamentStarted:
                self.started.add(stream)
                if not self.terms[stream].late_levels:
                    self.closed.add(stream)
            elif kind in CLOSE_ENTRIES:
                self.closed.add(stream)
            elif kind is HandScheduled:
                self.rosters[stream] = event.roster

    def act(self, stream: str, events: Iterable[Any]) -> None:
        """Do what a commit asks players to do: give seeds, and whoever's turn it is, play."""
        for event in events:
            if type(event) is SeedsInvited:
                for dealt in self.rosters[stream]:
                    self.work(give_seed(self.bots[dealt.player], stream, event.hand))
        buy(self, stream, events)
        qualify(self, stream, events)
        self.deals.act(stream, events)
        opened = self.world.turns.open.get(stream)
        if opened is not None:
            self.bots[opened.player].notice(stream, opened)

    def broken(self, law: str, detail: str) -> None:
        """Services owe players this much, unless one of them contradicts the others."""
        if self.world.backups.restored is None:
            self.world.loop.broken(law, detail)

    def go(self) -> None:
        """Leave it all; what was under way is answered to nobody any more."""
        for task in self._works:
            task.cancel()
        self.started.clear()
        self.closed.clear()
        self.rosters.clear()
        self.deals.forget()
        for bot in self.bots.values():
            bot.forget()

    def come_again(self) -> None:
        """Come back to what is there: sign up anew where that was undone, play where one sits."""
        self.begin()
        self.deals.answer_again()
        for table, opened in self.world.turns.open.items():
            self.bots[opened.player].notice(table, opened)


def pushed(call_chips: int, _min_raise_to: int, max_raise_to: int) -> Move:
    """Stake everything."""
    if max_raise_to:
        return Move("raise", max_raise_to)
    return Move("call" if call_chips else "check")


class Bot:
    """One player."""

    def __init__(self, crowd: Crowd, name: str) -> None:
        self.crowd = crowd
        self.name = name
        self.entries: dict[str, str] = {}
        self.me = Actor("player", name)
        self.chance = Random(f"{crowd.world.seed}/{name}")
        self.sent: list[tuple[str, Any, str]] = []
        self._seen: set[tuple[str, int]] = set()

    async def come(self) -> None:
        """Ask for every entry that is sold; strangers sign up before."""
        if self.crowd.world.weather.strangers:
            await self.sign_up()
        for tournament, terms in self.crowd.terms.items():
            if is_sold(terms):
                self.crowd.work(self.enter(tournament))

    async def sign_up(self) -> None:
        """Open an account, and pay in; some ask for an entry too early."""
        opening, filing, identifying = signing_up(self.name)
        await self.must("wallet", JOURNAL, opening, self.me)
        await self.must("wallet", JOURNAL, filing, self.me)
        await self.must("wallet", JOURNAL, identifying, OPERATOR)
        if self.chance.random() < 0.1:
            await self.register(self.chance.choice(list(self.crowd.terms)))
        await self.must("wallet", JOURNAL, self.deposit(), OPERATOR)

    async def enter(self, tournament: str) -> None:
        """Look as long as an entry can be had; where one can be had late, some come late."""
        crowd = self.crowd
        late = crowd.terms[tournament].late_levels > 0 and self.chance.random() < LATE
        while tournament not in crowd.closed:
            if tournament in crowd.started or not late:
                await self.ask_or_leave(tournament)
            await asyncio.sleep(LOOK_SECONDS)

    async def ask_or_leave(self, tournament: str) -> None:
        """Ask for an entry, most of those who are out as well; some leave, and come again."""
        entry = self.entries.get(tournament, "")
        if is_kept_from(self, tournament):
            return
        if not entry or (entry == "out" and self.chance.random() < AGAIN):
            await self.register(tournament)
        elif entry == "registered" and self.chance.random() < 0.1:
            leave = Unregister(player=self.name)
            await self.crowd.tell("director", tournament, leave, self.me)

    async def register(self, tournament: str) -> None:
        await self.crowd.tell("director", tournament, Register(player=self.name), self.me)

    async def must(self, service: str, stream: str, command: Any, by: Actor) -> None:
        """Tell what nothing speaks against."""
        answer = await self.crowd.tell(service, stream, command, by)
        if not isinstance(answer, Accepted):
            self.crowd.broken("what is allowed is accepted", f"{command}: {answer}")

    def deposit(self) -> Deposit:
        return Deposit(player=self.name, amount_cents=DEPOSIT_CENTS, reference=self.name)

    def notice(self, table: str, opened: OpenTurn) -> None:
        """Act on each turn once, however often the table says whose it is."""
        turn = (opened.hand, opened.turn.decision)
        if turn not in self._seen:
            self._seen.add(turn)
            self.crowd.work(self.act(table, opened))

    async def act(self, table: str, opened: OpenTurn) -> None:
        """Think, sometimes too long, and answer the turn; some do worse before or after."""
        await asyncio.sleep(self.thinks_s())
        if self.chance.random() < 0.15:
            await mischief(self, table, opened)
        command = self.move(opened)
        command_id = self.crowd.command_id()
        self.sent.append((table, command, command_id))
        copies = 2 if self.chance.random() < 0.1 else 1
        await asyncio.gather(*[self.send(table, command, command_id) for _ in range(copies)])

    def forget(self) -> None:
        """What this player knows of entries and turns may be undone."""
        self.entries.clear()
        self._seen.clear()

    def thinks_s(self) -> float:
        """Return for how long; nobody takes much time once the weather has cleared."""
        clock_s = max(term.action_ms for term in self.crowd.terms.values()) / 1000
        if self.chance.random() < 0.04:
            return clock_s * 1.2
        weather = self.crowd.world.weather
        if not self.crowd.world.healed:
            if weather.gateways > 1 and self.chance.random() < 0.25:
                return self.chance.uniform(0.6, 1.3) * clock_s
            if weather.thoughtful:
                return self.chance.uniform(0.3, 1.05) * clock_s
        return self.chance.expovariate(40)

    async def send(self, table: str, command: Any, command_id: str | None = None) -> Answer:
        return await self.crowd.tell("table", table, command, self.me, command_id)

    def move(self, opened: OpenTurn) -> Fold | Check | Call | RaiseTo:
        """Play blind: the bots have not asked for their cards."""
        turn = opened.turn
        options = (turn.call_chips, turn.min_raise_to, turn.max_raise_to)
        if self.crowd.hasty and self.chance.random() < PUSHES:
            move = pushed(*options)
        else:
            move = choose(Turn(opened.hand, turn.decision, *options), (), self.chance)
        base = {"hand": opened.hand, "player": self.name, "decision": turn.decision}
        match move.do:
            case "fold":
                return Fold(**base)
            case "check":
                return Check(**base)
            case "call":
                return Call(**base)
            case _:
                return RaiseTo(to_chips=move.to_chips or 0, **base)

    async def go_out_for_a_while(self, table: str) -> None:
        await self.send(table, GoOut(player=self.name))
        await asyncio.sleep(self.chance.uniform(0, 1))
        await self.send(table, ComeBack(player=self.name))
