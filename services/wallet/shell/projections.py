"""What the journal looks like in tables: every posting, and what each ledger account holds."""

from typing import Any

import msgspec

from shared.contracts.commit import moment_ms
from shared.contracts.edge import LogRow
from shared.contracts.wallet import Posting
from shared.runtime.projection import Row, Rows
from shared.runtime.read_models import BALANCES, POSTINGS


class PostingEvent(msgspec.Struct, frozen=True):
    """Any event of the journal, whichever build wrote it: only what it posted counts here."""

    type: str
    postings: tuple[Posting, ...] = ()


class PostingCommit(msgspec.Struct, frozen=True):
    """A commit of the journal read for its postings alone."""

    n: int
    at: str
    events: tuple[PostingEvent, ...]


decode: Any = msgspec.json.Decoder(PostingCommit).decode


def rows_of(row: LogRow) -> Rows:
    """Return the rows of one commit; the places of its postings count through its events."""
    commit: PostingCommit = decode(row.data)
    posted = [(event.type, posting) for event in commit.events for posting in event.postings]
    at_ms = moment_ms(commit.at) if posted else 0
    postings: list[Row] = []
    balances: list[Row] = []
    for place, (event, posting) in enumerate(posted):
        account, amount, balance = posting.account, posting.amount_cents, posting.balance_cents
        postings.append((account, row.number, place, commit.n, at_ms, event, amount, balance))
        balances.append((account, balance, amount, row.number))
    return {POSTINGS.name: postings, BALANCES.name: balances}
