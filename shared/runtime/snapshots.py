"""Snapshots: a stream's state put away beside its log, so that a start need not fold it all.

A snapshot is a cache and never more: whatever is wrong with it, the log alone is folded, and the
answer is the same. It counts only for the build that made it, since another build may fold the
same events to another state: the first owner of a new release folds everything once.

A state is written in parts of a few milliseconds each, on the loop: states are values and msgspec
holds the interpreter's lock, so a thread would gain nothing. The label comes last and seals them:
without it there is no snapshot. The next one is due once the log has grown by about as many
bytes as this one had, so snapshots never cost more than the log itself.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import islice
from types import GenericAlias
from typing import Any, NamedTuple, Protocol, get_args, get_origin, get_type_hints

import msgspec
import structlog

from shared.contracts.commit import decode as decode_commit, hash_of, moment_ms
from shared.kernel.pmap import PMap, dec_hook, enc_hook
from shared.runtime.aggregate import Aggregate
from shared.runtime.metrics import SNAPSHOTS_KEPT, SNAPSHOTS_REFUSED, SNAPSHOTS_USED
from shared.runtime.ports import Line, Store, StoreUnavailable
from shared.runtime.shapes import shape_of

PART_ENTRIES = 1_000
PARTS_AT_ONCE = 16
BYTES_A_COMMIT = 512
STREAMS_MAX = 20_000
SEAL_BYTES = 32
EMPTY: PMap[Any, Any] = PMap()

Decode = Callable[[Any], Any]

log = structlog.get_logger()


class Kept(Protocol):
    """What of a stream's head is put away; everything else follows from the state."""

    @property
    def n(self) -> int: ...
    @property
    def prev(self) -> str: ...
    @property
    def asked_n(self) -> int: ...
    @property
    def state(self) -> Any: ...


class Snapshot(NamedTuple):
    """What was put away, proven to belong to this log; `prev` is the hash of commit `n`."""

    state: Any
    n: int
    at_ms: int
    prev: str
    asked_n: int


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a snapshot is of, by whom, and the hash of each of its parts."""

    stream: str
    n: int
    prev: str
    asked_n: int
    build: str
    shape: str
    parts: tuple[bytes, ...]


class MapPart(msgspec.Struct, frozen=True, array_like=True):
    """Some entries of one of the state's maps."""

    field: str
    entries: msgspec.Raw


class Unusable(Exception):
    """A snapshot that must not be believed; the message is the reason, in one word."""


encode = msgspec.msgpack.Encoder(enc_hook=enc_hook).encode
decode_label = msgspec.msgpack.Decoder(Label).decode
decode_map_part = msgspec.msgpack.Decoder(MapPart).decode


class Form:
    """How states of one type are cut into parts, and put together again."""

    def __init__(self, state: Any) -> None:
        self._decode: Decode = msgspec.msgpack.Decoder(state, dec_hook=dec_hook).decode
        self._maps: dict[str, Decode] = {
            name: msgspec.msgpack.Decoder(as_dict(hint), dec_hook=dec_hook).decode
            for name, hint in hints_of(state).items()
            if get_origin(hint) is PMap
        }

    def parts(self, state: Any) -> Iterator[bytes]:
        """Cut a state: all but its maps at once, then their entries, some at a time."""
        maps = {name: getattr(state, name) for name in self._maps}
        yield encode(
            msgspec.structs.replace(state, **dict.fromkeys(maps, EMPTY)) if maps else state
        )
        for name, whole in maps.items():
            for entries in whole.pieces(PART_ENTRIES):
                yield encode((name, entries))

    def building(self) -> "Building":
        """Begin to put a state together."""
        return Building(self._decode, self._maps)


form_of = cache(Form)
"""One for all lines of a process."""


class Building:
    """A state on its way from parts: the first has all but its maps, the others fill these."""

    def __init__(self, decode: Decode, maps: Mapping[str, Decode]) -> None:
        self._decode = decode
        self._decode_map = maps
        self._state: Any = None
        self._maps: dict[str, PMap[Any, Any]] = {}
        self._begun = False

    def add(self, part: bytes) -> None:
        """Take the next part in."""
        if not self._begun:
            self._state, self._begun = self._decode(part), True
            return
        read = decode_map_part(part)
        entries = self._decode_map[read.field](read.entries)
        self._maps[read.field] = self._maps.get(read.field, EMPTY).update(entries)

    def whole(self) -> Any:
        """Return the state, once all parts are there."""
        return msgspec.structs.replace(self._state, **self._maps) if self._maps else self._state


class Snapshots:
    """The snapshots of one line: read when a long stream is loaded, written as streams grow."""

    def __init__(self, line: Line, store: Store, aggregate: Aggregate, build: str) -> None:
        self.every = aggregate.snapshot_every if aggregate.state is not None else 0
        self._line = str(line)
        self._store = store
        self._build = build
        self._form = form_of(aggregate.state)
        self._shape = shape_of(aggregate)
        self._due: OrderedDict[str, int] = OrderedDict()
        self._wanted: dict[str, Kept] = {}
        self._wake = asyncio.Event()

    async def find(self, stream: str) -> Snapshot | None:
        """Return what was put away of this stream, unless anything about it is wrong."""
        label = await self._store.snapshot_label(stream)
        if label is None:
            return None
        try:
            found = await self._opened(stream, label)
        except Unusable as unusable:
            SNAPSHOTS_REFUSED.labels(self._line, str(unusable)).inc()
            log.warning("snapshot_refused", stream=stream, reason=str(unusable))
            return None
        SNAPSHOTS_USED.labels(self._line).inc()
        return found

    async def _opened(self, stream: str, data: bytes) -> Snapshot:
        """Believe nothing that is not proven; what is cheap to prove comes first."""
        label = self._label(stream, data)
        rows = await self._store.read_stream(stream, label.n - 1, label.n)
        if not rows:
            raise Unusable("beyond_the_end")
        if not self.fits(label.prev, rows[0].data):
            raise Unusable("another_log")
        state = await self._state(label)
        at_ms = moment_ms(decode_commit(rows[0].data).at)
        return Snapshot(state, label.n, at_ms, label.prev, label.asked_n)

    @staticmethod
    def fits(prev: str, commit: bytes) -> bool:
        """Say whether what has this hash was taken of this commit, and so of all before it."""
        return hash_of(commit).hex() == prev

    def _label(self, stream: str, data: bytes) -> Label:
        seal, data = data[:SEAL_BYTES], data[SEAL_BYTES:]
        if not is_whole(data, seal):
            raise Unusable("broken_seal")
        try:
            label = decode_label(data)
        except msgspec.MsgspecError as error:
            raise Unusable("unreadable") from error
        if label.stream != stream:
            raise Unusable("another_stream")
        if not is_by_this_build(label, self._build):
            raise Unusable("another_build")
        if label.shape != self._shape:
            raise Unusable("another_shape")
        return label

    async def _state(self, label: Label) -> Any:
        """Read the parts; the loop is let go after each."""
        building = self._form.building()
        size = 0
        async for digest, data in self._parts(label):
            if not is_whole(data, digest):
                raise Unusable("broken_part")
            try:
                building.add(data)
            except (msgspec.MsgspecError, LookupError) as error:
                raise Unusable("unreadable") from error
            size += len(data)
            await asyncio.sleep(0)
        self._due_after(label.stream, label.n, size)
        return building.whole()

    async def _parts(self, label: Label) -> AsyncIterator[tuple[bytes, bytes]]:
        """Yield each part with the hash that it must have."""
        for after in range(0, len(label.parts), PARTS_AT_ONCE):
            hashes = label.parts[after : after + PARTS_AT_ONCE]
            read = await self._store.snapshot_parts(label.stream, label.n, after, len(hashes))
            if len(read) != len(hashes):
                raise Unusable("incomplete")
            for digest, data in zip(hashes, read, strict=True):
                yield digest, data

    def note(self, stream: str, head: Kept) -> None:
        """See a stream's newest head; now and then one is put away."""
        if self.every and head.n >= self._due.get(stream, self.every):
            self._wanted[stream] = head
            self._wake.set()

    async def run(self) -> None:
        """Write what is due, one stream after the other, for ever."""
        while True:
            await self._wake.wait()
            if not self._wanted:
                self._wake.clear()
                continue
            stream = next(iter(self._wanted))
            head = self._wanted.pop(stream)
            self._due_after(stream, head.n)
            try:
                await self.write(stream, head)
            except StoreUnavailable as error:
                log.info("snapshot_not_kept", stream=stream, n=head.n, why=repr(error))
            except Exception:
                log.exception("snapshot_failed", stream=stream, n=head.n)

    async def write(self, stream: str, head: Kept) -> None:
        """Put a stream away as of this head, some parts at a time."""
        hashes: list[bytes] = []
        size = 0
        parts = self._form.parts(head.state)
        while some := [part async for part in unhurried(parts, PARTS_AT_ONCE)]:
            await self._store.keep_snapshot(stream, head.n, len(hashes) + 1, some)
            hashes += [sha256(part).digest() for part in some]
            size += sum(map(len, some))
        label = Label(
            stream, head.n, head.prev, head.asked_n, self._build, self._shape, tuple(hashes)
        )
        await self._store.keep_snapshot(stream, head.n, 0, [sealed(label)])
        self._due_after(stream, head.n, size)
        SNAPSHOTS_KEPT.labels(self._line).inc()

    def _due_after(self, stream: str, n: int, size: int = 0) -> None:
        """Note when the snapshot after this one is due; what was noted longest ago is forgotten."""
        self._due[stream] = n + max(self.every, size // BYTES_A_COMMIT)
        self._due.move_to_end(stream)
        while len(self._due) > STREAMS_MAX:
            self._due.popitem(last=False)


async def unhurried(parts: Iterator[bytes], count: int) -> AsyncIterator[bytes]:
    """Make so many parts, and let go of the loop after each."""
    for part in islice(parts, count):
        yield part
        await asyncio.sleep(0)


def is_whole(data: bytes, digest: bytes) -> bool:
    """Say whether these are the bytes that were put away."""
    return sha256(data).digest() == digest


def is_by_this_build(label: Label, build: str) -> bool:
    """Say whether we would fold the same events to the same state."""
    return label.build == build


def sealed(label: Label) -> bytes:
    """Write a label with its own hash before it."""
    data = encode(label)
    return sha256(data).digest() + data


def as_dict(pmap: Any) -> GenericAlias:
    """Return the plain type of a map."""
    return GenericAlias(dict, get_args(pmap))


def hints_of(state: Any) -> dict[str, Any]:
    """Return the types of a state's fields; a state that is no Struct has none."""
    return get_type_hints(state) if hasattr(state, "__struct_fields__") else {}
