"""Somebody who pays at the gateway and at the provider, and tests what becomes of it."""

import time
import uuid
from typing import Any

import httpx
import msgspec

from services.cli.platform import Platform
from services.provider.shell.signing import signed
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.ports import Line
from tests.integration.gateway.guests import Guest, House
from tests.integration.platform.watching import until

SECONDS = 60
CENTS = 2_000
DESK_CENTS = 1_000
WEBHOOKS = "/api/webhooks/payments"

View = dict[str, Any]


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
        line = Line("wallet", 0)
        with patient_stores(self.platform.settings.database_url, [line]) as stores:
            rows = await stores[line].read_log(0, 100_000)
        events = [event for row in rows for event in msgspec.json.decode(row.data)["events"]]
        about = [event["type"] for event in events if event.get("payment") == payment]
        return [tag.split(".")[1] for tag in about]


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
