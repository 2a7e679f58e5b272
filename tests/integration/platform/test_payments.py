"""Payments end to end: the real provider process, the gateway's door, and kill -9 in between."""

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.platform import Platform
from shared.runtime.adapters.engines import nats_server
from tests.integration.gateway.guests import PRICE_CENTS, House, terms
from tests.integration.platform.cutting import Wire
from tests.integration.platform.till import CENTS, DESK_CENTS, WEBHOOKS, Till, deliver, webhook
from tests.integration.platform.watching import SECONDS, until

SETTINGS = {
    "ROLLFORWARD_LEASE_TTL_S": "2",
    "ROLLFORWARD_WALLET_BONUS_CENTS": "0",
    "ROLLFORWARD_PROVIDER_LATE_MS": "1000",
    "ROLLFORWARD_PROVIDER_PAUSE_MS": "100",
    "ROLLFORWARD_PROVIDER_RETRY_MAX_MS": "500",
}


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
    assert payment in await differing(till)
    decision = {"correction": f"cor_{payment[4:]}", "corrects": 1, "lines": [], "reason": "kept"}
    answer = await till.house.operator.post(
        "/api/operator/corrections", json={**decision, "settles": payment}
    )
    assert answer.status_code == 201, answer.text
    assert payment not in await differing(till)


async def differing(till):
    waiting = (await till.house.operator.get("/api/operator/payments")).json()["differing"]
    return [one["payment"] for one in waiting]


@pytest.mark.parametrize("kind", ["deposits", "withdrawals"])
async def test_an_empty_name_is_no_name(till, kind):
    body = {"amount_cents": CENTS, "payment": ""}
    answer = await till.guest.http.post(f"/api/me/{kind}", json=body)
    assert (answer.status_code, answer.json()["reason"]) == (422, "payment_invalid")


# --- webhooks -------------------------------------------------------------------------------


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
