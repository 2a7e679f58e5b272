"""Corrections over HTTP: an operator's name and reason stand in the journal with the money."""

import msgspec
import pytest

from shared.contracts.commit import Actor
from shared.contracts.wallet import CorrectionPosted, Posting

PATH = "/api/operator/corrections"


def body(player, cents=-300, **changes):
    return {
        "correction": f"cor_{player[4:]}",
        "corrects": 3,
        "lines": [
            {"account": f"cash/{player}", "amount_cents": cents},
            {"account": "external", "amount_cents": -cents},
        ],
        "reason": "noted 3 euros too high",
        **changes,
    }


async def test_a_correction_moves_money_once_in_the_operators_name(house, written):
    guest = await house.guest("Ann", cents=700)
    await written.begin()
    for _ in range(2):
        answer = await house.operator.post(PATH, json=body(guest.player))
        assert (answer.status_code, answer.json()) == (
            201,
            {"correction": f"cor_{guest.player[4:]}"},
        )
    assert (await guest.http.get("/api/me")).json()["cash_cents"] == 400
    (commit,) = await written.by_people()
    (event,) = commit.events
    posted = msgspec.json.decode(event, type=CorrectionPosted)
    assert commit.by == Actor("operator", posted.author)
    assert (posted.corrects, posted.reason) == (3, "noted 3 euros too high")
    assert posted.postings[0] == Posting(f"cash/{guest.player}", -300, 400)


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({"correction": "trn_1"}, 422, "correction_invalid"),
        ({"corrects": 0}, 422, "corrects_invalid"),
        ({"corrects": 10**30}, 422, "corrects_invalid"),
        ({"corrects": 1.5}, 400, "malformed"),
        ({"lines": []}, 422, "lines_invalid"),
        ({"lines": [{"account": "external", "amount_cents": 10**30}]}, 422, "lines_invalid"),
        ({"lines": [{"account": "external", "amount_cents": 1, "to": 1}]}, 400, "malformed"),
        ({"lines": [{"account": "external", "amount_cents": "1"}]}, 400, "malformed"),
        ({"reason": ""}, 422, "reason_invalid"),
        ({"reason": "x" * 1_001}, 400, "malformed"),
        ({"author": "somebody else"}, 400, "malformed"),
        ({"lines": [{"account": "external", "amount_cents": 1}]}, 422, "does_not_balance"),
    ],
)
async def test_bad_input_changes_nothing(house, guest, written, changes, status, reason):
    await written.begin()
    answer = await house.operator.post(PATH, json=body(guest.player, **changes))
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert await written.by_people() == []


async def test_what_the_journal_forbids_is_a_conflict(house, guest):
    unknown = await house.operator.post(PATH, json=body("ply_nobody"))
    assert (unknown.status_code, unknown.json()["reason"]) == (422, "unknown_ledger_account")
    short = await house.operator.post(PATH, json=body(guest.player, cents=-100_000))
    assert (short.status_code, short.json()["reason"]) == (409, "would_go_below_zero")


async def test_a_correction_is_an_operators(house, guest):
    answer = await guest.http.post(PATH, json=body(guest.player))
    assert (answer.status_code, answer.json()["reason"]) == (403, "forbidden")
