"""What an operator asks of the gateway from the command line, and what comes of it."""

from datetime import UTC, datetime

import httpx
import msgspec
import pytest

from services.cli.tournament import command, desk
from services.cli.tournament.command import create
from services.cli.tournament.desk import Desk, NotDone
from services.cli.tournament.file import read
from shared.contracts.director import Terms
from shared.runtime.settings import SettingsError
from tests.core.cli.tournament_files import json_file, written


@pytest.fixture
def answering(monkeypatch):
    """Let the gateway answer this, and keep what it was asked."""
    asked = []

    def answer_with(answer):
        def post(url, **request):
            asked.append((url, request))
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(httpx, "post", post)
        return asked

    monkeypatch.setenv("OPERATOR_TOKEN", "0" * 32)
    return answer_with


def test_a_start_that_is_past_is_announced_to_nobody(tmp_path, answering, capsys):
    asked = answering(httpx.Response(201, json={"tournament": "trn_1"}))
    path = json_file(tmp_path, start="2020-01-01T00:00:00Z")
    assert create(path, desk=Desk("http://gateway")) == 1
    assert "the start is past" in capsys.readouterr().err
    future = f"{datetime.now(UTC).year + 1}-01-01T00:00:00Z"
    path = json_file(tmp_path, start=future)
    assert create(path, desk=Desk("http://gateway/")) == 0
    assert capsys.readouterr().out == "trn_1\n"
    ((url, request),) = asked
    assert url == "http://gateway/api/operator/tournaments"
    assert request["headers"] == {"Authorization": f"Bearer {'0' * 32}"}
    assert msgspec.convert(request["json"]["terms"], Terms) == read(path).terms


ANSWERS = [
    # what comes back, what the operator is told
    (
        httpx.Response(409, json={"reason": "already_started", "detail": ""}),
        "refused: already_started",
    ),
    (httpx.Response(422, json={"reason": "x", "detail": "y"}), "refused: x (y)"),
    (httpx.Response(502, text="<html>"), "answers 502, as no gateway"),
    (httpx.Response(500, json=[]), "refused: 500"),
    (httpx.ReadTimeout("slow"), "does not answer"),
]


@pytest.mark.parametrize(("answer", "told"), ANSWERS)
def test_what_the_gateway_did_not_do_is_1_and_says_why(answer, told, answering, capsys):
    answering(answer)
    assert command.cancel("trn_1", reason="x", desk=Desk("http://gateway")) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("token", ["", "token\nof two lines", "tökén"])
def test_without_a_gateway_or_a_token_it_is_2(token, tmp_path, monkeypatch):
    monkeypatch.delenv("OPERATOR_TOKEN", raising=False)
    with pytest.raises(SettingsError, match="token"):
        Desk("http://gateway", written(tmp_path, token)).act("trn_1", "pause", reason="x")
    with pytest.raises(SettingsError, match="token"):
        Desk("http://gateway").act("trn_1", "pause", reason="x")
    monkeypatch.setenv("OPERATOR_TOKEN", "0" * 32)
    for address in ("", "gateway", "ftp://gateway", "http://x:port"):
        with pytest.raises(SettingsError, match=r"gateway is named|://|nvalid"):
            Desk(address).act("trn_1", "pause", reason="x")


def test_an_id_leads_nowhere_else(answering):
    asked = answering(httpx.Response(200, json={}))
    Desk("http://gateway").act("../players?x", "pause", reason="x")
    assert asked[0][0] == f"http://gateway{desk.TOURNAMENTS}/..%2Fplayers%3Fx/pause"


def test_nobody_there_is_said(monkeypatch):
    monkeypatch.setenv("OPERATOR_TOKEN", "0" * 32)
    with pytest.raises(NotDone, match="does not answer"):
        Desk("http://127.0.0.1:9").act("trn_1", "pause", reason="x")
