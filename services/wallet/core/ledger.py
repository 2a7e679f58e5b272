"""Double entry: the ledger accounts by purpose, and postings that cannot fail to balance."""

from services.wallet.core.state import Wallet
from shared.contracts.wallet import Posting
from shared.kernel.pmap import PMap

COMMISSION = "commission"
EXTERNAL = "external"
UNCLAIMED = "unclaimed"
PROMOTIONS = "promotions"
TOP_UP = "top-up"
CHARGEBACKS = "chargebacks"
HOUSE = "house"

OWING = frozenset({EXTERNAL, PROMOTIONS, TOP_UP, CHARGEBACKS, HOUSE})


class JournalContradicted(Exception):
    """A fact asks for money that the journal says is not there.

    Facts cannot be declined, and paying it out of somebody else's money would be worse: the
    fact is parked, visibly, until a person has found out which side is wrong.
    """


def cash(player: str) -> str:
    """Name the account of what a player can spend."""
    return f"cash/{player}"


def hold(player: str) -> str:
    """Name the account of what a player's pending entries have set aside."""
    return f"hold/{player}"


def withdrawal(player: str) -> str:
    """Name the account of a player's money on its way out."""
    return f"withdrawal/{player}"


def ticket_account(ticket: str) -> str:
    """Name the account of what a ticket is worth."""
    return f"ticket/{ticket}"


def pool(tournament: str) -> str:
    """Name the account of a tournament's prize pool."""
    return f"pool/{tournament}"


def owed_to(wallet: Wallet, player: str) -> str:
    """Name the account that takes money due to a player, who cannot be refused it (law 8)."""
    account = wallet.accounts.get(player)
    if account is None or account.status in ("suspended", "closed"):
        return UNCLAIMED
    return cash(player)


def balance_of(wallet: Wallet, account: str) -> int:
    """Return a ledger account's balance; one that nothing was posted to holds nothing."""
    return wallet.balances.get(account) or 0


def posted(wallet: Wallet, *lines: tuple[str, int]) -> tuple[Posting, ...]:
    """Turn one act's lines, each ledger account named once, into postings with balances after.

    Lines of nothing are left out. Only the accounts in OWING may owe; money that the lines make or
    lose, or take where there is none, is a contradiction.
    """
    if sum([amount for _, amount in lines]) != 0:
        raise JournalContradicted(f"an entry does not balance: {lines}")
    postings: list[Posting] = []
    for account, amount in lines:
        balance = balance_of(wallet, account) + amount
        if amount and balance < 0 and account not in OWING:
            raise JournalContradicted(f"{account} would hold {balance} cents after {amount}")
        if amount:
            postings.append(Posting(account, amount, balance))
    return tuple(postings)


def after(balances: PMap[str, int], postings: tuple[Posting, ...]) -> PMap[str, int]:
    """Return the balances that the postings state."""
    return balances.update({posting.account: posting.balance_cents for posting in postings})
