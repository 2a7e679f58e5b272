"""`rollforward wallet rebuild`: the read model is emptied, and its owner fills it from the log."""

from services.cli.wallet.command import WALLET, database_url
from shared.runtime.adapters import database_care


def rebuild() -> int:
    """Empty the wallet's balances and postings; the wallet that runs fills them again.

    The journal itself is not touched. Reports are unavailable until that is done.
    """
    count = database_care.empty_read_model(database_url(), WALLET)
    print(f"{WALLET}: {count} commits are read again by whoever owns the line")
    return 0
