"""Two runs beside each other: the same facts, and the same state in the end, for every stream.

Left out, because no two runs agree on it:

- `at`, `prev`, `build`, and a command's id, which carries its time;
- moments: fields in `…_ms` that hold milliseconds since 1970 (`act_by_ms`, `not_before_ms`,
  `deadline_ms`, `ends_at_ms`, `ended_at_ms`, `level_ends_ms`); durations are compared;
- `ClockExtended` of tables and director, and what states remember of it (`credited`,
  `player_credit_ms`, `level_credited`): a kill is an outage, and players get it back.

Because such a credit is a commit of its own, numbers of commits may shift. Where a fact names a
commit (`stated`, `upstream_number`, a cause, the draw's id), what stands there is compared
instead of its number; that numbers have no gaps and hashes form a chain is a verdict of its own.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import msgspec

from services.cli.verdicts.history import history_of
from services.dealer.core import DECIDER as DEALER
from services.director.core import DECIDER as DIRECTOR
from services.ranking.core import DECIDER as RANKING
from services.table.core import DECIDER as TABLE
from services.wallet.core import DECIDER as WALLET
from shared.contracts.commit import Actor, Cause
from shared.contracts.edge import LogRow
from shared.kernel.decider import Decider
from shared.kernel.pmap import enc_hook
from shared.runtime.ports import Line

CREDITS = ("table.clock-extended.v1", "director.clock-extended.v1")
NOT_IN_STATES = (
    *("stated", "upstream_number", "draw"),
    *("credited", "player_credit_ms", "level_credited"),
)
MOMENT_MIN = 1_500_000_000_000
DECIDERS: dict[str, Decider[Any, Any, Any]] = {
    "table": TABLE,
    "director": DIRECTOR,
    "wallet": WALLET,
    "dealer": DEALER,
    "ranking": RANKING,
}

Logs = Mapping[Line, Sequence[LogRow]]
Facts = dict[str, list[str]]


class Recorded(msgspec.Struct, frozen=True):
    """A commit, its events as plain data."""

    stream: str
    n: int
    by: Actor
    cause: Cause
    saga: str | None
    events: tuple[dict[str, Any], ...]

    @property
    def lasting(self) -> list[dict[str, Any]]:
        """All events but credits."""
        return [event for event in self.events if event["type"] not in CREDITS]


decode = msgspec.json.Decoder(Recorded).decode
in_order = msgspec.json.Encoder(order="sorted", enc_hook=enc_hook).encode


class Story:
    """What happened in one run, told without times and numbers."""

    def __init__(self, logs: Logs) -> None:
        lines = {str(line): [decode(row.data) for row in rows] for line, rows in logs.items()}
        self._lines = lines
        self._named = {
            (commit.stream, commit.n): commit for commits in lines.values() for commit in commits
        }
        self._draws = {
            event["draw"]: f"the draw of {event['purpose']}"
            for commit in self._named.values()
            for event in commit.events
            if event["type"] == "dealer.draw-made.v1"
        }
        self.facts: Facts = defaultdict(list)
        for commits in lines.values():
            for commit in commits:
                if commit.lasting:
                    stream = self._draws.get(commit.stream, commit.stream)
                    self.facts[stream].append(self._told(commit))
        self.states = {self._draws.get(s, s): state for s, state in states_of(logs)}

    @property
    def hash(self) -> str:
        """One hash over everything that is compared."""
        return sha256(in_order([self.facts, self.states])).hexdigest()[:16]

    def _told(self, commit: Recorded) -> str:
        events = [self._event(event) for event in commit.lasting]
        why = self._cause(commit.stream, commit.cause)
        saga = commit.saga or ""
        return in_order([f"{commit.by.kind} {commit.by.id}", why, saga, events]).decode()

    def _event(self, event: dict[str, Any]) -> Any:
        plain = dict(event)
        if "stated" in plain:
            stated = plain["stated"]
            plain["stated"] = self._tags(self._named.get((stated["stream"], stated["n"])))
        if "upstream_number" in plain:
            upstream = self._lines[plain["upstream"]]
            plain["upstream_number"] = self._tags(upstream[plain["upstream_number"] - 1])
        if "draw" in plain:
            plain["draw"] = self._draws[plain["draw"]]
        return without_moments(plain)

    def _cause(self, stream: str, cause: Cause) -> str:
        if cause.command:
            return "command"
        if cause.timer:
            return f"timer {cause.timer}"
        if cause.fact and cause.number:
            return f"fact {self._tags(self._lines[cause.fact][cause.number - 1])}"
        return f"answer {self._tags(self._named.get((stream, cause.answer or 0)))}"

    @staticmethod
    def _tags(commit: Recorded | None) -> str:
        if commit is None:
            return "a commit that is not there"
        return f"{commit.stream}: {' '.join(event['type'] for event in commit.lasting)}"


def states_of(logs: Logs) -> Iterator[tuple[str, Any]]:
    """Fold every stream to its end, credits and all."""
    history = history_of(logs)
    for service, decider in DECIDERS.items():
        for stream, facts in history.streams(service).items():
            state = reduce(decider.evolve, [fact.event for fact in facts], decider.initial)
            plain = msgspec.to_builtins(state, enc_hook=enc_hook, str_keys=True)
            yield stream, without_moments(plain, NOT_IN_STATES)


def without_moments(value: Any, leave_out: Sequence[str] = ()) -> Any:
    """Return plain data in which every moment is only said to be one."""
    if isinstance(value, dict):
        return {
            key: "a moment" if is_moment(key, inner) else without_moments(inner, leave_out)
            for key, inner in value.items()
            if key not in leave_out
        }
    if isinstance(value, list | tuple):
        return [without_moments(inner, leave_out) for inner in value]
    return value


def is_moment(key: str, value: Any) -> bool:
    return key.endswith("_ms") and isinstance(value, int) and value >= MOMENT_MIN


def differences(one: Story, other: Story) -> Iterator[str]:
    """Say where two stories part, the first fact of each stream that differs, then states."""
    for stream in sorted({*one.facts, *other.facts}):
        both = zip_longest(one.facts.get(stream, []), other.facts.get(stream, []))
        for nth, (first, second) in enumerate(both, 1):
            if first != second:
                yield f"{stream}, fact {nth}:\n    un-killed {first}\n    killed    {second}"
                break
    for stream in sorted({*one.states, *other.states}):
        first, second = (in_order(story.states.get(stream)).decode() for story in (one, other))
        if first != second:
            yield f"{stream}, state:\n    un-killed {first}\n    killed    {second}"
