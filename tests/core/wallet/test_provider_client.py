"""Telling the provider: what goes out, and what counts as its word in return."""

import asyncio

import httpx
import msgspec
import pytest

from services.provider.shell.signing import is_signed
from services.wallet.core import PaymentRejected, PaymentStarted, SessionIssued
from services.wallet.shell.errands import PAUSE_SECONDS, Errands
from services.wallet.shell.outside import Outside
from services.wallet.shell.payments import Paying, ProviderUnavailable, Started, TurnedDown
from services.wallet.shell.provider import HttpProvider, NotAnAddress
from shared.contracts.wallet import (
    ErrandsAwaited,
    IssueSessionId,
    SendDeposit,
    SendWithdrawal,
)
from shared.runtime.aggregate import Asked
from tests.core.wallet.given import named

SECRET = "the-secret-of-this-year-all-of-it"
NOW_MS = 1_800_000_000_999
DEPOSIT = SendDeposit("pay_1", "ply_ann", 2_000)
PAYOUT = SendWithdrawal("pay_2", "ply_ann", 3_000)
TAKEN = {"reference": "prv_1", "page": "https://pay.example/1"}


class Clock:
    """Stands still."""

    def now_ms(self):
        return NOW_MS

    async def sleep(self, seconds):
        raise AssertionError(seconds)


class Answering:
    """A provider at the other end of the wire, that answers one thing."""

    def __init__(self, status=201, content=TAKEN):
        self.heard = []
        self._answer = (status, content if isinstance(content, bytes) else encoded(content))

    def __call__(self, request):
        self.heard.append(request)
        return httpx.Response(self._answer[0], content=self._answer[1])


def encoded(content):
    return msgspec.json.encode(content)


def client(answering):
    transport = httpx.MockTransport(answering)
    return HttpProvider("https://pay.example/v1", SECRET, 5, Clock(), transport)


async def test_an_order_is_signed_and_its_key_is_our_name_for_the_payment():
    provider = Answering()
    outcome = await Paying(client(provider)).deposit(DEPOSIT)
    assert outcome == PaymentStarted("pay_1", "prv_1", "https://pay.example/1")
    (request,) = provider.heard
    assert str(request.url) == "https://pay.example/v1/payments"
    assert request.headers["idempotency-key"] == "pay_1"
    signature = request.headers["payment-signature"]
    assert is_signed(SECRET, signature, request.content, NOW_MS // 1000)
    assert msgspec.json.decode(request.content) == {
        "kind": "deposit",
        "amount_cents": 2_000,
        "currency": "EUR",
        "customer": "ply_ann",
    }


async def test_told_again_it_is_the_same_order_to_the_byte():
    provider = Answering()
    paying = Paying(client(provider))
    for _ in range(2):
        await paying.withdrawal(PAYOUT)
    assert provider.heard[0].content == provider.heard[1].content
    assert msgspec.json.decode(provider.heard[0].content)["kind"] == "payout"


@pytest.mark.parametrize("status", [409, 422])
async def test_a_refusal_in_its_own_words_is_one(status):
    provider = Answering(status, {"reason": "card_blocked", "detail": "whatever"})
    with pytest.raises(TurnedDown, match="card_blocked"):
        await client(provider).start("deposit", "pay_1", "ply_ann", 2_000)
    outcome = await Paying(client(provider)).withdrawal(PAYOUT)
    assert outcome == PaymentRejected("pay_2", "card_blocked")


NO_ANSWERS = [
    ("a proxy's refusal", 422, b"<html>no</html>"),
    ("a reason in prose", 422, encoded({"reason": "We are sorry."})),
    ("not known there", 401, encoded({"reason": "unauthorized"})),
    ("not found", 404, encoded({"reason": "unknown_path"})),
    ("too many", 429, encoded({"reason": "too_many"})),
    ("elsewhere", 302, b""),
    ("down", 503, b""),
    ("taken, with no name", 201, encoded({"page": "https://pay.example/1"})),
    ("taken, with a strange name", 201, encoded({"reference": "a b", "page": ""})),
    ("a page that is none", 201, encoded({"reference": "prv_1", "page": "javascript:x"})),
    ("a page with blanks", 201, encoded({"reference": "prv_1", "page": "https://a b"})),
    ("nonsense", 201, b"\xff"),
]


@pytest.mark.parametrize(("status", "content"), named(NO_ANSWERS))
async def test_everything_else_leaves_open_what_became_of_it(status, content):
    with pytest.raises(ProviderUnavailable):
        await client(Answering(status, content)).start("payout", "pay_1", "ply_ann", 2_000)


async def test_a_provider_that_is_not_there_is_asked_again():
    def refuses(_request):
        raise httpx.ConnectError("no")

    with pytest.raises(ProviderUnavailable, match="ConnectError"):
        await client(refuses).start("deposit", "pay_1", "ply_ann", 2_000)
    with pytest.raises(ProviderUnavailable, match="none"):
        await Paying(None).deposit(DEPOSIT)


@pytest.mark.parametrize(
    "url", ["", "pay.example", "ftp://x", "https://u:p@x", "https://x?y", "//"]
)
def test_what_is_no_address_of_a_provider(url):
    with pytest.raises(NotAnAddress):
        HttpProvider(url, SECRET, 5, Clock())


# --- errands --------------------------------------------------------------------------------


class Slow:
    """Notes how long somebody waits."""

    def __init__(self):
        self.waited = []

    async def __call__(self, seconds):
        self.waited.append(seconds)


class Unreachable:
    async def start(self, kind, payment, player, amount_cents):
        raise ProviderUnavailable("down")


class Reached:
    async def start(self, kind, payment, player, amount_cents):
        return Started("prv_1", "")


def batch(*errands):
    return Asked("journal", 1, ErrandsAwaited(number=1, errands=errands))


async def run(provider, *errands):
    slow = Slow()
    ask = Errands(Outside(None, provider=provider), None, slow).ask
    return await ask(batch(*errands)), slow.waited


async def test_who_cannot_be_reached_holds_nobody_up():
    outcomes, waited = await run(Unreachable(), DEPOSIT, IssueSessionId("trn_1"))
    assert [type(one) for one in outcomes.outcomes] == [SessionIssued]
    assert (outcomes.left, waited) == ((DEPOSIT,), [])
    outcomes, waited = await run(Unreachable(), DEPOSIT, PAYOUT)
    assert (outcomes.outcomes, outcomes.left) == ((), (DEPOSIT, PAYOUT))
    assert waited == [PAUSE_SECONDS]


async def test_payments_are_told_side_by_side():
    outcomes, _ = await asyncio.wait_for(run(Reached(), DEPOSIT, PAYOUT), 5)
    assert outcomes.outcomes == (
        PaymentStarted("pay_1", "prv_1", ""),
        PaymentStarted("pay_2", "prv_1", ""),
    )
