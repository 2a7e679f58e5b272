"""The commands of auditors and operators: they read the logs in PostgreSQL, no service need run.

Exit codes: 0, 1 when something does not add up, 2 when the question makes no sense.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import cyclopts
import msgspec

from services.cli.platform import lines_of
from services.cli.verdicts.history import history_of
from services.cli.wallet import screen
from services.cli.wallet.acts import acts_of, as_of, moment_of
from services.cli.wallet.explaining import explain
from services.cli.wallet.funds import balances_of, by_purpose, funds_of
from services.cli.wallet.reconciling import reconcile
from shared.contracts.edge import LogRow
from shared.runtime.adapters import database_care
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.ports import Line
from shared.runtime.settings import SettingsError

WALLET = Line("wallet", 0)

app = cyclopts.App(
    name="wallet",
    help="The journal explained: every balance by its entries, as of any moment.",
)


@app.command(name="explain")
def explain_account(account: str, /, *, at: str = "", json: bool = False) -> int:
    """Show every entry of a ledger account, its balance after it, and the commit behind it.

    Parameters
    ----------
    account
        A ledger account, such as `cash/ply_ann`, `pool/trn_1` or `commission`.
    at
        As of this moment, such as `2026-11-30T18:00:00Z`, or the end of this day.
    json
        For programs: one JSON document.
    """
    found = explain(account, acts_of(journal(at)))
    if not found.entries:
        sys.stderr.write(f"rollforward: nothing was ever posted to {account!r}\n")
        return 2
    return answered(found, json, screen.explanation, wrong=found.wrong)


@app.command
def trial_balance(*, at: str = "", json: bool = False) -> int:
    """Show every ledger account's balance, and that all together are zero.

    Parameters
    ----------
    at
        As of this moment.
    json
        For programs: one JSON document.
    """
    balances = balances_of(acts_of(journal(at)))
    total = sum(balances.values())
    found = {"balances": balances, "purposes": by_purpose(balances), "sum_cents": total}
    return answered(found, json, screen.trial_balance, wrong=[total] if total else [])


@app.command
def funds(*, at: str = "", json: bool = False) -> int:
    """Show the players' funds (cash, in play, pending) beside the money that is at the bank.

    Parameters
    ----------
    at
        As of this moment.
    json
        For programs: one JSON document.
    """
    found = funds_of(balances_of(acts_of(journal(at))))
    return answered(found, json, screen.funds, wrong=[found] if found.surplus_cents < 0 else [])


@app.command(name="reconcile")
def reconcile_all(*, at: str = "", json: bool = False) -> int:
    """Compare the journal with what the director and the tables say, tournament by tournament.

    Parameters
    ----------
    at
        As of this moment.
    json
        For programs: one JSON document.
    """
    found = reconcile(history_of(logs(at), at_rest=False))
    return answered(found, json, screen.reconciliation, wrong=found.wrong)


def journal(at: str) -> Sequence[LogRow]:
    """Read the wallet's log up to a moment."""
    return as_of(read_logs(database_url(), [WALLET])[WALLET], asked_moment(at))


def logs(at: str) -> Mapping[Line, Sequence[LogRow]]:
    """Read all logs up to a moment."""
    url, moment = database_url(), asked_moment(at)
    found = read_logs(url, lines_of(database_care.read(url).shards))
    return {line: as_of(rows, moment) for line, rows in found.items()}


def database_url() -> str:
    """Return where the logs are."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        raise SettingsError("DATABASE_URL is not set")
    return url


def asked_moment(text: str) -> str | None:
    """Read the moment that was asked for, None for now."""
    try:
        return moment_of(text) if text else None
    except ValueError:
        raise SettingsError(f"--at: {text!r} is no moment; write 2026-11-30T18:00:00Z") from None


def answered(found: Any, json: bool, show: Any, wrong: Sequence[Any]) -> int:
    """Print the answer for a program or a person; 1 when something in it is wrong."""
    if json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        show(found)
    return 1 if wrong else 0
