"""A whole tournament in memory: the real cores, reactions and dealer, without store or broker.

`World` decides one command after the other and keeps every commit as its events. `copies_of`
makes logs and streams of them, so that a test can change an event and chain everything anew.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

from msgspec import structs

from services.cli.verdicts import LineCopy, Message
from services.dealer.shell.dealing import make_decider, make_respond
from services.dealer.shell.vault import vault_of
from services.director import core as director
from services.director.shell.drawing import asking_for_draws
from services.director.shell.reactions import REACTIONS as DIRECTOR_REACTIONS
from services.table import core as table
from services.table.shell.dealing import asking_the_dealer
from services.table.shell.reactions import REACTIONS as TABLE_REACTIONS
from services.wallet import core as wallet
from services.wallet.shell.errands import Errands
from services.wallet.shell.outside import Outside
from services.wallet.shell.persons import Persons
from services.wallet.shell.reactions import REACTIONS as WALLET_REACTIONS
from shared.contracts.commit import Actor, Cause, Commit, encode, hash_of, moment, raw
from shared.contracts.director import (
    CreateTournament,
    Level,
    PlacesTold,
    Register,
    StandardPrizes,
    Terms,
    TournamentFinished,
)
from shared.contracts.edge import Accepted, LogRow
from shared.contracts.message import TimerFired, tag_of
from shared.contracts.registry import REGISTRY, klass_of
from shared.contracts.table import Call, Check, Fold, RaiseTo
from shared.contracts.wallet import Deposit
from shared.kernel.decider import Refused
from shared.kernel.sharding import shard_of
from shared.runtime.aggregate import Asked, Origin
from shared.runtime.ports import Line
from tests.people import signing_up
from tests.person_keys import KeysInMemory
from tests.used_decks import finished, shuffles_of

SHARDS = {"table": 2, "director": 1, "dealer": 1, "wallet": 1}
LINES = tuple(Line(service, shard) for service, n in SHARDS.items() for shard in range(n))
TOURNAMENT = "trn_w"
TERMS = Terms(
    name="Small",
    rule_set="big_holdem",
    entries=6,
    seats=3,
    fee_cents=1_000,
    commission_cents=100,
    starting_chips=300,
    levels=(Level(5, 10), Level(10, 20, 2), Level(30, 60, 5), Level(100, 200, 10)),
    level_hands=4,
    prizes=StandardPrizes(),
)
VAULT_KEY = bytes(range(32))
VAULT = vault_of([VAULT_KEY])
REACTIONS = {"table": TABLE_REACTIONS, "director": DIRECTOR_REACTIONS, "wallet": WALLET_REACTIONS}
CORES = {"table": table, "director": director, "wallet": wallet}


class Recorded(NamedTuple):
    """One commit: where, when, and its events."""

    service: str
    stream: str
    at_ms: int
    events: tuple[Any, ...]


class World:
    """The platform's decisions in one thread; `commits` is all that ever happened."""

    def __init__(self, seed: int, terms: Terms = TERMS) -> None:
        self.chance = Random(seed)
        self.entropy = Random(seed + 1).randbytes
        self.at_ms = 1_800_000_000_000
        self.commits: list[Recorded] = []
        self.shuffles = shuffles_of(VAULT, self.entropy)
        self.person_keys = keys = KeysInMemory()
        self.persons = Persons(wallet.WalletRules(), keys, Random(seed + 2).randbytes, None)
        self.deciders = {
            "table": table.DECIDER,
            "director": director.DECIDER,
            "wallet": self.persons.decider,
            "dealer": make_decider(VAULT, self.entropy, self.shuffles),
        }
        self.prepares = {"dealer": self.shuffles.prepare, "wallet": self.persons.prepare}
        self.respond = make_respond(VAULT, self.entropy)
        self.asks = {
            "table": asking_the_dealer(self, self.entropy),
            "director": asking_for_draws(self),
            "wallet": Errands(Outside(keys), self.persons).ask,
        }
        self.states: dict[tuple[str, str], Any] = {}
        self.asked: dict[tuple[str, str], Asked | None] = {}
        self.n: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.lasts: defaultdict[Line, int] = defaultdict(int)
        self.news: deque[tuple[Any, Origin]] = deque()
        self.terms = terms
        self.people: list[str] = []

    # --- decisions ------------------------------------------------------------------------

    def tell(self, service: str, stream: str, command: Any) -> bool:
        """Decide one command and commit its events; say whether it was accepted."""
        key = service, stream
        decider = self.deciders[service]
        state = self.states.get(key, decider.initial)
        if service in self.prepares:
            finished(self.prepares[service]([(state, command)]))
        stepped = decider.step(state, command, self.at_ms)
        if isinstance(stepped, Refused):
            return False
        events, self.states[key] = stepped
        if events:
            self.commit(service, stream, events)
        return True

    def commit(self, service: str, stream: str, events: tuple[Any, ...]) -> None:
        self.commits.append(Recorded(service, stream, self.at_ms, events))
        line = Line(service, shard_of(stream, SHARDS[service]))
        self.n[service, stream] += 1
        self.lasts[line] += 1
        origin = Origin(str(line), self.lasts[line], stream, self.at_ms)
        self.news += [(event, origin) for event in events]
        if service in CORES:
            self.note_question(service, stream)

    def note_question(self, service: str, stream: str) -> None:
        """Keep which commit recorded the question that is open."""
        key = service, stream
        question, before = CORES[service].awaiting(self.states[key]), self.asked.get(key)
        if question is None:
            self.asked[key] = None
        elif before is None or before.question != question:
            self.asked[key] = Asked(stream, self.n[key], question)

    async def ask(self, service: str, stream: str, command: Any, **_: Any) -> Accepted:
        """Stand where `Asking` stands, with the dealer at hand."""
        assert self.tell(service, stream, command), command
        reply = self.respond(self.states[service, stream], command)
        return Accepted(stream=stream, n=self.n[service, stream], reply=raw(reply))

    # --- what follows ---------------------------------------------------------------------

    def settle(self) -> None:
        """React and ask until nothing is outstanding."""
        while self.news or any(self.asked.values()):
            while self.news:
                self.react(*self.news.popleft())
            for (service, stream), asked in list(self.asked.items()):
                if asked is not None:
                    command = asyncio.run(self.asks[service](asked))
                    assert self.tell(service, stream, command), command

    def react(self, event: Any, origin: Origin) -> None:
        for service in sorted(REGISTRY[tag_of(type(event))].routed_to & REACTIONS.keys()):
            reaction = REACTIONS[service][type(event)]
            assert self.tell(service, reaction.stream(event), reaction.command(event, origin))

    def fire_timers(self) -> bool:
        """Let every hand that is due begin; players here are never late."""
        due = [
            (service, stream, name, at_ms)
            for (service, stream), state in self.states.items()
            if service in CORES
            for name, at_ms in CORES[service].timers(state)
            if name != "turn"
        ]
        for service, stream, name, at_ms in due:
            self.at_ms = max(self.at_ms, at_ms)
            self.tell(service, stream, TimerFired(name=name))
        return bool(due)

    def act(self) -> bool:
        """Let the player to act at some table do something."""
        turns = [
            (stream, state, legal)
            for (service, stream), state in self.states.items()
            if service == "table" and (legal := table.legal_actions(state)) is not None
        ]
        if not turns:
            return False
        stream, state, legal = self.chance.choice(turns)
        self.at_ms += self.chance.randrange(3)
        base = {
            "hand": state.hand.started.hand,
            "player": legal.player,
            "decision": legal.decision,
        }
        assert self.tell("table", stream, self.move(legal, base))
        return True

    def move(self, legal: Any, base: dict[str, Any]) -> Any:
        """Mostly check and call, so that there are showdowns; sometimes all-in, so that it ends."""
        luck = self.chance.random()
        if luck < 0.2 and legal.max_raise_to:
            to = legal.max_raise_to if luck < 0.1 else legal.min_raise_to
            return RaiseTo(to_chips=to, **base)
        if legal.call_chips:
            return Fold(**base) if luck > 0.75 else Call(**base)
        return Check(**base)

    # --- from the first entry to the last prize -----------------------------------------------

    def announce(self, tournament: str, terms: Terms) -> None:
        assert self.tell(
            "director", tournament, CreateTournament(tournament=tournament, terms=terms)
        )

    def enter(self, tournament: str, player: str) -> None:
        """Let somebody enter, who is signed up and has money from the first time on."""
        if player not in self.people:
            self.people.append(player)
            for command in (
                *signing_up(player),
                Deposit(player=player, amount_cents=2_000, reference=player),
            ):
                assert self.tell("wallet", "journal", command)
        assert self.tell("director", tournament, Register(player=player))
        self.settle()

    def play(self) -> "World":
        """Sell the entries and play to the end."""
        self.announce(TOURNAMENT, self.terms)
        for number in range(1, self.terms.entries + 1):
            self.enter(TOURNAMENT, f"ply_{number}")
        self.play_on()
        assert isinstance(self.last_of("director"), TournamentFinished)
        return self

    def play_on(self) -> None:
        """Go on until nothing can happen any more."""
        while self.act() or self.fire_timers():
            self.settle()

    def last_of(self, service: str) -> Any:
        return [commit for commit in self.commits if commit.service == service][-1].events[-1]


# --- commits as logs and streams --------------------------------------------------------------


def copies_of(commits: Iterable[Recorded]) -> dict[Line, LineCopy]:
    """Number, chain and address these commits as owner and relay do."""
    logs: dict[Line, list[LogRow]] = {line: [] for line in LINES}
    ends: dict[tuple[str, str], tuple[int, str]] = {}
    for recorded in commits:
        line = Line(recorded.service, shard_of(recorded.stream, SHARDS[recorded.service]))
        n, prev = ends.get((recorded.service, recorded.stream), (0, ""))
        commit = Commit(
            stream=recorded.stream,
            n=n + 1,
            at=moment(recorded.at_ms),
            by=Actor("service", recorded.service),
            cause=Cause(timer="test"),
            saga=None,
            build="test",
            prev=prev,
            events=tuple(raw(event) for event in recorded.events),
        )
        data = encode(commit)
        klass = klass_of(type(event) for event in recorded.events)
        logs[line].append(LogRow(len(logs[line]) + 1, recorded.stream, n + 1, klass, data))
        ends[recorded.service, recorded.stream] = n + 1, hash_of(data).hex()
    return {line: LineCopy(rows, messages_of(line, rows)) for line, rows in logs.items()}


def messages_of(line: Line, rows: Iterable[LogRow]) -> list[Message]:
    """Deliver a log as its relay does."""
    messages, prev_m = [], 0
    for row in rows:
        subject = line.subject(row.klass, row.stream)
        messages.append(Message(row.number, subject, str(prev_m), row.data))
        if row.klass == "m":
            prev_m = row.number
    return messages


def told_in_parts(commits: Iterable[Recorded], best: int = 1) -> list[Recorded]:
    """Let only the best places stand in the last event, as for a field too large for one."""

    def parts(event: Any) -> tuple[Any, ...]:
        if not isinstance(event, TournamentFinished):
            return (event,)
        further = PlacesTold(tournament=event.tournament, places=event.places[best:])
        return further, structs.replace(event, places=event.places[:best])

    return [
        recorded._replace(events=tuple(part for event in recorded.events for part in parts(event)))
        for recorded in commits
    ]


def changed(
    commits: Iterable[Recorded], kind: type[Any], change: Callable[[Any], Any], which: int = 0
) -> list[Recorded]:
    """Change the `which`-th event of a type for which `change` has something else to say."""
    result, met = [], -1
    for recorded in commits:
        events = []
        for event in recorded.events:
            other = change(event) if isinstance(event, kind) else None
            if other is not None:
                met += 1
            events.append(other if other is not None and met == which else event)
        result.append(recorded._replace(events=tuple(e for e in events if e != ())))
    assert met >= which, f"no {kind.__name__} to change"
    return [recorded for recorded in result if recorded.events]
