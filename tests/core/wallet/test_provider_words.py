"""Webhooks at the door: only the provider's are read, only fresh ones, only of one shape."""

import msgspec
import pytest
from hypothesis import given, strategies as st

from services.provider.shell.signing import is_signed, signed
from services.wallet.core import DECIDER, HearProvider
from services.wallet.settings import WalletSettings
from services.wallet.shell.signatures import TOLERANCE_MS, problem_with, signature
from services.wallet.shell.webhooks import Webhooks, word_in
from shared.contracts.wallet import DepositConfirmed, TakeWebhook
from shared.kernel.decider import Refused
from shared.runtime.settings import SettingsError, load
from tests.core.wallet.given import after, named
from tests.core.wallet.paying import ASKED, CENTS, PAY

OLD, NEW = "the-secret-of-last-year-all-of-it", "the-secret-of-this-year-all-of-it"
NOW_S = 1_800_000_000
NOW_MS = NOW_S * 1000
BODY = {
    "event": "evt_1",
    "payment": PAY,
    "reference": "prv_1",
    "kind": "deposit",
    "word": "succeeded",
    "amount_cents": CENTS,
    "currency": "EUR",
    "sequence": 1,
    "occurred_at_ms": NOW_MS,
    "reason": "",
}
DOOR = Webhooks((NEW, OLD))


def body(**changes):
    return msgspec.json.encode({**BODY, **changes})


def knock(content, secret=NEW, at_s=NOW_S, now_ms=NOW_MS, door=DOOR):
    """Deliver a body, signed, to a wallet that waits for a deposit."""
    webhook = TakeWebhook(body=content, signature=signed(secret, at_s, content))
    return door.heard_by(DECIDER).decide(after(*ASKED), webhook, now_ms)


def test_what_the_provider_signed_is_heard():
    for secret in (NEW, OLD):
        decision = knock(body(), secret)
        assert [type(event) for event in decision].count(DepositConfirmed) == 1


def test_a_secret_can_be_replaced_while_both_sign():
    content = body()
    both = signature(OLD, NOW_S, content) + "," + signature(NEW, NOW_S, content).split(",")[1]
    assert problem_with([NEW], both, content, NOW_MS) is None


FORGERIES = [
    ("nothing", ""),
    ("no moment", "v1=" + "0" * 64),
    ("no seal", f"t={NOW_S}"),
    ("another's seal", signed("x" * 32, NOW_S, body())),
    ("a seal of another body", signed(NEW, NOW_S, body(amount_cents=1))),
    ("another moment", signed(NEW, NOW_S - 1, body()).replace(str(NOW_S - 1), str(NOW_S))),
    ("a seal cut short", signed(NEW, NOW_S, body())[:-1]),
    ("capitals", signed(NEW, NOW_S, body()).upper()),
    ("a line more", signed(NEW, NOW_S, body()) + "\n"),
    ("too long", f"t={NOW_S}" + f",v1={'0' * 64}" * 100),
    ("no ASCII", "t=١,v1=" + "0" * 64),
]


@pytest.mark.parametrize("header", named(FORGERIES))
def test_what_nobody_signed_who_may_is_a_forgery(header):
    webhook = TakeWebhook(body=body(), signature=header)
    refused = DOOR.heard_by(DECIDER).decide(after(*ASKED), webhook, NOW_MS)
    assert refused == Refused("webhook_forged")


@given(st.binary(max_size=80), st.text(max_size=80))
def test_nothing_that_comes_by_raises(content, header):
    assert problem_with([NEW], header, content, NOW_MS) == "webhook_forged"
    assert not is_signed(NEW, header, content, NOW_S)


@pytest.mark.parametrize("off_ms", [-TOLERANCE_MS, 0, TOLERANCE_MS])
def test_clocks_may_differ_by_five_minutes(off_ms):
    assert problem_with([NEW], signed(NEW, NOW_S, b"x"), b"x", NOW_MS + off_ms) is None
    beyond = NOW_MS + off_ms + (1 if off_ms > 0 else -1)
    if off_ms:
        assert problem_with([NEW], signed(NEW, NOW_S, b"x"), b"x", beyond) == "webhook_stale"


def test_what_happened_days_ago_is_heard_if_it_is_signed_now():
    late = body(occurred_at_ms=NOW_MS - 9 * 24 * 60 * 60 * 1000)
    assert not isinstance(knock(late), Refused)
    assert knock(late, at_s=NOW_S - 600) == Refused("webhook_stale")


MALFORMED = [
    ("no JSON", b"{"),
    ("a list", b"[]"),
    ("too deep", b"[" * 5_000),
    ("too large", body(reason="x" * 20_000)),
    ("a field more", body(fee_cents=1)),
    ("a field less", msgspec.json.encode({k: v for k, v in BODY.items() if k != "sequence"})),
    ("nothing of money", body(amount_cents=0)),
    ("a float", body(amount_cents=1.5)),
    ("as text", body(amount_cents="2000")),
    ("too much", body(amount_cents=10**13)),
    ("another currency", body(currency="USD")),
    ("no such word", body(word="maybe")),
    ("no such kind", body(kind="gift")),
    ("number nothing", body(sequence=0)),
    ("a name with a line break", body(event="evt_1\n")),
    ("an empty name", body(reference="")),
]


@pytest.mark.parametrize("content", named(MALFORMED))
def test_what_is_not_of_the_shape_is_refused(content):
    assert knock(content).reason == "webhook_malformed"


def test_what_is_forged_is_not_even_read():
    assert knock(b"{", secret="x" * 32) == Refused("webhook_forged")
    assert knock(b"{", at_s=NOW_S - 600) == Refused("webhook_stale")


def test_free_text_is_kept_in_one_line_and_short():
    said = word_in(body(reason="card\n\x00lost " + "x" * 400))
    assert isinstance(said, HearProvider)
    assert said.reason.isprintable()
    assert said.reason.startswith("card  lost")
    assert len(said.reason) == 200


def test_a_payout_is_a_withdrawal_here():
    assert word_in(body(kind="payout")).kind == "withdrawal"


def test_without_a_secret_nobody_is_believed():
    assert knock(body(), door=Webhooks(())) == Refused("no_provider")


def test_both_sides_sign_alike_though_they_share_no_code():
    content = body()
    assert signed(NEW, NOW_S, content) == signature(NEW, NOW_S, content)
    assert is_signed(NEW, signature(NEW, NOW_S, content), content, NOW_S + 300)
    assert not is_signed(NEW, signature(NEW, NOW_S, content), content, NOW_S + 301)
    assert not is_signed(OLD, signature(NEW, NOW_S, content), content, NOW_S)


# --- settings -------------------------------------------------------------------------------

URL, SECRET = "ROLLFORWARD_WALLET_PROVIDER_URL", "ROLLFORWARD_WALLET_PROVIDER_SECRET"
NEEDED = {"DATABASE_URL": "x", "NATS_URL": "x"}


def test_an_address_and_a_secret_go_together():
    alone = load(WalletSettings, NEEDED)
    assert not alone.rules().provider
    both = load(WalletSettings, {**NEEDED, URL: "https://pay.example", SECRET: f"{NEW},{OLD}"})
    assert both.rules().provider
    assert both.wallet_provider_secret == (NEW, OLD)
    for half in ({URL: "https://pay.example"}, {SECRET: NEW}):
        with pytest.raises(SettingsError, match="both or none"):
            load(WalletSettings, {**NEEDED, **half})


def test_no_message_and_no_repr_shows_the_secret():
    with pytest.raises(SettingsError) as error:
        load(WalletSettings, {**NEEDED, URL: "https://pay.example", SECRET: "too short"})
    assert "too short" not in str(error.value)
    settings = load(WalletSettings, {**NEEDED, URL: "https://pay.example", SECRET: NEW})
    assert NEW not in repr(settings)
