"""Two small services that show every side of the runtime: `counter`, and `tally` behind it.

A counter adds and takes, writes long texts, asks an oracle, reminds itself, runs a clock that
outages are given back to, and breaks on request. A tally keeps the sum of what one counter did,
from the counter's facts alone.
"""

from typing import Any, final

import msgspec

from shared.contracts import registry
from shared.contracts.edge import Declined
from shared.contracts.message import Command, Event, OutageOver, Reply, TimerFired, tag_of
from shared.contracts.registry import Registered
from shared.kernel.decider import Decider, Refused
from shared.kernel.ids import is_derived_id
from shared.runtime import reacting
from shared.runtime.aggregate import Aggregate, Asked, Origin, Reaction
from shared.runtime.asking import is_unavailable, reply_of
from shared.runtime.ports import BrokerUnavailable
from shared.runtime.service import World
from shared.runtime.settings import RuntimeSettings, Shards
from tests.integration.runtime.counting_clock import (
    ClockExtended,
    ClockRanOut,
    ClockStarted,
    StartClock,
    clock_moved,
)

POISON = 666_666


class CountingSettings(RuntimeSettings, frozen=True, kw_only=True):
    """Shards of services that the platform does not know; a mended tally is a newer build.

    With `counter_clocks` players live by the counters' clocks, and nothing runs without a gateway.
    """

    counter_shards: Shards = 2
    tally_shards: Shards = 2
    tally_mended: bool = False
    counter_clocks: bool = False

    def shards(self) -> dict[str, int]:
        return {"counter": self.counter_shards, "tally": self.tally_shards, "oracle": 1}


@final
class Add(Command, frozen=True, tag="counter.add.v1"):
    amount: int


@final
class Take(Command, frozen=True, tag="counter.take.v1"):
    amount: int


@final
class WriteTexts(Command, frozen=True, tag="counter.write-texts.v1"):
    count: int
    characters: int


@final
class ReadTotal(Command, frozen=True, tag="counter.read-total.v1"):
    """Ask for the total."""


@final
class AskOracle(Command, frozen=True, tag="counter.ask-oracle.v1"):
    """Record a question."""


@final
class HearOracle(Command, frozen=True, tag="counter.hear-oracle.v1"):
    nth: int
    value: int


@final
class Remind(Command, frozen=True, tag="counter.remind.v1"):
    due_ms: int


@final
class Break(Command, frozen=True, tag="counter.break.v1"):
    where: str


@final
class Added(Event, frozen=True, tag="counter.added.v1"):
    amount: int
    total: int


@final
class Taken(Event, frozen=True, tag="counter.taken.v1"):
    amount: int
    total: int


@final
class TextWritten(Event, frozen=True, tag="counter.text-written.v1"):
    text: str


@final
class OracleAwaited(Event, frozen=True, tag="counter.oracle-awaited.v1"):
    nth: int


@final
class OracleHeard(Event, frozen=True, tag="counter.oracle-heard.v1"):
    nth: int
    value: int


@final
class ReminderSet(Event, frozen=True, tag="counter.reminder-set.v1"):
    due_ms: int


@final
class Reminded(Event, frozen=True, tag="counter.reminded.v1"):
    due_ms: int


@final
class Broken(Event, frozen=True, tag="counter.broken.v1"):
    where: str


class Total(Reply, frozen=True):
    total: int


@final
class Divine(Command, frozen=True, tag="oracle.divine.v1"):
    """The question as it travels: whose, and the commit that recorded it."""

    stream: str
    n: int


class Divined(Reply, frozen=True):
    value: int


class Counter(msgspec.Struct, frozen=True):
    total: int = 0
    texts: int = 0
    asked: int = 0
    awaiting: OracleAwaited | None = None
    heard: tuple[int, ...] = ()
    due_ms: int | None = None
    clock: ClockStarted | None = None
    credited_ms: int = 0


CounterEvent = (
    Added
    | Taken
    | TextWritten
    | OracleAwaited
    | OracleHeard
    | ReminderSet
    | Reminded
    | ClockStarted
    | ClockExtended
    | ClockRanOut
    | Broken
)


def decide_counter(counter: Counter, command: Any, at_ms: int) -> Any:
    match command:
        case Add() | Take():
            return move(counter, command)
        case AskOracle() | HearOracle():
            return question(counter, command)
        case WriteTexts(count=count, characters=characters):
            return tuple([TextWritten(text="x" * characters) for _ in range(count)])
        case Remind(due_ms=due_ms):
            return (ReminderSet(due_ms=due_ms),)
        case StartClock() | OutageOver() | TimerFired(name="clock"):
            return clock_moved(counter.clock, counter.credited_ms, command, at_ms)
        case TimerFired() if counter.due_ms is not None and at_ms >= counter.due_ms:
            return (Reminded(due_ms=counter.due_ms),)
        case Break(where="step"):
            raise ValueError("broken on request")
        case Break(where=where):
            return (Broken(where=where),)
    return ()


def move(counter: Counter, command: Add | Take) -> Any:
    match command:
        case Add(amount=amount) if amount > 0:
            return (Added(amount=amount, total=counter.total + amount),)
        case Take(amount=amount) if 0 < amount <= counter.total:
            return (Taken(amount=amount, total=counter.total - amount),)
    return Refused("amount_impossible", f"of {counter.total}")


def question(counter: Counter, command: AskOracle | HearOracle) -> Any:
    match command:
        case AskOracle() if counter.awaiting is None:
            return (OracleAwaited(nth=counter.asked + 1),)
        case HearOracle(nth=nth, value=value) if counter.awaiting == OracleAwaited(nth=nth):
            return (OracleHeard(nth=nth, value=value),)
    return Refused("not_now")


def evolve_counter(counter: Counter, event: Any) -> Counter:
    change: dict[str, Any] = {}
    match event:
        case Added(total=total) | Taken(total=total):
            change = {"total": total}
        case TextWritten():
            change = {"texts": counter.texts + 1}
        case OracleAwaited(nth=nth):
            change = {"asked": nth, "awaiting": event}
        case OracleHeard(value=value):
            change = {"awaiting": None, "heard": (*counter.heard, value)}
        case ReminderSet(due_ms=due_ms):
            change = {"due_ms": due_ms}
        case Reminded():
            change = {"due_ms": None}
        case ClockStarted():
            change = {"clock": event}
        case ClockExtended(to_ms=to_ms, due_ms=due_ms):
            assert counter.clock
            clock = msgspec.structs.replace(counter.clock, due_ms=due_ms)
            change = {"clock": clock, "credited_ms": to_ms}
        case ClockRanOut():
            change = {"clock": None}
    return msgspec.structs.replace(counter, **change)


def respond_counter(counter: Counter, command: Any) -> Total | None:
    if command == Break(where="respond"):
        raise ValueError("no answer on request")
    return Total(total=counter.total) if isinstance(command, ReadTotal) else None


def counter_timers(counter: Counter) -> tuple[tuple[str, int], ...]:
    reminder = () if counter.due_ms is None else (("remind", counter.due_ms),)
    return (*reminder, ("clock", counter.clock.due_ms)) if counter.clock else reminder


def compose_counter(settings: CountingSettings, world: World) -> Aggregate:
    async def ask(asked: Asked) -> HearOracle:
        question = Divine(stream=asked.stream, n=asked.n)
        answer = await world.asking.ask("oracle", asked.stream, question)
        if isinstance(answer, Declined):
            assert is_unavailable(answer), answer
            raise BrokerUnavailable(answer.detail)
        return HearOracle(nth=asked.question.nth, value=reply_of(answer, Divined).value)

    counter = counters(ask)
    return msgspec.structs.replace(counter, clocks=runs) if settings.counter_clocks else counter


def runs(counter: Counter) -> bool:
    return counter.clock is not None


def counters(ask: Any) -> Aggregate:
    return Aggregate(
        owns=lambda stream: is_derived_id(stream, "ctr"),
        decider=stepping(Counter(), decide_counter, evolve_counter),
        events=events_of(CounterEvent),
        requests=(Add, Take, WriteTexts, ReadTotal, AskOracle, Remind, StartClock, Break),
        awaiting=lambda counter: counter.awaiting,
        timers=counter_timers,
        respond=respond_counter,
        ask=ask,
    )


@final
class Count(Command, frozen=True, tag="tally.count.v1"):
    counter: str
    amount: int


@final
class ReadSum(Command, frozen=True, tag="tally.read-sum.v1"):
    """Ask for the sum."""


@final
class Counted(Event, frozen=True, tag="tally.counted.v1"):
    counter: str
    amount: int
    sum: int


def decide_tally(total: int, command: Any, at_ms: int) -> Any:
    match command:
        case Count(amount=amount) if abs(amount) == POISON:
            return Refused("poisoned")
    return decide_mended_tally(total, command, at_ms)


def decide_mended_tally(total: int, command: Any, _at_ms: int) -> Any:
    match command:
        case Count(counter=counter, amount=amount):
            return (Counted(counter=counter, amount=amount, sum=total + amount),)
    return ()


def counting(sign: int) -> Reaction:
    """A fact does not name its counter, the commit does; so one tally serves each line."""

    def command(fact: Added | Taken, origin: Origin) -> Count:
        return Count(counter=origin.stream, amount=sign * fact.amount)

    return Reaction(stream=lambda fact: f"tly_{fact.amount % 8}", command=command)


def compose_tally(settings: CountingSettings, _world: World) -> Aggregate:
    if not settings.tally_mended:
        return tallies(decide_tally)
    reacting.DECODERS[tag_of(Added)] = msgspec.json.Decoder(Added, strict=False).decode
    return tallies(decide_mended_tally)


def tallies(decide: Any) -> Aggregate:
    return Aggregate(
        owns=lambda stream: is_derived_id(stream, "tly"),
        decider=stepping(0, decide, lambda _, event: event.sum),
        events=(Counted,),
        requests=(ReadSum,),
        reactions={Added: counting(1), Taken: counting(-1)},
        respond=lambda total, _: Total(total=total),
    )


def stepping(initial: Any, decide: Any, evolve: Any) -> Decider[Any, Any, Any]:
    def step(state: Any, command: Any, at_ms: int) -> Any:
        decision = decide(state, command, at_ms)
        if isinstance(decision, Refused):
            return decision
        for event in decision:
            state = evolve(state, event)
        return decision, state

    return Decider(initial=initial, step=step, evolve=evolve)


def events_of(union: Any) -> tuple[type[Any], ...]:
    return tuple(union.__args__)


COMPOSE = {"counter": compose_counter, "tally": compose_tally}
ROUTES = {event: frozenset({"tally"}) for event in (Added, Taken)}
REGISTERED = {
    tag_of(event): Registered(event, owner, ROUTES.get(event, frozenset()))
    for owner, events in (("counter", events_of(CounterEvent)), ("tally", (Counted,)))
    for event in events
}
DECODERS = {tag: msgspec.json.Decoder(one.type).decode for tag, one in REGISTERED.items()}
EXTENDED: tuple[tuple[Any, Any], ...] = (
    (registry.REGISTRY, REGISTERED),
    (registry.ROUTES, ROUTES),
    (reacting.DECODERS, DECODERS),
)


def register() -> None:
    """Make the two services part of the platform, for this process."""
    for known, more in EXTENDED:
        known.update(more)


def unregister() -> None:
    for known, more in EXTENDED:
        for key in more:
            known.pop(key, None)
