"""Bad input over HTTP: every refusal is `{reason, detail}`, changes nothing, and is no fault."""

import msgspec
import pytest

from tests.integration.gateway.guests import new_command_id, terms
from tests.people import PERSON

HUGE = 10**30


def json(value) -> bytes:
    return msgspec.json.encode(value)


def with_terms(**changes) -> bytes:
    return json({"terms": {**msgspec.to_builtins(terms()), **changes}})


def paid_in(amount, reference: str = "r") -> bytes:
    return json({"amount_cents": amount, "reference": reference})


def why(reason: str = "x", **more) -> bytes:
    return json({"reason": reason, **more})


def paid_in_as(amount: bytes) -> bytes:
    return b'{"amount_cents": ' + amount + b', "reference": "r"}'


NOWHERE = {"type": "satellite", "winners": 1_000, "target": "trn_never"}
SIGN_UP = "/api/players"
DEPOSIT = "/api/operator/players/{player}/deposits"
ANNOUNCE = "/api/operator/tournaments"
ACT = "/api/tables/tbl_1/actions"
FOLD = {"do": "fold", "hand": "hnd_1", "decision": 1}
GIVE = "/api/tables/tbl_1/seeds"
SEED = {"hand": "hnd_1", "seed": "A" * 43 + "="}
CHAT = "/api/tables/tbl_1/chat"
CONDUCT = "/api/operator/players/{player}/conduct"
WARN, SILENCE = f"{CONDUCT}/warning", f"{CONDUCT}/chat-suspension"
REPORT = f"{CONDUCT}/report"
CMD = f"cmd_{'0' * 26}"

PLAYER, CONTRACT = "/api/operator/players/{player}", "/api/me/contract"
PAY_IN, PAY_OUT = "/api/me/deposits", "/api/me/withdrawals"
APPROVE = "/api/operator/withdrawals/{payment}/approval"
REFUSE = "/api/operator/withdrawals/{payment}/refusal"
WEBHOOK = "/api/webhooks/payments"
WHY = json({"reason": "no copy of the card"})


def payment(cents, **more) -> bytes:
    return json({"amount_cents": cents, **more})


def contract(**changes) -> bytes:
    return json({**msgspec.to_builtins(PERSON), **changes})


ROWS = [
    # who, path, body, status, reason
    ("anybody", SIGN_UP, b"", 400, "malformed"),
    ("anybody", SIGN_UP, b"{", 400, "malformed"),
    ("anybody", SIGN_UP, b"\xff", 400, "malformed"),
    ("anybody", SIGN_UP, b'{"name": "A"} {}', 400, "malformed"),
    ("anybody", SIGN_UP, b"[" * 60_000, 400, "malformed"),
    ("anybody", SIGN_UP, b'{"name": "\\ud800"}', 400, "malformed"),
    ("anybody", SIGN_UP, json(["Ann"]), 400, "malformed"),
    ("anybody", SIGN_UP, json({}), 400, "malformed"),
    ("anybody", SIGN_UP, json({"name": 7}), 400, "malformed"),
    ("anybody", SIGN_UP, json({"name": None}), 400, "malformed"),
    ("anybody", SIGN_UP, json({"name": "Ann", "player": "ply_1"}), 400, "malformed"),
    ("anybody", SIGN_UP, json({"name": "x" * 1_001}), 400, "malformed"),
    ("anybody", SIGN_UP, json({"name": ""}), 422, "name_invalid"),
    ("anybody", SIGN_UP, json({"name": "x" * 65}), 422, "name_invalid"),
    ("anybody", SIGN_UP, json({"name": "a\nb"}), 422, "name_invalid"),
    ("anybody", SIGN_UP, json({"name": "x" * 70_000}), 413, "body_too_large"),
    ("operator", DEPOSIT, paid_in(0), 422, "amount_must_be_positive"),
    ("operator", DEPOSIT, paid_in(-5), 422, "amount_must_be_positive"),
    ("operator", DEPOSIT, paid_in(HUGE), 422, "amount_too_large"),
    ("operator", DEPOSIT, paid_in_as(b"1e400"), 400, "malformed"),
    ("operator", DEPOSIT, paid_in_as(b"NaN"), 400, "malformed"),
    ("operator", DEPOSIT, paid_in_as(b"9" * 9_000), 400, "malformed"),
    ("operator", DEPOSIT, paid_in(1.5), 400, "malformed"),
    ("operator", DEPOSIT, paid_in("5"), 400, "malformed"),
    ("operator", DEPOSIT, paid_in(True), 400, "malformed"),
    ("operator", DEPOSIT, paid_in(5, ""), 422, "reference_invalid"),
    ("operator", DEPOSIT, paid_in(5, "a b"), 422, "reference_invalid"),
    ("operator", DEPOSIT.format(player="ply_1"), paid_in(5), 404, "unknown_account"),
    ("operator", DEPOSIT.format(player="me"), paid_in(5), 422, "player_id_invalid"),
    ("operator", "/api/operator/players/%00/identification", b"", 422, "player_id_invalid"),
    ("operator", "/api/operator/players/ply_1/identification", b"", 404, "unknown_account"),
    ("operator", f"{PLAYER}/suspension", json({}), 400, "malformed"),
    ("operator", f"{PLAYER}/suspension", why(" "), 422, "reason_invalid"),
    ("operator", f"{PLAYER}/suspension", why(author="ceo"), 400, "malformed"),
    ("operator", f"{PLAYER}/suspension", why("x" * 4_001), 400, "malformed"),
    ("operator", f"{PLAYER}/erasure", b"", 409, "not_closed"),
    ("operator", "/api/operator/players/ply_1/closure", why(), 404, "unknown_account"),
    ("player", CONTRACT, json({}), 400, "malformed"),
    ("player", CONTRACT, contract(player="ply_1"), 400, "malformed"),
    ("player", CONTRACT, contract(born=19400506), 400, "malformed"),
    ("player", CONTRACT, contract(name=""), 422, "name_invalid"),
    ("player", CONTRACT, contract(name="x" * 201), 422, "name_invalid"),
    ("player", CONTRACT, contract(born="6 May 1940"), 422, "born_invalid"),
    ("player", CONTRACT, contract(born="1940-02-30"), 422, "born_invalid"),
    ("player", CONTRACT, contract(born="2999-01-01"), 422, "under_age"),
    ("player", CONTRACT, contract(email="ann"), 422, "email_invalid"),
    ("player", CONTRACT, contract(document="a\nb"), 422, "document_invalid"),
    ("player", CONTRACT, contract(document="another"), 409, "not_pending"),
    ("player", PAY_IN, payment(0), 422, "amount_must_be_positive"),
    ("player", PAY_IN, payment(HUGE), 422, "amount_too_large"),
    ("player", PAY_IN, payment(5.5), 400, "malformed"),
    ("player", PAY_IN, payment(5, payment="mine"), 422, "payment_invalid"),
    ("player", PAY_IN, payment(5, player="ply_1"), 400, "malformed"),
    ("player", PAY_OUT, payment(-1), 422, "amount_must_be_positive"),
    ("player", PAY_OUT, payment(10_000_000), 409, "insufficient_funds"),
    ("player", PAY_OUT, payment(5, payment="pay_a/b"), 422, "payment_invalid"),
    ("operator", APPROVE.format(payment="pay_none"), b"", 404, "unknown_payment"),
    ("operator", APPROVE.format(payment="x"), b"", 422, "payment_invalid"),
    ("operator", REFUSE.format(payment="pay_none"), WHY, 404, "unknown_payment"),
    ("operator", REFUSE.format(payment="pay_none"), json({}), 400, "malformed"),
    ("operator", REFUSE.format(payment="pay_none"), json({"reason": ""}), 422, "reason_invalid"),
    ("anybody", WEBHOOK, b"", 401, "webhook_forged"),
    ("anybody", WEBHOOK, b"[" * 40_000, 401, "webhook_forged"),
    ("operator", WEBHOOK, json({"payment": "pay_1"}), 401, "webhook_forged"),
    ("anybody", WEBHOOK, b"x" * 70_000, 413, "body_too_large"),
    ("operator", ANNOUNCE, json({}), 400, "malformed"),
    ("operator", ANNOUNCE, with_terms(rake=1), 400, "malformed"),
    ("operator", ANNOUNCE, with_terms(fee_cents=-1), 422, "terms_invalid"),
    ("operator", ANNOUNCE, with_terms(fee_cents=HUGE), 422, "terms_invalid"),
    ("operator", ANNOUNCE, with_terms(starting_chips=HUGE), 422, "terms_invalid"),
    ("operator", ANNOUNCE, with_terms(entries=1), 422, "terms_invalid"),
    ("operator", ANNOUNCE, with_terms(levels=[]), 422, "terms_invalid"),
    ("operator", ANNOUNCE, with_terms(rule_set="house"), 422, "terms_invalid"),
    ("operator", ANNOUNCE, with_terms(prizes={"type": "lottery"}), 400, "malformed"),
    ("operator", ANNOUNCE, with_terms(prizes=NOWHERE), 422, "unknown_target"),
    ("player", ACT, json({}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "do": "cheat"}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "player": "ply_1"}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "to_chips": 5}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "do": "raise"}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "do": "raise", "to_chips": HUGE}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "decision": HUGE}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "hand": "x" * 129}), 400, "malformed"),
    ("player", ACT, json({**FOLD, "table": "tbl_2"}), 400, "malformed"),
    ("player", ACT, json(FOLD), 409, "unknown_hand"),
    ("player", ACT, json({**FOLD, "id": "mine"}), 422, "command_id_invalid"),
    ("player", ACT, json({**FOLD, "id": CMD}), 409, "command_too_old"),
    ("player", "/api/tables/trn_1/actions", json(FOLD), 404, "unknown_table"),
    ("player", "/api/tables/tbl_>.*/actions", json(FOLD), 404, "unknown_table"),
    ("player", GIVE, json(SEED), 409, "unknown_hand"),
    ("player", GIVE, json({**SEED, "seed": "?"}), 400, "malformed"),
    ("player", GIVE, json({**SEED, "seed": "A" * 100}), 400, "malformed"),
    ("player", GIVE, json({**SEED, "player": "ply_1"}), 400, "malformed"),
    ("player", GIVE, json({**SEED, "table": "tbl_2"}), 400, "malformed"),
    ("player", CHAT, json({}), 400, "malformed"),
    ("player", CHAT, json({"text": 5}), 400, "malformed"),
    ("player", CHAT, json({"text": "x" * 1_001}), 400, "malformed"),
    ("player", CHAT, json({"text": "hello", "player": "ply_1"}), 400, "malformed"),
    ("player", CHAT, json({"text": "hello", "table": "tbl_2"}), 400, "malformed"),
    ("player", CHAT, json({"text": "hello"}), 403, "not_seated"),
    ("player", "/api/tables/trn_1/chat", json({"text": "hello"}), 404, "unknown_table"),
    ("operator", WARN, json({}), 400, "malformed"),
    ("operator", WARN, why("x" * 4_001), 400, "malformed"),
    ("operator", WARN, why(author="me"), 400, "malformed"),
    ("operator", WARN, why(""), 422, "reason_invalid"),
    ("operator", WARN, why("x" * 1_001), 422, "reason_invalid"),
    ("operator", REPORT.format(player="ply_1"), why(), 404, "unknown_account"),
    ("operator", REPORT.format(player="me"), why(), 422, "player_id_invalid"),
    ("operator", SILENCE, why(until_ms=1), 422, "until_in_the_past"),
    ("operator", SILENCE, why(until_ms=HUGE), 422, "until_too_far"),
    ("operator", SILENCE, why(until_ms="1"), 400, "malformed"),
    ("operator", SILENCE, why(), 409, "not_warned"),
    ("operator", f"{CONDUCT}/play-suspension", why(), 409, "not_warned"),
    ("operator", f"{CONDUCT}/closure-request", why(), 409, "not_warned"),
    ("player", "/api/tables/tbl_1/out", b"", 403, "not_seated"),
    ("player", "/api/tables/tbl_1/back", b"", 403, "not_seated"),
    ("player", "/api/tables/1/out", b"", 404, "unknown_table"),
]  # fmt: skip


@pytest.fixture
async def people(house, guest):
    return {"anybody": house.anybody, "operator": house.operator, "player": guest.http}


async def test_what_is_wrong_is_refused_with_its_reason_and_changes_nothing(people, guest, written):
    await written.begin()
    for who, path, body, status, reason in ROWS:
        headers = {"content-type": "application/json"}
        answer = await people[who].post(
            path.format(player=guest.player), content=body, headers=headers
        )
        said = f"{who} {path} {body[:80]!r}: {answer.text}"
        assert (answer.status_code, answer.json().get("reason")) == (status, reason), said
        assert set(answer.json()) == {"reason", "detail"}, said
        assert "Traceback" not in answer.text, said
    assert not await written.by_people()


async def test_a_proof_is_for_people_known_here_and_of_hands_that_have_ended(house, table):
    for path, status, reason in (
        (f"/api/hands/{table.hand}/proof", 409, "hand_not_ended"),
        ("/api/hands/hnd_nowhere/proof", 404, "hand_not_found"),
        ("/api/hands/trn_1/proof", 404, "hand_not_found"),
        ("/api/tournaments/trn_nowhere/draws", 404, "unknown_tournament"),
        ("/api/tournaments/tbl_1/draws", 404, "unknown_tournament"),
    ):
        answer = await table.actor.http.get(path)
        assert (answer.status_code, answer.json()["reason"]) == (status, reason), path
        nobody = await house.anybody.get(path)
        assert (nobody.status_code, nobody.json()["reason"]) == (401, "unauthorized"), path


UNKNOWN = [
    ("GET", "/", 404, "unknown_path"),
    ("GET", "/api", 404, "unknown_path"),
    ("GET", "/api/players/ply_1", 404, "unknown_path"),
    ("GET", "/api/../../etc/passwd", 404, "unknown_path"),
    ("GET", "/schema/swagger", 404, "unknown_path"),
    ("GET", "/api/players", 405, "wrong_method"),
    ("PUT", "/api/me", 405, "wrong_method"),
    ("PATCH", "/api/tournaments", 405, "wrong_method"),
    ("GET", "/api/play", 405, "wrong_method"),
]


@pytest.mark.parametrize(("method", "path", "status", "reason"), UNKNOWN)
async def test_unknown_paths_and_wrong_methods(house, method, path, status, reason):
    answer = await house.anybody.request(method, path)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
async def test_only_json_is_read(house, kind):
    headers = {"content-type": kind}
    answer = await house.anybody.post(SIGN_UP, content=b'{"name": "Ann"}', headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (415, "not_json")


async def test_a_body_that_lies_about_its_length_is_still_too_large(house):
    async def chunks():
        for _ in range(100):
            yield b" " * 1_024

    headers = {"content-type": "application/json"}
    answer = await house.anybody.post(SIGN_UP, content=chunks(), headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (413, "body_too_large")


async def test_actions_that_the_hand_does_not_allow(table, written):
    actor, other = table.actor, table.other
    rows = [
        (other, table.move("fold"), "not_your_turn"),
        (actor, table.move("check"), "cannot_check"),
        (actor, table.move("raise", to_chips=-40), "amount_must_be_positive"),
        (actor, table.move("raise", to_chips=0), "amount_must_be_positive"),
        (actor, table.move("raise", to_chips=21), "raise_below_minimum"),
        (actor, table.move("raise", to_chips=10**9), "not_enough_chips"),
        (actor, {**table.move("call"), "decision": 0}, "decision_passed"),
        (actor, {**table.move("call"), "decision": 2}, "decision_not_open"),
        (actor, {**table.move("call"), "hand": "hnd_1"}, "unknown_hand"),
    ]
    await written.begin()
    for guest, move, reason in rows:
        answer = await guest.http.post(f"/api/tables/{table.table}/actions", json=move)
        assert answer.json()["reason"] == reason, (move, answer.text)
        assert answer.status_code in {409, 422}
    assert not await written.by_people()


async def test_a_seed_is_nothing_for_a_tournament_without_player_entropy(table, written):
    await written.begin()
    seed = {**SEED, "hand": table.move("fold")["hand"]}
    answer = await table.actor.http.post(f"/api/tables/{table.table}/seeds", json=seed)
    assert (answer.status_code, answer.json()["reason"]) == (409, "no_player_entropy")
    assert not await written.by_people()


async def test_a_stranger_cannot_act_at_a_table(table, guest, written):
    await written.begin()
    answer = await table.act(guest, "fold")
    assert (answer.status_code, answer.json()["reason"]) == (403, "not_seated")
    out = await guest.http.post(f"/api/tables/{table.table}/out")
    assert (out.status_code, out.json()["reason"]) == (403, "not_seated")
    assert not await written.by_people()


async def test_the_same_id_is_the_same_command_and_a_late_one_is_refused(table, written):
    await written.begin()
    command_id = new_command_id()
    first = await table.act(table.actor, "call", id=command_id)
    assert first.status_code == 200, first.text
    again = await table.act(table.actor, "call", id=command_id)
    assert again.json() == first.json()
    late = await table.act(table.actor, "call", id=new_command_id())
    assert (late.status_code, late.json()["reason"]) == (409, "decision_passed")
    assert [commit.cause.command for commit in await written.by_people()] == [command_id]
