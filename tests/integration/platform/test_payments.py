"""Payments end to end: the real provider process, the gateway's door, and kill -9 in between."""

import asyncio
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import msgspec
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.platform import Platform
from services.provider.shell.signing import signed
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.ports import Line
from tests.integration.gateway.guests import PRICE_CENTS, Guest, House, terms
from tests.integration.platform.cutting import Wire

SECONDS = 40
CENTS = 2_000
DESK_CENTS = 1_000
WEBHOOKS = "/api/webhooks/payments"
SETTINGS = {
    "ROLLFORWARD_LEASE_TTL_S": "1",
    "ROLLFORWARD_WALLET_BONUS_CENTS": "0",
    "ROLLFORWARD_PROVIDER_LATE_MS": "1000",
    "ROLLFORWARD_PROVIDER_PAUSE_MS": "100",
    "ROLLFORWARD_PROVIDER_RETRY_MAX_MS": "500",
}

View = dict[str, Any]


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        yield wire


@pytest.fixture(scope="module")
def platform(postgres_url, wire) -> Iterator[Platform]:
    name = f"payments_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("create database {}").format(Identifier(name)))
    settings = {**SETTINGS, "ROLLFORWARD_WALLET_PROVIDER_URL": wire.url}
    with (
        TemporaryDirectory(prefix="rollforward-payments-") as home,
        nats_server(sync="2m") as nats_url,
        Platform(make_conninfo(postgres_url, dbname=name), nats_url, Path(home), settings) as all_,
    ):
        wire.there = all_.url("provider")
        all_.start()
        yield all_


class Till:
    """A guest at the gateway and at the provider, and whoever tests there."""

    def __init__(self, platform: Platform, house: House, guest: Guest) -> None:
        self.platform = platform
        self.house = house
        self.guest = guest
        token = (platform.home / "provider.token").read_text()
        self.provider = httpx.AsyncClient(
            base_url=platform.url("provider"), headers={"Authorization": f"Bearer {token}"}
        )

    async def choose(self, payment: str, scenario: str) -> None:
        body = {"payment": payment, "scenario": scenario}
        assert (await self.provider.post("/admin/scenarios", json=body)).status_code == 204

    async def says(self, payment: str, word: str) -> None:
        path = f"/admin/payments/{payment}/words"
        assert (await self.provider.post(path, json={"word": word})).status_code == 200

    async def all_delivered(self, payment: str) -> View:
        """Wait until the provider has nothing to say that was not taken."""

        async def at_provider() -> View:
            return (await self.provider.get(f"/admin/payments/{payment}")).json()

        return await until(at_provider, lambda it: all(one[2] for one in it["deliveries"]))

    async def asks(self, what: str, cents: int = CENTS, scenario: str = "") -> View:
        payment = f"pay_{uuid.uuid4().hex}"
        if scenario:
            await self.choose(payment, scenario)
        body = {"payment": payment, "amount_cents": cents}
        answer = await self.guest.http.post(f"/api/me/{what}", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def view(self, payment: str) -> View:
        return (await self.guest.http.get(f"/api/me/payments/{payment}")).json()

    async def comes_to(self, payment: str, *stages: str) -> View:
        return await until(lambda: self.view(payment), lambda it: it.get("stage") in stages)

    async def pays_in(self, scenario: str = "", decision: str = "confirm") -> str:
        """Ask for a deposit, and decide on the provider's page."""
        payment = (await self.asks("deposits", scenario=scenario))["payment"]
        view = await until(lambda: self.view(payment), lambda it: it.get("page"))
        page = await self.provider.get(view["page"])
        assert "20.00 EUR" in page.text
        done = await self.provider.post(view["page"], data={"decision": decision})
        assert done.status_code == 200, done.text
        return payment

    async def approves(self, payment: str) -> httpx.Response:
        return await self.house.operator.post(f"/api/operator/withdrawals/{payment}/approval")

    async def takes_out(self, scenario: str = "") -> str:
        payment = (await self.asks("withdrawals", DESK_CENTS, scenario))["payment"]
        assert (await self.approves(payment)).status_code == 200
        return payment

    async def account(self) -> tuple[str, int]:
        account = (await self.guest.http.get("/api/me")).json()
        return account["status"], account["cash_cents"]

    async def balance(self, account: str) -> int:
        asked = {"prefix": account}
        page = (await self.house.operator.get("/api/operator/balances", params=asked)).json()
        return sum(one["balance_cents"] for one in page["balances"])

    async def recorded(self, payment: str) -> list[str]:
        """The facts about a payment, in the order of the journal."""
        threads = Threads()
        store = PostgresStore(self.platform.settings.database_url, Line("wallet", 0), threads)
        rows = await store.read_log(0, 100_000)
        store.close()
        threads.close()
        events = [event for row in rows for event in msgspec.json.decode(row.data)["events"]]
        about = [event["type"] for event in events if event.get("payment") == payment]
        return [tag.split(".")[1] for tag in about]


async def until(get: Callable[[], Any], wanted: Callable[[Any], Any]) -> Any:
    """Look again and again; whoever is killed meanwhile is looked for until it is back."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = await get()
            if wanted(found):
                return found
            await asyncio.sleep(0.05)


@pytest.fixture
async def till(platform) -> AsyncIterator[Till]:
    async with House(platform.url("gateway"), platform.operator_token) as house:
        till = Till(platform, house, await house.guest("Ann", cents=DESK_CENTS))
        yield till
        await till.provider.aclose()


# --- deposits -------------------------------------------------------------------------------


async def test_a_deposit_is_confirmed_on_the_providers_page(till):
    payment = await till.pays_in()
    view = await till.comes_to(payment, "confirmed")
    assert view["moved_cents"] == CENTS
    assert await till.account() == ("identified", DESK_CENTS + CENTS)
    listed = (await till.guest.http.get("/api/me/payments")).json()["payments"]
    assert listed == [view]


async def test_a_deposit_that_is_declined_has_failed(till):
    payment = await till.pays_in(decision="decline")
    await till.comes_to(payment, "failed")
    assert await till.account() == ("identified", DESK_CENTS)


@pytest.mark.parametrize("scenario", ["duplicate", "out_of_order", "late"])
async def test_however_webhooks_come_the_money_comes_once(till, scenario):
    payment = await till.pays_in(scenario)
    await till.all_delivered(payment)
    assert (await till.view(payment))["stage"] == "confirmed"
    assert await till.account() == ("identified", DESK_CENTS + CENTS)
    facts = await till.recorded(payment)
    assert facts.count("deposit-confirmed") == facts.count("webhook-taken") == 1


async def test_a_failure_after_success_takes_the_money_back_and_suspends(till):
    payment = await till.pays_in("fails_after_success")
    await till.comes_to(payment, "reversed")
    assert await till.account() == ("suspended", DESK_CENTS)


async def test_a_chargeback_of_what_was_spent_is_the_operators_loss(till):
    payment = await till.pays_in()
    await till.comes_to(payment, "confirmed")
    before = await till.balance("chargebacks")
    for _ in range(2):
        tournament = await till.house.announce(terms())
        entered = await till.guest.http.post(f"/api/tournaments/{tournament}/entries")
        assert entered.status_code == 201, entered.text
    await till.says(payment, "charged_back")
    await till.comes_to(payment, "reversed")
    spent = 2 * PRICE_CENTS - DESK_CENTS
    assert await till.account() == ("suspended", 0)
    assert before - await till.balance("chargebacks") == spent
    again = await till.guest.http.post("/api/me/deposits", json={"amount_cents": 1})
    assert (again.status_code, again.json()["reason"]) == (409, "not_identified")
    trial = (await till.house.operator.get("/api/operator/trial-balance")).json()
    assert trial["sum_cents"] == 0


async def test_an_amount_that_was_not_asked_for_is_shown_to_operators(till):
    payment = (await till.asks("deposits"))["payment"]
    view = await till.comes_to(payment, "sent")
    body = webhook(payment, view["page"].rpartition("/")[2], CENTS + 1)
    before = await till.balance("unclaimed")
    assert (await deliver(till, body)).status_code == 204
    assert await till.balance("unclaimed") - before == CENTS + 1
    waiting = (await till.house.operator.get("/api/operator/payments")).json()["differing"]
    assert payment in [one["payment"] for one in waiting]


# --- webhooks -------------------------------------------------------------------------------


def webhook(payment: str, reference: str, cents: int = CENTS, **changes: Any) -> bytes:
    said = {
        "event": "evt_test",
        "payment": payment,
        "reference": reference,
        "kind": "deposit",
        "word": "succeeded",
        "amount_cents": cents,
        "currency": "EUR",
        "sequence": 1,
        "occurred_at_ms": 1,
        "reason": "",
    }
    return msgspec.json.encode({**said, **changes})


async def deliver(
    till: Till, body: bytes, *, secret: str = "", seconds_ago: int = 0
) -> httpx.Response:
    """Deliver a body as the provider would, or as somebody who would like to be it."""
    ours = secret or (till.platform.home / "provider.secret").read_text()
    signature = signed(ours, int(time.time()) - seconds_ago, body)
    headers = {"content-type": "application/json", "payment-signature": signature}
    return await till.house.anybody.post(WEBHOOKS, content=body, headers=headers)


async def test_only_the_provider_is_believed(till):
    payment = (await till.asks("deposits"))["payment"]
    view = await till.comes_to(payment, "sent")
    reference = view["page"].rpartition("/")[2]
    right = webhook(payment, reference)
    before = await till.recorded(payment)
    rows = [
        (await deliver(till, right, secret="x" * 64), 401, "webhook_forged"),
        (await deliver(till, right, seconds_ago=400), 401, "webhook_stale"),
        (await deliver(till, right, seconds_ago=-400), 401, "webhook_stale"),
        (await deliver(till, right + b" {}"), 400, "webhook_malformed"),
        (await deliver(till, webhook(payment, reference, surplus=1)), 400, "webhook_malformed"),
        (await deliver(till, webhook("pay_unheard", reference)), 404, "unknown_payment"),
        (await deliver(till, webhook(payment, "prv_other")), 404, "unknown_payment"),
        (await deliver(till, webhook(payment, reference, kind="payout")), 404, "unknown_payment"),
        (await till.house.anybody.post(WEBHOOKS, content=right), 401, "webhook_forged"),
    ]
    for answer, status, reason in rows:
        assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert await till.recorded(payment) == before
    for _ in range(2):  # What is replayed within five minutes is a duplicate.
        assert (await deliver(till, right)).status_code == 204
    assert (await till.recorded(payment)).count("deposit-confirmed") == 1


async def test_no_log_shows_the_secret(till):
    await till.comes_to(await till.pays_in(), "confirmed")
    for name in ("provider.secret", "provider.token"):
        secret = (till.platform.home / name).read_text()
        for process in till.platform.processes:
            assert secret not in till.platform.log(process).read_text()


# --- withdrawals ----------------------------------------------------------------------------


async def test_a_withdrawal_is_approved_and_paid(till):
    payment = (await till.asks("withdrawals", DESK_CENTS))["payment"]
    assert await till.account() == ("identified", 0)
    waiting = (await till.house.operator.get("/api/operator/payments")).json()["withdrawals"]
    assert payment in [one["payment"] for one in waiting]
    assert (await till.approves(payment)).status_code == 200
    await till.comes_to(payment, "paid")
    assert await till.balance(f"withdrawal/{till.guest.player}") == 0
    facts = ["withdrawal-held", "withdrawal-approved", "payment-sent", "webhook-taken"]
    assert sorted(await till.recorded(payment)) == sorted([*facts, "withdrawal-paid"])


@pytest.mark.parametrize(
    ("scenario", "stage"), [("fails", "released"), ("charged_back", "returned")]
)
async def test_a_withdrawal_that_does_not_arrive_is_cash_again(till, scenario, stage):
    payment = await till.takes_out(scenario)
    await till.comes_to(payment, stage)
    assert await till.account() == ("identified", DESK_CENTS)


async def test_a_withdrawal_can_be_called_off_until_it_is_approved(till):
    cancelled = (await till.asks("withdrawals", DESK_CENTS))["payment"]
    path = f"/api/me/withdrawals/{cancelled}"
    assert (await till.guest.http.delete(path)).json()["why"] == "cancelled"
    refused = (await till.asks("withdrawals", DESK_CENTS))["payment"]
    path = f"/api/operator/withdrawals/{refused}/refusal"
    answer = await till.house.operator.post(path, json={"reason": "a copy of the card is missing"})
    assert answer.json()["why"] == "refused"
    assert await till.account() == ("identified", DESK_CENTS)
    approved = await till.approves(refused)
    assert (approved.status_code, approved.json()["reason"]) == (409, "not_awaiting_approval")
    other = await till.house.guest("Bea")
    for path in (f"/api/me/payments/{refused}", "/api/me/payments/pay_nowhere"):
        assert (await other.http.get(path)).json()["reason"] == "unknown_payment"
    deleted = await other.http.delete(f"/api/me/withdrawals/{refused}")
    assert (deleted.status_code, deleted.json()["reason"]) == (404, "unknown_payment")


async def test_a_withdrawal_expires_by_itself(till, monkeypatch):
    setting = "ROLLFORWARD_WALLET_WITHDRAWAL_EXPIRES_MS"
    monkeypatch.setitem(till.platform._environ, setting, "1")
    await restart(till.platform)
    payment = (await till.asks("withdrawals", DESK_CENTS))["payment"]
    assert (await till.comes_to(payment, "released"))["why"] == "expired"
    late = await till.approves(payment)
    assert (late.status_code, late.json()["reason"]) == (409, "hold_expired")
    assert await till.account() == ("identified", DESK_CENTS)
    monkeypatch.undo()
    await restart(till.platform)


# --- crashes --------------------------------------------------------------------------------


async def restart(platform: Platform) -> None:
    await asyncio.to_thread(platform.kill, "wallet")
    platform.spawn("wallet")
    await asyncio.to_thread(platform.wait_ready)


def killed_at_the_answer(till: Till, wire: Wire) -> threading.Event:
    """Let the wallet be killed when the provider has answered, and before it has heard that."""
    killed = threading.Event()

    def kill() -> None:
        till.platform.kill("wallet")
        till.platform.spawn("wallet")
        killed.set()

    wire.cut = kill
    return killed


@pytest.mark.parametrize("what", ["deposits", "withdrawals"])
async def test_a_wallet_killed_between_the_answer_and_its_record_pays_once(till, wire, what):
    killed = killed_at_the_answer(till, wire)
    payment = (await till.asks(what, DESK_CENTS))["payment"]
    if what == "withdrawals":
        assert (await till.approves(payment)).status_code == 200
    assert await asyncio.to_thread(killed.wait, SECONDS)
    if what == "deposits":
        view = await until(lambda: till.view(payment), lambda it: it.get("page"))
        await till.provider.post(view["page"], data={"decision": "confirm"})
    await till.comes_to(payment, "confirmed", "paid")
    facts = await until(lambda: till.recorded(payment), lambda it: "payment-sent" in it)
    assert wire.keys.count(payment) >= 2
    assert [facts.count(one) for one in ("payment-sent", "webhook-taken")] == [1, 1]
    cash = 2 * DESK_CENTS if what == "deposits" else 0
    assert await till.account() == ("identified", cash)


async def test_a_wallet_killed_while_webhooks_come_hears_each_once(till):
    payment = (await till.asks("deposits", scenario="duplicate"))["payment"]
    view = await till.comes_to(payment, "sent")
    await asyncio.to_thread(till.platform.kill, "wallet")
    await till.provider.post(view["page"], data={"decision": "confirm"})
    till.platform.spawn("wallet")
    await till.comes_to(payment, "confirmed")
    await restart(till.platform)
    delivered = await till.all_delivered(payment)
    assert len(delivered["deliveries"]) == 3
    assert (await till.recorded(payment)).count("deposit-confirmed") == 1
    assert await till.account() == ("identified", DESK_CENTS + CENTS)


async def test_without_the_provider_payments_wait_and_the_desk_goes_on(till):
    before = (await till.asks("deposits"))["payment"]
    view = await till.comes_to(before, "sent")
    await asyncio.to_thread(till.platform.kill, "provider")
    payment = (await till.asks("deposits"))["payment"]
    path = f"/api/operator/players/{till.guest.player}/deposits"
    at_desk = {"amount_cents": 5, "reference": f"second-{till.guest.player}"}
    assert (await till.house.operator.post(path, json=at_desk)).status_code == 201
    assert (await till.view(payment))["stage"] == "requested"
    till.platform.spawn("provider")
    await till.comes_to(payment, "sent")
    await till.provider.post(view["page"], data={"decision": "confirm"})
    await till.comes_to(before, "confirmed")
