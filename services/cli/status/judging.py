"""What is wrong with a platform, one line each; a line of nothing is a healthy platform."""

from collections.abc import Iterator

from services.cli.status.reading import LineReport, Report
from shared.contracts.edge import LineStatus
from shared.runtime.reach import GATEWAY

QUESTION_OLD_MS = 10_000
RELAY_LAG_MAX = 5_000


def wrongs(report: Report, now_ms: int) -> tuple[str, ...]:
    """Return what an operator has to look at."""
    of_lines = [
        f"{line.line}: {what}" for line in report.lines for what in wrong_with(line, now_ms)
    ]
    return (*no_gateway(report), *of_lines)


def no_gateway(report: Report) -> Iterator[str]:
    """Tables work without one, but nobody can play."""
    if not report.members.get(GATEWAY, (GATEWAY,)):
        yield "no gateway is there: the clocks of players stand still"


def wrong_with(line: LineReport, now_ms: int) -> Iterator[str]:
    """A table that is not cleared, or a young question, is the game; what is here is not."""
    if line.holder is None:
        yield "nobody holds its lease"
    if line.status is None:
        yield line.silent
    else:
        yield from wrong_says_owner(line.status, now_ms)


def wrong_says_owner(status: LineStatus, now_ms: int) -> Iterator[str]:
    """Read what the owner says of itself."""
    yield from (f"{what}: {why}" for what, why in status.reasons.items())
    if status.relay_lag > RELAY_LAG_MAX:
        yield f"{status.relay_lag} commits are not in the stream"
    for question in status.questions:
        if now_ms - question.since_ms > QUESTION_OLD_MS:
            age_s = (now_ms - question.since_ms) // 1000
            yield f"{question.stream} has waited {age_s} s for an answer to {question.what}"
