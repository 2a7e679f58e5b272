"""The wallet's settings, read from the environment once, at its start."""

from typing import Annotated

import msgspec

from services.wallet.core import WalletRules
from services.wallet.core.rules import DAY_MS
from shared.runtime.sealed import Withheld
from shared.runtime.settings import RuntimeSettings, SettingsError, variable

Cents = Annotated[int, msgspec.Meta(ge=0)]
ProviderSecret = Annotated[str, msgspec.Meta(min_length=32)]


class WalletSettings(Withheld, RuntimeSettings, frozen=True, kw_only=True):
    """PP-BONUS: a first deposit of so much earns so much, 0 for none; locked, it is played.

    PP-ACCOUNT: nobody younger than `wallet_adult_years` is identified. BP-RESPONSIBLE: a limit that
    a player raises or lifts does so after `wallet_cooling_off_ms`.

    PP-CONDUCT: e-mail goes through the server of `wallet_smtp_url`, which is written
    `smtps://user:password@host:port` (`smtp+starttls`, or `smtp` without a password, do as well);
    without one it lies in the Maildir `wallet_outbox` for whoever sends it on.

    Payments go through the provider at `wallet_provider_url`, where there is one. What passes
    between us is signed under `wallet_provider_secret`; the first of several signs, all verify.
    """

    wallet_adult_years: Annotated[int, msgspec.Meta(ge=1)] = 18
    wallet_bonus_first_deposit_cents: Cents = 2_500
    wallet_bonus_cents: Cents = 1_000
    wallet_bonus_locked: bool = True
    wallet_cooling_off_ms: Annotated[int, msgspec.Meta(ge=1)] = 7 * DAY_MS

    wallet_withdrawal_expires_ms: Annotated[int, msgspec.Meta(ge=1)] = 14 * DAY_MS

    wallet_provider_url: str = ""
    wallet_provider_secret: tuple[ProviderSecret, ...] = ()
    wallet_provider_timeout_s: Annotated[int, msgspec.Meta(ge=1, le=60)] = 10
    wallet_smtp_url: str = ""
    wallet_smtp_timeout_s: Annotated[int, msgspec.Meta(ge=1, le=60)] = 10
    wallet_mail_from: str = "rollforward@localhost"
    wallet_outbox: str = "outbox"

    def __post_init__(self) -> None:
        if bool(self.wallet_provider_url) != bool(self.wallet_provider_secret):
            url, secret = variable("wallet_provider_url"), variable("wallet_provider_secret")
            raise SettingsError(f"{url} and {secret} go together: set both or none")

    def rules(self) -> WalletRules:
        """Return the figures that decisions go by."""
        return WalletRules(
            adult_years=self.wallet_adult_years,
            bonus_first_deposit_cents=self.wallet_bonus_first_deposit_cents,
            bonus_cents=self.wallet_bonus_cents,
            bonus_locked=self.wallet_bonus_locked,
            cooling_off_ms=self.wallet_cooling_off_ms,
            withdrawal_expires_ms=self.wallet_withdrawal_expires_ms,
            provider=bool(self.wallet_provider_url),
        )
