"""The wallet's settings, read from the environment once, at its start."""

from services.wallet.core import WalletRules
from shared.runtime.settings import RuntimeSettings


class WalletSettings(RuntimeSettings, frozen=True, kw_only=True):
    """So far the wallet needs only what every service needs."""

    def rules(self) -> WalletRules:
        """Return the figures that decisions go by."""
        return WalletRules()
