"""What is true of a platform, said from its logs, its streams and what left it.

`verdicts` reads a platform that has come to rest and judges it; `judge` does the same over what
was read already, and a verdict about nothing is false. `judge_moment` judges what stands in the
logs at one moment of play. `search` looks for hidden cards and keys.
"""

from collections.abc import Iterable, Mapping, Sequence

from services.cli.verdicts.cards import shown_cards_are_committed
from services.cli.verdicts.chips import chips_conserved
from services.cli.verdicts.draws import draws_follow_from_bytes
from services.cli.verdicts.history import History, history_of
from services.cli.verdicts.journal import journal_sums_to_zero
from services.cli.verdicts.leaks import Leak, search
from services.cli.verdicts.lines import read_lines
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds
from services.cli.verdicts.prizes import prizes_equal_pool
from services.cli.verdicts.streams import LineCopy, Message, log_is_chain, log_is_stream
from services.cli.verdicts.verdict import Verdict
from shared.contracts.edge import LogRow
from shared.runtime.ports import Line

__all__ = [
    "Leak",
    "LineCopy",
    "Message",
    "Verdict",
    "judge",
    "judge_moment",
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
    return judged_all(history, log_is_stream(copies))


def judge_moment(
    logs: Mapping[Line, Sequence[LogRow]],
    copies: Mapping[Line, LineCopy] | None = None,
    vault_keys: Mapping[str, bytes] | None = None,
) -> tuple[Verdict, ...]:
    """Judge one snapshot of the logs, the streams if they were read, and for auditors the mixing.

    What is still under way is not held against it: a hand without its end, a prize not paid yet.
    """
    history = history_of(logs, at_rest=False)
    found = judged_all(history, log_is_chain(logs) if copies is None else log_is_stream(copies))
    return (*found, decks_follow_from_seeds(history, vault_keys)) if vault_keys else found


def judged_all(history: History, of_logs: Verdict) -> tuple[Verdict, ...]:
    """Judge the facts; the logs that they stand in have been judged."""
    return (
        chips_conserved(history),
        journal_sums_to_zero(history),
        prizes_equal_pool(history),
        of_logs,
        shown_cards_are_committed(history),
        draws_follow_from_bytes(history),
    )
