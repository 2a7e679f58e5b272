"""The ports of the runtime: what a shard needs from the world, and nothing of how.

Adapters implement them with PostgreSQL, NATS and the operating system; a simulation implements
them in memory. `shared.runtime` uses nothing else that can fail, wait or be random.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol

import msgspec

from shared.contracts.edge import LogRow

CLOCK_OFF_MS = 1_000  # A process whose clock differs more from the store's must not tell time.


class Line(NamedTuple):
    """One shard of one service: the unit of ownership, order, storage and scale."""

    service: str
    shard: int

    def __str__(self) -> str:
        return f"{self.service}-{self.shard}"

    @property
    def stream(self) -> str:
        """The JetStream stream that delivers this line."""
        return f"EVT-{self.service}-{self.shard}"

    @property
    def subjects(self) -> str:
        """All subjects of that stream."""
        return f"evt.{self.service}.{self.shard}.>"

    def subject(self, klass: str, stream: str) -> str:
        """The subject of one commit."""
        return f"evt.{self.service}.{self.shard}.{klass}.{stream}"

    def request(self, verb: str) -> str:
        """The subject on which this line's owner answers a verb."""
        return f"req.{self.service}.{self.shard}.{verb}"


class Conflict(Exception):
    """Somebody else wrote first, or an earlier try of our own did commit: forget and reload."""


class StoreUnavailable(Exception):
    """The store cannot be reached; whether the last write was committed is unknown."""


class BrokerUnavailable(Exception):
    """The broker cannot be reached, or did not answer in time."""


class NoResponders(BrokerUnavailable):
    """Nobody owns the subject of a request right now."""


class NoStream(BrokerUnavailable):
    """The line has no JetStream stream yet, or not any more: its relay will make it."""


class StartRefused(Exception):
    """The surroundings contradict what is stored: nothing starts; one line for the operator."""


class LeaseTaken(Exception):
    """Another process works on this line; the message is its name."""


class NewCommit(NamedTuple):
    """A commit to store; its number is given by the log."""

    stream: str
    n: int
    klass: str
    data: bytes


class Position(NamedTuple):
    """How far an upstream line has been read, with the hash of the commit there."""

    reached: int
    last_hash: bytes


class Advance(NamedTuple):
    """One upstream read further: refused unless it still stands at `expected`."""

    upstream: str
    expected: int
    reached: int
    last_hash: bytes


class Liveness(NamedTuple):
    """Whether a stream has timers or a question for its owner to work on."""

    stream: str
    live: bool


class Parked(NamedTuple):
    """An upstream fact that waits: it could not be taken in, or is behind one that could not.

    `stream` is its stream in the upstream line; facts of one such stream keep their order.
    """

    upstream: str
    number: int
    stream: str
    reason: str
    at: str
    data: bytes


class Alive(NamedTuple):
    """When somebody could last work on a line, 0 if never; and what the store's clock says."""

    at_ms: int
    store_ms: int


class Store(Protocol):
    """The commit log of one line, with its read positions, parked facts and live streams."""

    async def append(
        self,
        commits: Sequence[NewCommit],
        advances: Sequence[Advance] = (),
        liveness: Sequence[Liveness] = (),
        parked: Sequence[Parked] = (),
        unparked: Sequence[Parked] = (),
    ) -> int:
        """Write all in one transaction; return the log's last number.

        Facts no longer parked go before others come. Raise Conflict when a stream already has
        such a commit, a position has moved, or a fact is, or is not, parked already.
        """
        ...

    async def read_stream(
        self, stream: str, after: int = 0, upto: int | None = None
    ) -> list[LogRow]:
        """Return a stream's commits with n > after, up to one or to the end, in order."""
        ...

    async def read_streams(self, streams: Sequence[str]) -> dict[str, list[LogRow]]:
        """Return all commits of some short streams, each in order; none of one that is new."""
        ...

    async def read_log(self, after: int, limit: int, klass: str = "") -> list[LogRow]:
        """Return commits with number > after, in order, of one class or of all."""
        ...

    async def last_number(self) -> int:
        """Return the number of the newest commit, 0 when there is none."""
        ...

    async def last_m(self, upto: int) -> int:
        """Return the number of the newest commit of class `m` at or before a number, else 0."""
        ...

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        """Return the newest n of each stream that exists."""
        ...

    async def position(self, upstream: str) -> Position:
        """Return how far this upstream has been read; the first call makes it 0."""
        ...

    async def parked(self, upstream: str, after: int, limit: int) -> list[Parked]:
        """Return the parked facts of an upstream with number > after, in order."""
        ...

    async def parked_streams(self) -> dict[str, dict[str, int]]:
        """Return how many facts are parked, by upstream and by their stream there."""
        ...

    async def live_streams(self) -> list[str]:
        """Return the streams that a new owner must take up."""
        ...

    async def beat(self, at_ms: int, since_ms: int) -> Alive:
        """Write that the line was worked on at a moment; return what stood before.

        Nothing is written unless it was so at `since_ms` or later, nor over a later moment, nor
        one more than CLOCK_OFF_MS ahead of the store's clock. At 0 it is a mere look.
        """
        ...

    async def first_missing(self) -> int | None:
        """Return a number that is missing among the newest of the log, if any is."""
        ...

    async def keep_snapshot(self, stream: str, n: int, first: int, parts: Sequence[bytes]) -> None:
        """Put parts of a snapshot beside the log, in a transaction of their own.

        Part 0 is the label: it comes last and alone, and the stream's other snapshots go with it.
        """
        ...

    async def snapshot_label(self, stream: str) -> bytes | None:
        """Return the label of a stream's newest snapshot."""
        ...

    async def snapshot_parts(self, stream: str, n: int, after: int, limit: int) -> list[bytes]:
        """Return parts of a snapshot, in order."""
        ...


class Tail(NamedTuple):
    """The end of a JetStream stream; `data` is None when the last message itself is gone."""

    sequence: int
    data: bytes | None


class Outgoing(NamedTuple):
    """One commit on its way to the stream."""

    subject: str
    data: bytes
    prev_m: int


class Delivery(NamedTuple):
    """One commit that came from the stream."""

    number: int
    prev_m: int
    data: bytes


class StreamMoved(Exception):
    """The stream does not end where the publisher thought: look again."""


Handler = Callable[[bytes], Awaitable[bytes]]


class Requests(Protocol):
    """Requests between services."""

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        """Ask and wait; raise NoResponders or BrokerUnavailable."""
        ...


class Broker(Requests, Protocol):
    """Delivery of commits, and requests between services."""

    async def tail(self, line: Line) -> Tail:
        """Return the end of the line's stream, making the stream when it is missing."""
        ...

    async def publish(self, line: Line, messages: Sequence[Outgoing], last: int) -> int:
        """Append all or nothing after sequence `last`; raise StreamMoved if that is not the end."""
        ...

    def deliveries(
        self, line: Line, klass: str, after: int
    ) -> AbstractAsyncContextManager[AsyncIterator[list[Delivery]]]:
        """Open an ordered consumer; an empty list says that nothing came for a while.

        Raise NoStream when there is nothing to read from yet.
        The iteration ends when the consumer lost its place and has to be opened again.
        """
        ...


class Clock(Protocol):
    """Time as the runtime sees it."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970 UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


Entropy = Callable[[int], bytes]
"""The operating system's generator: so many random bytes."""


class Deployment(msgspec.Struct, frozen=True):
    """Which platform this is, and into how many shards each of its services is divided for good."""

    id: str
    shards: dict[str, int]


class Registry(Protocol):
    """Who of one service is there, and who works on which line; what nobody renews vanishes.

    Every call raises BrokerUnavailable when the registry cannot be reached.
    """

    @property
    def me(self) -> str:
        """The name of this process: the same after its restart, and nobody else's."""
        ...

    async def open(self, deployment: Deployment) -> None:
        """Make the registry when it is missing; raise StartRefused when it is not ours."""
        ...

    async def announce(self) -> None:
        """Say that we are there; raise StartRefused when a younger process bears our name."""
        ...

    async def members(self) -> tuple[str, ...]:
        """Return the names of all that are there."""
        ...

    async def hold(self, line: Line, revision: int) -> int:
        """Take a free lease (revision 0) or renew ours; raise LeaseTaken when another has it.

        What a dead process of our own name left behind counts as free.
        """
        ...

    async def release(self, line: Line, revision: int) -> None:
        """Give a lease back, unless it is another's by now."""
        ...

    async def leave(self) -> None:
        """Say that we are gone."""
        ...

    async def changed(self, seconds: float) -> None:
        """Wait until somebody has come, gone or given back, or for a while."""
        ...


class Attends(NamedTuple):
    """A player has sessions with one life of a gateway, since when, or has none any more."""

    life: str
    player: str
    here: bool
    since_ms: int = 0


class Attendance(Protocol):
    """Who has sessions with which gateway, known to all gateways; it outlives a gateway's life.

    Every call raises BrokerUnavailable when it cannot be reached.
    """

    async def note(self, attends: Attends) -> None:
        """Write that a player is here, or not any more."""
        ...

    def noted(self) -> AbstractAsyncContextManager[AsyncIterator[list[Attends]]]:
        """Read: the first group is all that stands, further ones are what changes.

        The iteration ends when the place was lost and it has to be opened again.
        """
        ...

    async def beat(self) -> None:
        """Let owners of lines, and other gateways, hear that players are served here."""
        ...

    async def listen(self, heard: Callable[[str], None]) -> None:
        """Be called with the life of a gateway at each of its beats."""
        ...

    async def lasts(self, at_ms: int) -> None:
        """Write down that this life lasts."""
        ...

    async def lasted_until(self, life: str) -> int | None:
        """Return when a life was last known to last; None when that is long ago."""
        ...
