"""Read models: what a service's log looks like in tables, for those who read.

Like the register of events they are named here for all, since the migrate step makes them: the
service only says which rows a commit leads to. They can be emptied and filled again at any time.

They are a second line of defence too: a row that breaks a table's `check` is never written, and
the projection stops there for all to see. The conditions are stated here once more on purpose.
"""

from collections.abc import Mapping
from typing import Literal, LiteralString, NamedTuple

ColumnType = Literal["text", "bigint"]


class Table(NamedTuple):
    """One table: columns in order, the key, and an SQL condition that every row has to meet.

    Each key is written once, unless `newest`: then a later row takes the place of the earlier,
    and what stands in the columns `sums` is added to what was there.
    """

    name: str
    columns: Mapping[str, ColumnType]
    key: tuple[str, ...]
    check: LiteralString = "TRUE"
    newest: bool = False
    sums: tuple[str, ...] = ()


class ReadModel(NamedTuple):
    """The tables of one service; `version` is raised when the same commits come to mean others."""

    version: int
    tables: tuple[Table, ...]


MAY_OWE: LiteralString = (
    "account IN ('external', 'promotions', 'top-up', 'chargebacks', 'house') OR balance_cents >= 0"
)

BALANCES = Table(
    name="balances",
    columns={
        "account": "text",
        "balance_cents": "bigint",
        "posted_cents": "bigint",
        "number": "bigint",
    },
    key=("account",),
    check=f"({MAY_OWE}) AND balance_cents = posted_cents",
    newest=True,
    sums=("posted_cents",),
)
"""What each ledger account holds: as its last posting says, and as all its postings sum up."""

POSTINGS = Table(
    name="postings",
    columns={
        "account": "text",
        "number": "bigint",
        "place": "bigint",
        "n": "bigint",
        "at_ms": "bigint",
        "event": "text",
        "amount_cents": "bigint",
        "balance_cents": "bigint",
    },
    key=("account", "number", "place"),
    check=MAY_OWE,
)
"""Every posting: its commit's number in the log and in its stream, and its place in the commit."""

BOARD = Table(
    name="board",
    columns={"period": "text", "player": "text", "points": "bigint", "tournaments": "bigint"},
    key=("period", "player"),
    check="points >= 0 AND tournaments > 0",
    newest=True,
    sums=("points", "tournaments"),
)
"""A player's points in a month or a year, and the tournaments that they come from."""

READ_MODELS: Mapping[str, ReadModel] = {
    "wallet": ReadModel(1, (BALANCES, POSTINGS)),
    "ranking": ReadModel(1, (BOARD,)),
}
