"""Webhooks: every word is delivered until it is taken, signed anew each time."""

import asyncio
from typing import Final

import httpx
import msgspec
import structlog

from services.provider.core import Payment, Said
from services.provider.shell.provider import Provider
from services.provider.shell.signing import signed
from services.provider.shell.store import Waiting

LOOK_SECONDS: Final = 0.05
TOGETHER: Final = 16
TIMEOUT_SECONDS: Final = 15.0
DOUBLINGS_MAX: Final = 16

log = structlog.get_logger()


class Delivering:
    """Delivers what is due, for ever; what is not taken comes back later and later."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._client = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)

    async def run(self) -> None:
        """Look for what is due, again and again."""
        store = self._provider.store
        while True:
            due = store.due(self._provider.now_ms(), TOGETHER)
            await asyncio.gather(*[self._deliver(waiting) for waiting in due])
            if not due:
                await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    async def _deliver(self, waiting: Waiting) -> None:
        """Try once, and note how it came out."""
        payment = self._provider.store.by_key(waiting.key)
        if payment is None:
            raise KeyError(waiting.key)
        taken = await self._taken(payment, payment.words[waiting.sequence - 1])
        settings = self._provider.settings
        pause_ms = settings.provider_retry_ms << min(waiting.tries, DOUBLINGS_MAX)
        again_ms = self._provider.now_ms() + min(pause_ms, settings.provider_retry_max_ms)
        self._provider.store.note(waiting, delivered=taken, again_ms=again_ms)

    async def _taken(self, payment: Payment, said: Said) -> bool:
        """Deliver one word; say whether it was taken."""
        settings = self._provider.settings
        body = webhook(payment, said)
        at_s = self._provider.now_ms() // 1000
        headers = {
            "content-type": "application/json",
            "payment-signature": signed(settings.provider_secret, at_s, body),
        }
        try:
            answer = await self._client.post(
                settings.provider_webhook_url, content=body, headers=headers
            )
        except httpx.HTTPError as error:
            log.info("webhook_waits", payment=payment.key, why=type(error).__name__)
            return False
        if not answer.is_success:
            log.warning("webhook_not_taken", payment=payment.key, status=answer.status_code)
        return answer.is_success


def webhook(payment: Payment, said: Said) -> bytes:
    """Write a word as it is delivered."""
    return msgspec.json.encode(
        {
            "event": said.event,
            "payment": payment.key,
            "reference": payment.reference,
            "kind": payment.order.kind,
            "word": said.word,
            "amount_cents": payment.order.amount_cents,
            "currency": payment.order.currency,
            "sequence": said.sequence,
            "occurred_at_ms": said.occurred_at_ms,
            "reason": said.reason,
        }
    )
