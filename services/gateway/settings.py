"""The gateway's settings, read from the environment once, at its start."""

from typing import Annotated

import msgspec

from shared.runtime.settings import RuntimeSettings

Secret = Annotated[str, msgspec.Meta(min_length=16)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Reconnect = Annotated[int, msgspec.Meta(ge=1, le=60_000)]  # The table gives no more back.


class GatewaySettings(RuntimeSettings, frozen=True, kw_only=True):
    """Operators are written `name=token`, or `name=sha256:…`; the gateway itself has no database.

    `gateway_licence` is the number of the operator's licence, shown to everybody (PP-ACCOUNT).

    A player without a connection for `gateway_absent_ms` is Out (PP-OUT); one whose gateway has
    gone has `gateway_reconnect_ms` to come to another one. A socket with more than
    `gateway_queue_max` messages waiting is too slow and dropped.
    """

    database_url: str = ""
    gateway_token_secret: Secret
    gateway_operators: tuple[str, ...] = ()
    gateway_licence: str = ""
    gateway_absent_ms: Positive = 5_000
    gateway_reconnect_ms: Reconnect = 60_000
    gateway_queue_max: Positive = 4_096
    gateway_messages_per_second: Positive = 200
