"""The local provider's settings, read from the environment once, at its start."""

from typing import Annotated

import msgspec

from shared.runtime.sealed import Withheld
from shared.runtime.settings import RuntimeSettings

Secret = Annotated[str, msgspec.Meta(min_length=32)]
Token = Annotated[str, msgspec.Meta(min_length=16)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class ProviderSettings(Withheld, RuntimeSettings, frozen=True, kw_only=True):
    """It has neither database nor broker: payments lie in the file `provider_data`, or in memory.

    Both sides sign under `provider_secret`. Webhooks go to `provider_webhook_url`; the pages of
    payments are found under `provider_public_url`, by default where the process listens. Between
    two words on one payment lie `provider_pause_ms`; a late word is `provider_late_ms` late. A
    delivery that was not taken is repeated after `provider_retry_ms`, then after twice that, and
    so on up to `provider_retry_max_ms`, for ever. Without a token nobody has admin calls.
    """

    database_url: str = ""
    nats_url: str = ""
    provider_secret: Secret
    provider_webhook_url: str
    provider_public_url: str = ""
    provider_data: str = ""
    provider_admin_token: Token | None = None
    provider_pause_ms: Positive = 300
    provider_late_ms: Positive = 5_000
    provider_retry_ms: Positive = 200
    provider_retry_max_ms: Positive = 30_000
