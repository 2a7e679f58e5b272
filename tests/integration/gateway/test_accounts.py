"""Accounts over HTTP: signing up, identification, deposits, and who may do what."""

import msgspec
import pytest

from tests.integration.gateway.conftest import LICENCE
from tests.people import PERSON

SOMEBODY = msgspec.to_builtins(PERSON)


async def test_a_new_account_is_pending_and_its_token_reads_it(house):
    stranger = await house.stranger("Ann")
    account = (await stranger.http.get("/api/me")).json()
    new = {
        "player": stranger.player,
        "name": "Ann",
        "status": "pending",
        "cash_cents": 0,
        "held_cents": 0,
    }
    assert {name: account[name] for name in new} == new


async def test_an_identified_player_has_what_was_deposited(house):
    guest = await house.guest("Ann", cents=2_499)
    account = (await guest.http.get("/api/me")).json()
    assert (account["status"], account["cash_cents"]) == ("identified", 2_499)


async def test_a_first_deposit_earns_the_bonus_which_stays_here(house):
    guest = await house.guest("Ann", cents=2_500)
    account = (await guest.http.get("/api/me")).json()
    assert (account["cash_cents"], account["withdrawable_cents"]) == (3_500, 2_500)


async def test_a_payment_counts_once(house):
    guest = await house.guest("Ann", cents=2_499)
    path = f"/api/operator/players/{guest.player}/deposits"
    body = {"amount_cents": 2_499, "reference": f"desk/{guest.player}"}
    again = await house.operator.post(path, json=body)
    assert (again.status_code, again.json()["cash_cents"]) == (201, 2_499)
    other = await house.operator.post(path, json={**body, "amount_cents": 2_498})
    assert (other.status_code, other.json()["reason"]) == (409, "exists_with_different_content")


async def test_the_journal_sums_to_zero(house):
    await house.guest("Ann", cents=700)
    balance = (await house.operator.get("/api/operator/trial-balance")).json()
    assert balance["sum_cents"] == 0
    assert balance["purposes"]["cash"]["balance_cents"] >= 700


async def test_balances_and_postings_are_read_page_by_page(house):
    guest = await house.guest("Ann", cents=700)
    account = f"cash/{guest.player}"
    page = (await house.operator.get("/api/operator/balances", params={"prefix": account})).json()
    (balance,) = page["balances"]
    assert (balance["account"], balance["balance_cents"]) == (account, 700)
    asked = {"prefix": account, "number": balance["number"] - 1}
    before = (await house.operator.get("/api/operator/balances", params=asked)).json()
    assert (before["number"], before["balances"]) == (balance["number"] - 1, [])
    asked = {"account": account, "limit": 1}
    posted = (await house.operator.get("/api/operator/postings", params=asked)).json()
    assert [p["balance_cents"] for p in posted["postings"]] == [700]
    refused = await house.operator.get("/api/operator/postings", params={"account": "\n"})
    assert (refused.status_code, refused.json()["reason"]) == (422, "account_invalid")


async def test_behind_every_posting_stands_its_commit(house):
    guest = await house.guest("Ann", cents=700)
    asked = {"account": f"cash/{guest.player}"}
    (posting,) = (await house.operator.get("/api/operator/postings", params=asked)).json()[
        "postings"
    ]
    answer = await house.operator.get(f"/api/operator/journal/{posting['n']}")
    found = answer.json()
    assert (answer.status_code, found["number"]) == (200, posting["number"])
    (event,) = found["commit"]["events"]
    assert (event["type"], event["amount_cents"]) == (posting["event"], 700)
    assert event["postings"][posting["place"]]["account"] == asked["account"]
    await house.guest("Bea", cents=1)
    after = (await house.operator.get(f"/api/operator/journal/{posting['n'] + 1}")).json()
    assert after["commit"]["prev"] == found["sha256"]


@pytest.mark.parametrize("n", ["0", "-1", str(10**9), str(2**63), str(10**30)])
async def test_a_commit_that_there_is_not_is_unknown(house, n):
    answer = await house.operator.get(f"/api/operator/journal/{n}")
    assert (answer.status_code, answer.json()["reason"]) == (404, "unknown_commit")


async def test_nobody_is_identified_on_nothing(house):
    stranger = await house.stranger("Ann")
    path = f"/api/operator/players/{stranger.player}"
    nobody = (await house.operator.get(path)).json()
    assert (nobody["account"]["name"], nobody["person"]) == ("Ann", None)
    answer = await house.operator.post(f"{path}/identification")
    assert (answer.status_code, answer.json()["reason"]) == (409, "no_contract")
    child = {**SOMEBODY, "born": "2020-02-29"}
    answer = await stranger.http.post("/api/me/contract", json=child)
    assert (answer.status_code, answer.json()["reason"]) == (422, "under_age")
    answer = await stranger.http.post("/api/me/contract", json=SOMEBODY)
    assert (answer.status_code, answer.json()["contract_filed"]) == (200, True)
    somebody = (await house.operator.get(path)).json()
    assert somebody["person"] == SOMEBODY


async def test_an_account_is_suspended_reinstated_closed_and_its_person_erased(house):
    guest = await house.guest("Ann Ymous", cents=100)
    path, why = f"/api/operator/players/{guest.player}", {"reason": "a question is open"}

    async def told(act: str, **body: object) -> str:
        answer = (await house.operator.post(f"{path}/{act}", **body)).json()
        return answer.get("status") or answer["reason"]

    assert await told("suspension", json=why) == "suspended"
    deposit = {"amount_cents": 1, "reference": f"more/{guest.player}"}
    assert await told("deposits", json=deposit) == "not_identified"
    assert await told("suspension", json={"reason": ""}) == "reason_invalid"
    assert await told("reinstatement", json=why) == "identified"
    assert await told("closure", json=why) == "money_left"
    assert await told("erasure") == "not_closed"
    other = await house.stranger("Bob")
    path = f"/api/operator/players/{other.player}"
    assert await told("closure", json=why) == "closed"
    assert await told("erasure") == await told("erasure") == "closed"
    assert (await other.http.get("/api/me")).json()["name"] == ""
    assert (await house.operator.get(path)).json()["person"] is None
    answer = await other.http.post("/api/me/contract", json=SOMEBODY)
    assert answer.json()["reason"] == "person_erased"


async def test_the_licence_is_shown_to_everybody(house):
    assert (await house.anybody.get("/api/about")).json() == {"licence": LICENCE}
    assert f"Licence {LICENCE}." in (await house.anybody.get("/docs")).text


OPERATORS_ONLY = [
    ("GET", "/api/operator/players/{player}"),
    ("POST", "/api/operator/players/{player}/identification"),
    ("POST", "/api/operator/players/{player}/suspension"),
    ("POST", "/api/operator/players/{player}/reinstatement"),
    ("POST", "/api/operator/players/{player}/closure"),
    ("POST", "/api/operator/players/{player}/erasure"),
    ("POST", "/api/operator/players/{player}/deposits"),
    ("GET", "/api/operator/players/{player}/conduct"),
    ("POST", "/api/operator/players/{player}/conduct/warning"),
    ("POST", "/api/operator/players/{player}/conduct/chat-suspension"),
    ("DELETE", "/api/operator/players/{player}/conduct/chat-suspension"),
    ("POST", "/api/operator/players/{player}/conduct/play-suspension"),
    ("DELETE", "/api/operator/players/{player}/conduct/play-suspension"),
    ("POST", "/api/operator/players/{player}/conduct/closure-request"),
    ("POST", "/api/operator/players/{player}/conduct/report"),
    ("GET", "/api/operator/players/{player}/payments"),
    ("GET", "/api/operator/payments"),
    ("POST", "/api/operator/withdrawals/pay_1/approval"),
    ("POST", "/api/operator/withdrawals/pay_1/refusal"),
    ("POST", "/api/operator/tournaments"),
    ("POST", "/api/operator/tournaments/trn_1/cancellation"),
    ("POST", "/api/operator/tournaments/trn_1/pause"),
    ("POST", "/api/operator/tournaments/trn_1/resumption"),
    ("POST", "/api/operator/corrections"),
    ("GET", "/api/operator/trial-balance"),
    ("GET", "/api/operator/balances"),
    ("GET", "/api/operator/postings?account=external"),
    ("GET", "/api/operator/journal/1"),
]
PLAYERS_ONLY = [
    ("GET", "/api/me"),
    ("POST", "/api/me/contract"),
    ("GET", "/api/me/limits"),
    ("PUT", "/api/me/limits"),
    ("POST", "/api/me/self-exclusion"),
    ("POST", "/api/me/deposits"),
    ("POST", "/api/me/withdrawals"),
    ("DELETE", "/api/me/withdrawals/pay_1"),
    ("GET", "/api/me/payments"),
    ("GET", "/api/me/payments/pay_1"),
    ("POST", "/api/tournaments/trn_1/entries"),
    ("DELETE", "/api/tournaments/trn_1/entries"),
    ("POST", "/api/tables/tbl_1/actions"),
    ("POST", "/api/tables/tbl_1/seeds"),
    ("POST", "/api/tables/tbl_1/chat"),
    ("POST", "/api/tables/tbl_1/out"),
    ("POST", "/api/tables/tbl_1/back"),
]


WRONG_TOKENS: list[dict[str, str | bytes]] = [
    {},
    {"Authorization": ""},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer nonsense"},
    {"Authorization": "Basic bm9uc2Vuc2U6"},
    {"Authorization": f"Bearer ply_{'0' * 26}.{'0' * 64}"},
    {"Authorization": f"Bearer {'x' * 2_000}"},
    {"Authorization": "Bearer ply_ü.ü".encode()},
]


@pytest.mark.parametrize(("method", "path"), OPERATORS_ONLY + PLAYERS_ONLY)
async def test_without_a_right_token_nobody_gets_in(house, method, path):
    path = path.format(player=f"ply_{'0' * 26}")
    for header in WRONG_TOKENS:
        answer = await house.anybody.request(method, path, headers=header)
        assert (answer.status_code, answer.json()["reason"]) == (401, "unauthorized"), header


@pytest.mark.parametrize(("method", "path"), OPERATORS_ONLY)
async def test_a_player_is_no_operator(guest, method, path):
    answer = await guest.http.request(method, path.format(player=guest.player))
    assert (answer.status_code, answer.json()["reason"]) == (403, "forbidden")


@pytest.mark.parametrize(("method", "path"), PLAYERS_ONLY)
async def test_an_operator_is_no_player(house, method, path):
    answer = await house.operator.request(method, path)
    assert (answer.status_code, answer.json()["reason"]) == (403, "forbidden")


async def test_another_players_seal_does_not_fit(house, guest):
    other = await house.stranger("Bob")
    mixed = f"{guest.player}.{other.token.partition('.')[2]}"
    answer = await house.anybody.get("/api/me", headers={"Authorization": f"Bearer {mixed}"})
    assert answer.status_code == 401
