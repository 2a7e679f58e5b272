"""What a service hands to the runtime: its decider, and what the shell must know beside it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from shared.contracts.message import Reply, tag_of
from shared.kernel.decider import Decider
from shared.runtime.projection import Read, RowsOf

Timers = tuple[tuple[str, int], ...]
Explanations = tuple[tuple[str, str], ...]


class Origin(msgspec.Struct, frozen=True):
    """Where an upstream fact stands: its line, its number there, its stream and moment."""

    line: str
    number: int
    stream: str
    at_ms: int


class Reaction(msgspec.Struct, frozen=True):
    """How one type of upstream fact reaches one of our streams, as which command."""

    stream: Callable[[Any], str]
    command: Callable[[Any, Origin], Any] = lambda fact, _: fact


class Asked(msgspec.Struct, frozen=True):
    """A question that a stream has recorded, with the commit that recorded it."""

    stream: str
    n: int
    question: Any


def nothing_awaited(_: Any) -> None:
    """Most aggregates ask nobody."""


def no_timers(_: Any) -> Timers:
    """Most aggregates wait for no moment."""
    return ()


def no_clock(_: Any) -> bool:
    """In most aggregates nothing is timed that a player, a level or a break lives by."""
    return False


def no_reply(_state: Any, _command: Any) -> None:
    """Most commands are answered by their events."""


def nothing_explained(_: Any) -> Explanations:
    """In most aggregates nothing waits without a timer or a question."""
    return ()


async def nothing_to_open() -> None:
    """Most aggregates need nothing before their lines are taken."""


async def nothing_to_prepare(_group: Sequence[tuple[Any, Any]]) -> None:
    """Most decisions need nothing but the state and the command."""


async def ask_nobody(asked: Asked) -> Any:
    """The answer of an aggregate that asks nobody is a fault in its composition."""
    raise TypeError(f"{asked.stream} asks {asked.question!r}, and nobody answers")


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of stream: what decides, what is stored, what it waits for.

    `owns` says whether a text is the id of such a stream.
    `respond` is given the state after the decision and may add to the answer what no event may
    say; where it raises, the command is refused and nothing is recorded. No two questions that a
    stream asks one after the other are equal: the first commit that asks one is its key.
    `ask` gets a question answered and returns the command to feed in.
    `clocks` says whether a clock of a player, a level or a break runs in this state: such a
    stream is told of every outage, as an `OutageOver`, which is never refused.
    `explain` tells operators what in a live stream waits, and what for.
    `open` is awaited before the first line is taken: it raises StoreUnavailable to be tried again,
    StartRefused to end the process. `prepare` is awaited before a group is decided, with every
    state and command of it, and gets ready what a decision may not wait for; it may be asked twice.
    `rows_of` says what the line's read model gets from a commit (see `read_models.py`), and `reads`
    are requests that are answered from there: they are never decided, and in no commit.
    `state` is the type of the decider's states; with it, streams get snapshots, one about every
    `snapshot_every` commits. `state_version` is raised when `evolve` comes to mean something else.
    """

    owns: Callable[[str], bool]
    decider: Decider[Any, Any, Any]
    events: tuple[type[Any], ...]
    requests: tuple[type[Any], ...]
    reactions: Mapping[type[Any], Reaction] = {}
    awaiting: Callable[[Any], Any] = nothing_awaited
    timers: Callable[[Any], Timers] = no_timers
    clocks: Callable[[Any], bool] = no_clock
    respond: Callable[[Any, Any], Reply | None] = no_reply
    ask: Callable[[Asked], Awaitable[Any]] = ask_nobody
    explain: Callable[[Any], Explanations] = nothing_explained
    open: Callable[[], Awaitable[None]] = nothing_to_open
    prepare: Callable[[Sequence[tuple[Any, Any]]], Awaitable[None]] = nothing_to_prepare
    rows_of: RowsOf | None = None
    reads: Mapping[type[Any], Read] = {}
    state: Any = None
    state_version: int = 1
    snapshot_every: int = 1_000

    def verbs(self) -> dict[str, type[Any]]:
        """Return the requests by verb: the middle of the tag, such as `raise-to`."""
        asked = (*self.requests, *self.reads)
        return {tag_of(request).split(".")[1]: request for request in asked}
