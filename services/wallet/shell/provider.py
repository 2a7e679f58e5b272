"""The payment provider over HTTP (`services/provider/README.md` has the same from its side)."""

from typing import Annotated, Any, Final

import httpx
import msgspec

from services.wallet.shell.payments import Kind, ProviderUnavailable, Started, TurnedDown
from services.wallet.shell.signatures import signature
from shared.runtime.ports import Clock

REFUSALS: Final = (409, 422)
PAYMENTS: Final = "/payments"
CURRENCY: Final = "EUR"

Reference = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+\Z")]
Page = Annotated[str, msgspec.Meta(max_length=2_048, pattern=r"^(https?://[!-~]+)?\Z")]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[a-z0-9_]+\Z")]


class NotAnAddress(Exception):
    """A text is not the address of a provider; the message does not repeat it."""


class Taken(msgspec.Struct, frozen=True):
    """What the provider answers when it has taken a payment on."""

    reference: Reference
    page: Page = ""


class Refusal(msgspec.Struct, frozen=True):
    """What it answers when it never will."""

    reason: Reason


decode_taken: Any = msgspec.json.Decoder(Taken).decode
decode_refusal: Any = msgspec.json.Decoder(Refusal).decode
encode = msgspec.json.Encoder(order="deterministic").encode


class HttpProvider:
    """Tells a provider of payments; each request is signed, its key is our name for the payment.

    Only a refusal in the provider's own words counts as one: what a proxy on the way answers, or
    a provider that does not know us any more, is no reason to give a payout up that may be under
    way already.
    """

    def __init__(
        self,
        url: str,
        secret: str,
        timeout_s: float,
        clock: Clock,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        if not is_address(url):
            raise NotAnAddress("write https://host, or http:// for one nearby")
        self._secret = secret
        self._clock = clock
        self._client = httpx.AsyncClient(base_url=url, timeout=timeout_s, transport=transport)

    async def start(self, kind: Kind, payment: str, player: str, amount_cents: int) -> Started:
        """Let a player pay in, or pay out to one."""
        told = {
            "kind": kind,
            "amount_cents": amount_cents,
            "currency": CURRENCY,
            "customer": player,
        }
        body = encode(told)
        headers = {
            "content-type": "application/json",
            "idempotency-key": payment,
            "payment-signature": signature(self._secret, self._clock.now_ms() // 1000, body),
        }
        try:
            answer = await self._client.post(PAYMENTS, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise ProviderUnavailable(type(error).__name__) from None
        return understood(answer.status_code, answer.content)


def is_address(url: str) -> bool:
    """Say whether a URL can be one of a provider; a user or password has no place in it."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    plain = not (parsed.userinfo or parsed.query or parsed.fragment)
    return parsed.scheme in ("http", "https") and bool(parsed.host) and plain


def understood(status: int, body: bytes) -> Started:
    """Return what the provider has answered; raise TurnedDown or ProviderUnavailable."""
    try:
        if 200 <= status < 300:
            taken: Taken = decode_taken(body)
            return Started(taken.reference, taken.page)
        if status in REFUSALS:
            refusal: Refusal = decode_refusal(body)
            raise TurnedDown(refusal.reason)
    except msgspec.MsgspecError:
        raise ProviderUnavailable(f"an answer {status} that is not the provider's") from None
    raise ProviderUnavailable(f"an answer {status}")
