"""Accounts over HTTP: signing up, identification, deposits, and who may do what."""

import pytest


async def test_a_new_account_is_pending_and_its_token_reads_it(house):
    stranger = await house.stranger("Ann")
    account = (await stranger.http.get("/api/me")).json()
    assert account == {
        "player": stranger.player,
        "name": "Ann",
        "status": "pending",
        "cash_cents": 0,
        "held_cents": 0,
    }


async def test_an_identified_player_has_what_was_deposited(house):
    guest = await house.guest("Ann", cents=2_500)
    account = (await guest.http.get("/api/me")).json()
    assert (account["status"], account["cash_cents"]) == ("identified", 2_500)


async def test_a_payment_counts_once(house):
    guest = await house.guest("Ann", cents=2_500)
    path = f"/api/operator/players/{guest.player}/deposits"
    body = {"amount_cents": 2_500, "reference": f"desk/{guest.player}"}
    again = await house.operator.post(path, json=body)
    assert (again.status_code, again.json()["cash_cents"]) == (201, 2_500)
    other = await house.operator.post(path, json={**body, "amount_cents": 2_501})
    assert (other.status_code, other.json()["reason"]) == (409, "exists_with_different_content")


async def test_the_journal_sums_to_zero(house):
    guest = await house.guest("Ann", cents=700)
    balance = (await house.operator.get("/api/operator/trial-balance")).json()
    assert balance["sum_cents"] == 0
    assert balance["balances"][f"cash/{guest.player}"] == 700


OPERATORS_ONLY = [
    ("POST", "/api/operator/players/{player}/identification"),
    ("POST", "/api/operator/players/{player}/deposits"),
    ("POST", "/api/operator/tournaments"),
    ("GET", "/api/operator/trial-balance"),
]
PLAYERS_ONLY = [
    ("GET", "/api/me"),
    ("POST", "/api/tournaments/trn_1/entries"),
    ("DELETE", "/api/tournaments/trn_1/entries"),
    ("POST", "/api/tables/tbl_1/actions"),
    ("POST", "/api/tables/tbl_1/seeds"),
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
