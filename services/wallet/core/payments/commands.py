"""What the shell makes of webhooks: the core sees what the provider says, and no signatures."""

from typing import final

from shared.contracts.message import Command
from shared.contracts.wallet import PaymentKind, ProviderWord


@final
class HearProvider(Command, frozen=True, tag="wallet.hear-provider.v1"):
    """A `TakeWebhook` that was signed by the provider, read; `event` is its name there."""

    event: str
    payment: str
    kind: PaymentKind
    provider_reference: str
    word: ProviderWord
    amount_cents: int
    sequence: int
    occurred_at_ms: int
    reason: str
