"""What a player is paid out of a pool, once: bounties, and what is won in a stage."""

from services.wallet.core.ledger import JournalContradicted, owed_to, pool, posted
from services.wallet.core.state import Wallet
from shared.contracts.wallet import Posting


def is_paid(key: str, paid_cents: int | None, due_cents: int) -> bool:
    """Tell a retry; another amount for the same key, or one below nothing, is parked."""
    if paid_cents == due_cents:
        return True
    if paid_cents is not None:
        raise JournalContradicted(f"{key} was paid {paid_cents} cents, not {due_cents}")
    if due_cents < 0:
        raise JournalContradicted(f"{key} is due below nothing")
    return False


def paid_out(
    wallet: Wallet, tournament: str, player: str, cents: int
) -> tuple[str, tuple[Posting, ...]]:
    """Return the ledger account that takes it, and the postings."""
    credited = owed_to(wallet, player)
    return credited, posted(wallet, (pool(tournament), -cents), (credited, cents))
