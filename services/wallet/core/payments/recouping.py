"""Before the operator loses by a payment: withdrawals that wait for an approval are called off.

Paying in, asking for it back and having the deposit charged back must not be a way to be paid.
"""

from services.wallet.core.evolve import evolve
from services.wallet.core.ledger import balance_of, cash, posted, withdrawal
from services.wallet.core.payments.state import Payment
from services.wallet.core.state import Wallet
from shared.contracts.wallet import WithdrawalReleased

AUTHOR = "wallet"

Recouped = tuple[tuple[WithdrawalReleased, ...], Wallet]


def recouped(wallet: Wallet, payment: Payment, amount_cents: int, name: str) -> Recouped:
    """Release what waits, the oldest first, until the cash has an amount that is to be taken.

    Return the releases, and the wallet after them. Only cash is filled up so.
    """
    account = cash(payment.player)
    released: list[WithdrawalReleased] = []
    for waiting in waiting_withdrawals(wallet, payment.player):
        if payment.credited != account or balance_of(wallet, account) >= amount_cents:
            break
        release = called_off(wallet, waiting, f"the money of {name} goes back")
        released.append(release)
        wallet = evolve(wallet, release)
    return tuple(released), wallet


def waiting_withdrawals(wallet: Wallet, player: str) -> tuple[str, ...]:
    """Name a player's withdrawals that nobody has approved, the oldest first."""
    named = wallet.payments_of.get(player) or ()
    return tuple(name for name in named if wallet.payments[name].stage == "held")


def called_off(wallet: Wallet, name: str, reason: str) -> WithdrawalReleased:
    """Put a withdrawal back to the cash that it came from, even of a suspended account."""
    payment = wallet.payments[name]
    player, amount = payment.player, payment.asked_cents
    return WithdrawalReleased(
        player=player,
        payment=name,
        amount_cents=amount,
        why="refused",
        author=AUTHOR,
        reason=reason,
        credited=cash(player),
        postings=posted(wallet, (withdrawal(player), -amount), (cash(player), amount)),
    )
