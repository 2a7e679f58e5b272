"""What one owner knows of its line's inbox: what is parked, said in readiness, metric and log."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import structlog

from shared.runtime.health import Health
from shared.runtime.metrics import PARKED
from shared.runtime.parking import BEHIND
from shared.runtime.ports import Line, Parked, Store

NOTHING: Mapping[str, int] = {}

log = structlog.get_logger()


class Inbox:
    """The streams of which something is parked, by upstream, as last seen or written here.

    Whoever reads an upstream's position and only then this inbox misses nothing: facts are
    parked in the transaction that moves the position, which is compared and set.
    """

    def __init__(self, line: Line, store: Store, health: Health) -> None:
        self._line = line
        self._store = store
        self._health = health
        self._streams: dict[str, dict[str, int]] = {}

    @property
    def upstreams(self) -> tuple[str, ...]:
        """The upstreams of which something is parked."""
        return tuple(sorted(self._streams))

    async def look(self) -> None:
        """Read what is parked, whoever has parked it or taken it away."""
        before = self._streams
        self._streams = await self._store.parked_streams()
        self._say(before)

    async def blocked(self, upstream: str, streams: Iterable[str]) -> Collection[str]:
        """Return the streams of which something is parked, believed after another look only."""
        if not self._streams.get(upstream, NOTHING).keys().isdisjoint(streams):
            await self.look()
        return self._streams.get(upstream, NOTHING).keys()

    def add(self, rows: Sequence[Parked]) -> None:
        """Note what was parked just now."""
        for row in rows:
            counts = self._streams.setdefault(row.upstream, {})
            counts[row.stream] = counts.get(row.stream, 0) + 1
            what = {"line": str(self._line), "upstream": row.upstream, "number": row.number}
            if row.reason == BEHIND:
                log.warning("fact_waits_behind", **what, stream=row.stream)
            else:
                log.critical("fact_parked", **what, stream=row.stream, why=row.reason)
        if rows:
            self._say(())

    def leave(self) -> None:
        """Say nothing more of this line: it is not ours any longer."""
        before, self._streams = self._streams, {}
        self._say(before)

    def _say(self, before: Iterable[str]) -> None:
        """Report what is parked, and take back what was said of other upstreams before."""
        total = 0
        for upstream, counts in self._streams.items():
            total += sum(counts.values())
            self._health.wrong(
                f"inbox {upstream} for {self._line}",
                f"parked: {sum(counts.values())} facts of {upstream}",
            )
        for upstream in before:
            if upstream not in self._streams:
                self._health.right(f"inbox {upstream} for {self._line}")
        PARKED.labels(str(self._line)).set(total)
