"""Webhooks as the wallet hears them: verified and read before the core sees anything.

This wraps the decider. A webhook is refused for the first of these that holds:

    no_provider         no secret is configured, so nothing can be told from a forgery
    webhook_forged      no signature, or not one under a secret of ours
    webhook_stale       signed more than five minutes ago, or as long in the future
    webhook_malformed   too large, or not exactly the declared shape

and then for what the core finds (`core/payments/webhooks.py`). A refusal changes nothing, and the
provider delivers again what it means.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
import structlog
from msgspec.structs import replace

from services.wallet.core import HearProvider, Wallet
from services.wallet.shell.signatures import problem_with
from shared.contracts.wallet import (
    AmountDiffered,
    PaymentKind,
    ProviderWord,
    TakeWebhook,
    WalletEvent,
)
from shared.kernel.decider import Decider, Refused

BODY_BYTES_MAX: Final = 16 * 1024
REASON_CHARACTERS_MAX: Final = 200
KINDS: Final[dict[str, PaymentKind]] = {"deposit": "deposit", "payout": "withdrawal"}

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+\Z")]
Cents = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000_000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
Moment = Annotated[int, msgspec.Meta(ge=0, le=1 << 48)]

Stepped = tuple[tuple[WalletEvent, ...], Wallet] | Refused

log = structlog.get_logger()


class Webhook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One word of the provider on one payment, whose name is our idempotency key."""

    event: Name
    payment: Name
    reference: Name
    kind: Literal["deposit", "payout"]
    word: ProviderWord
    amount_cents: Cents
    currency: Literal["EUR"]
    sequence: Count
    occurred_at_ms: Moment
    reason: str = ""


decode: Any = msgspec.json.Decoder(Webhook).decode


class Webhooks:
    """Knows the provider by its secrets, of which there are two while one is replaced."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = secrets

    def heard_by(
        self, decider: Decider[Wallet, Any, WalletEvent]
    ) -> Decider[Wallet, Any, WalletEvent]:
        """Return the decider that hears what the provider has signed, and nothing else of it."""

        def step(wallet: Wallet, command: Any, at_ms: int) -> Stepped:
            if not isinstance(command, TakeWebhook):
                return decider.step(wallet, command, at_ms)
            said = self.read(command, at_ms)
            return said if isinstance(said, Refused) else heard(decider, wallet, said, at_ms)

        return replace(decider, step=step)

    def read(self, webhook: TakeWebhook, at_ms: int) -> HearProvider | Refused:
        """Return what the provider says, if it is the provider."""
        if not self._secrets:
            return Refused("no_provider")
        problem = problem_with(self._secrets, webhook.signature, webhook.body, at_ms)
        if problem is not None:
            return Refused(problem)
        return word_in(webhook.body)


def word_in(body: bytes) -> HearProvider | Refused:
    """Read a body that is the provider's."""
    if len(body) > BODY_BYTES_MAX:
        return Refused("webhook_malformed", f"at most {BODY_BYTES_MAX} bytes")
    try:
        webhook: Webhook = decode(body)
    except (msgspec.MsgspecError, RecursionError) as error:
        return Refused("webhook_malformed", str(error))
    return HearProvider(
        event=webhook.event,
        payment=webhook.payment,
        kind=KINDS[webhook.kind],
        provider_reference=webhook.reference,
        word=webhook.word,
        amount_cents=webhook.amount_cents,
        sequence=webhook.sequence,
        occurred_at_ms=webhook.occurred_at_ms,
        reason=printable(webhook.reason),
    )


def printable(text: str) -> str:
    """Return free text as it may be kept: one line, and not long."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:REASON_CHARACTERS_MAX])


def heard(
    decider: Decider[Wallet, Any, WalletEvent], wallet: Wallet, said: HearProvider, at_ms: int
) -> Stepped:
    """Decide, and raise the alarm where a person has to look."""
    stepped = decider.step(wallet, said, at_ms)
    if isinstance(stepped, Refused):
        log.error("webhook_refused", payment=said.payment, reason=stepped.reason)
        return stepped
    for event in stepped[0]:
        if isinstance(event, AmountDiffered):
            log.critical(
                "amount_differed",
                payment=event.payment,
                expected_cents=event.expected_cents,
                said_cents=event.said_cents,
            )
    return stepped
