"""The last facts of a world that broke a law, as a reader wants them."""

from collections.abc import Iterable

import msgspec

from tests.simulation.loop import LastFact


def told(facts: Iterable[LastFact]) -> list[str]:
    """The last facts, one line each."""
    return [
        f"{now:9.3f}  {' '.join(map(str, what))}{'  ' + line_of(data) if data else ''}"
        for now, what, data in facts
    ]


def line_of(data: bytes) -> str:
    """A commit, or an answer, as what a reader wants to know of it."""
    said = msgspec.json.decode(data)
    if "answer" in said:
        return " ".join(str(said.get(key, "")) for key in ("reason", "detail", "stream", "n"))
    events = " ".join(event["type"].split(".")[1] for event in said["events"])
    cause = " ".join(f"{key} {value}" for key, value in said["cause"].items())
    return f"{said['stream']} {said['n']}: {events} ({cause})"
