"""What became of the e-mail of a warning."""

from services.wallet.core.errands.commands import Mailed, Unmailable
from services.wallet.core.handlers import Decides
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import WalletEvent, WarningMailed, WarningNotMailed


def mailed(_wallet: Wallet, outcome: Mailed, _now: Now) -> tuple[WalletEvent, ...]:
    """The post has it."""
    return (WarningMailed(player=outcome.player, number=outcome.number),)


def unmailable(_wallet: Wallet, outcome: Unmailable, _now: Now) -> tuple[WalletEvent, ...]:
    """The post will never have it: an operator sees so and finds another way."""
    return (WarningNotMailed(player=outcome.player, number=outcome.number, why=outcome.why),)


OUTCOMES: Decides = {Mailed: mailed, Unmailable: unmailable}
