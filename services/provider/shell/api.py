"""What merchants ask of the provider, and what who tests against it may decide."""

import hmac
import re
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Request, Response, get, post

from services.provider.core import (
    AMOUNT_CENTS_MAX,
    Order,
    Payment,
    Said,
    ScenarioName,
    State,
    Word,
    state_of,
)
from services.provider.shell.provider import Provider
from services.provider.shell.refusals import Refusal
from services.provider.shell.signing import is_signed
from services.provider.shell.store import Delivered

KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
CURRENCY: Final = "EUR"

AnyRequest = Request[Any, Any, Any]
T = TypeVar("T")


class Taken(msgspec.Struct, frozen=True):
    """A payment that was taken on."""

    reference: str
    page: str


class PaymentState(msgspec.Struct, frozen=True):
    """A payment whole, and how its words were delivered."""

    payment: str
    reference: str
    state: State
    scenario: str
    words: tuple[Said, ...]
    deliveries: list[Delivered]


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The course that a payment takes which is still to come."""

    payment: str
    scenario: ScenarioName


class NewWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something more that the provider has to say."""

    word: Word
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""


@post("/payments")
async def take_payment(request: AnyRequest, provider: Provider) -> Response[Taken]:
    """Take an order on, once for each key; the same again gets the same answer."""
    body = await request.body()
    signature = request.headers.get("payment-signature", "")
    secret = provider.settings.provider_secret
    if not is_signed(secret, signature, body, provider.now_ms() // 1000):
        raise Refusal("unauthorized")
    key = request.headers.get("idempotency-key", "")
    if not KEY.fullmatch(key):
        raise Refusal("malformed", "an idempotency key is 1 to 80 of A-Z a-z 0-9 _ -")
    order = read(body, Order)
    known = provider.store.by_key(key)
    if known is not None and known.order != order:
        raise Refusal("key_used_with_other_content")
    if known is None:
        check(order)
    payment = known or provider.take(key, order)
    status = 201 if known is None else 200
    return Response(Taken(payment.reference, provider.page_of(payment)), status_code=status)


def check(order: Order) -> None:
    """Refuse what nobody could pay."""
    if order.currency != CURRENCY:
        raise Refusal("currency_unknown")
    if not 1 <= order.amount_cents <= AMOUNT_CENTS_MAX:
        raise Refusal("amount_not_possible")


@post("/admin/scenarios", status_code=204)
async def choose_scenario(request: AnyRequest, provider: Provider) -> None:
    """Choose the course of a payment before it is ordered."""
    admin_only(request, provider)
    choice = read(await request.body(), Choice)
    provider.store.choose(choice.payment, choice.scenario)


@post("/admin/payments/{key:str}/words", status_code=200)
async def say_word(key: str, request: AnyRequest, provider: Provider) -> PaymentState:
    """Say something more of a payment, such as that it is charged back."""
    admin_only(request, provider)
    new = read(await request.body(), NewWord)
    return shown(provider.say(found(provider, key), new.word, new.reason), provider)


@get("/admin/payments/{key:str}")
async def read_payment(key: str, request: AnyRequest, provider: Provider) -> PaymentState:
    """Show a payment."""
    admin_only(request, provider)
    return shown(found(provider, key), provider)


def found(provider: Provider, key: str) -> Payment:
    payment = provider.store.by_key(key)
    if payment is None:
        raise Refusal("unknown_payment")
    return payment


def shown(payment: Payment, provider: Provider) -> PaymentState:
    return PaymentState(
        payment.key,
        payment.reference,
        state_of(payment),
        payment.scenario,
        payment.words,
        provider.store.deliveries(payment.key),
    )


def admin_only(request: AnyRequest, provider: Provider) -> None:
    """Let only who has the token decide what becomes of payments."""
    token = provider.settings.provider_admin_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token is None or not hmac.compare_digest(given.encode(), token.encode()):
        raise Refusal("unauthorized")


def read(body: bytes, kind: type[T]) -> T:
    """Read a body of exactly this shape."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Refusal("malformed", str(error)) from None
