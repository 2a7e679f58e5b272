"""What the services say in their logs while simulated: kept from the screen, and listened to."""

from collections.abc import Collection, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import structlog

from tests.simulation.loop import SimLoop

NEVER = {
    "line_stopped",
    "fact_parked",
    "question_refused",
    "question_failed",
    "answer_declined",
    "outage_not_credited",
    "stream_unreadable",
    "task_fell",
    "task_ended",
    "request_failed",
}


@contextmanager
def heard(loop: SimLoop, excused: Collection[str]) -> Iterator[None]:
    """Break the run at a line that no trouble of ours excuses just then; drop all others."""

    def listen(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> Any:
        event = line.get("event")
        if event in NEVER and event not in excused:
            said = {key: value for key, value in line.items() if key not in ("event", "exc_info")}
            loop.broken(f"no {line['event']}", repr(said))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(
        processors=[listen], wrapper_class=structlog.make_filtering_bound_logger(30)
    )
    try:
        yield
    finally:
        structlog.configure(**before)
