"""Bearer tokens: whose they are, and that nothing but the right ones is anybody's."""

from hashlib import sha256

import pytest
from hypothesis import given, strategies as st

from services.gateway.shell.tokens import Caller, Tokens
from shared.kernel.ids import new_id
from shared.runtime.settings import SettingsError

PLAYER = new_id("ply", 1, bytes(10))
SECRET = "a secret of the gateway"
DESK = "desk-token-0123456789"
TOKENS = Tokens(SECRET, [f"desk={DESK}", f"night={DESK[::-1]}"])


def test_a_token_is_its_players_under_this_secret_only():
    token = TOKENS.issue(PLAYER)
    assert TOKENS.caller(token) == Caller("player", PLAYER)
    assert Tokens("another secret of it", []).caller(token) is None


def test_operators_are_known_by_name():
    assert TOKENS.caller(DESK) == Caller("operator", "desk")
    assert TOKENS.caller(DESK[::-1]) == Caller("operator", "night")


def test_a_list_of_digests_knows_operators_and_holds_no_token():
    listed = f"sha256:{sha256(DESK.encode()).hexdigest()}"
    tokens = Tokens(SECRET, [f"desk={listed}"])
    assert tokens.caller(DESK) == Caller("operator", "desk")
    assert tokens.caller(listed) is None
    assert tokens.caller(listed.removeprefix("sha256:")) is None


@given(st.integers(0, 92), st.characters(codec="utf-8"))
def test_a_changed_token_is_nobodys(index, character):
    token = TOKENS.issue(PLAYER)
    changed = token[:index] + character + token[index + 1 :]
    if changed != token:
        assert TOKENS.caller(changed) is None


@given(st.text())
def test_any_text_is_nobodys_token(text):
    assert TOKENS.caller(text) is None


@pytest.mark.parametrize(
    "pair",
    [
        "",
        "desk",
        "=token-0123456789",
        "a b=token-0123456789",
        f"{DESK}=short",
        "desk=sha256:token-0123456789",
        f"desk=sha256:{'F' * 64}",
    ],
)
def test_a_malformed_operator_is_a_mistake_in_the_settings_that_shows_no_token(pair):
    with pytest.raises(SettingsError) as mistake:
        Tokens(SECRET, [pair])
    assert "token-0123456789" not in str(mistake.value).replace(DESK, "")
    assert "short" not in str(mistake.value)
