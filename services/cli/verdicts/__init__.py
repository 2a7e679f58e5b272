"""What is true of a platform, said from its logs, its streams and what left it.

`verdicts` reads everything and judges; `judge` does the same over what was read already, and
`search` looks for hidden cards and keys. A verdict about nothing is false.
"""

from collections.abc import Iterable, Mapping

from services.cli.verdicts.cards import shown_cards_are_committed
from services.cli.verdicts.chips import chips_conserved
from services.cli.verdicts.history import history_of
from services.cli.verdicts.journal import journal_sums_to_zero
from services.cli.verdicts.leaks import Leak, search
from services.cli.verdicts.lines import read_lines
from services.cli.verdicts.prizes import prizes_equal_pool
from services.cli.verdicts.streams import LineCopy, Message, log_is_stream
from services.cli.verdicts.verdict import Verdict
from shared.runtime.ports import Line

__all__ = [
    "Leak",
    "LineCopy",
    "Message",
    "Verdict",
    "judge",
    "read_lines",
    "search",
    "verdicts",
]


async def verdicts(
    database_url: str, nats_url: str, lines: Iterable[Line], settle_seconds: float = 10.0
) -> tuple[Verdict, ...]:
    """Read a platform that has come to rest, and judge it."""
    return judge(await read_lines(database_url, nats_url, lines, settle_seconds))


def judge(copies: Mapping[Line, LineCopy]) -> tuple[Verdict, ...]:
    """Say of everything that was read whether it is true."""
    history = history_of({line: copy.rows for line, copy in copies.items()})
    return (
        chips_conserved(history),
        journal_sums_to_zero(history),
        prizes_equal_pool(history),
        log_is_stream(copies),
        shown_cards_are_committed(history),
    )
