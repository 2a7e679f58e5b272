"""The wallet's rules, told as given/when/then rows: one row, one reason to exist."""

import pytest
from msgspec.structs import replace

from services.wallet.core import JournalContradicted, respond
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
)
from shared.contracts.wallet import (
    AccountView,
    Deposit,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    MoneyDeposited,
    Posting,
    PrizePaid,
    ReadAccount,
)
from shared.kernel.decider import Refused
from tests.core.wallet.balances import TrialBalance, trial_balance
from tests.core.wallet.given import DECIDER
from tests.people import signed_up

ANN, BEA, TRN = "ply_ann", "ply_bea", "trn_1"
ENTRY = f"{TRN}/{ANN}/1"
ABOUT = {"tournament": TRN, "entry": ENTRY, "player": ANN}

KNOWN = signed_up(ANN)
IDENTIFY = KNOWN[-1]
DEPOSIT = Deposit(player=ANN, amount_cents=5_000, reference="bank-1")
REQUESTED = EntryRequested(**ABOUT, fee_cents=1_000, commission_cents=100, deadline_ms=9)
REGISTERED = PlayerRegistered(**ABOUT, fee_cents=1_000, commission_cents=100)
DECLINED = EntryDeclined(**ABOUT, reason="full")
EXPIRED = EntryExpired(**ABOUT)
UNREGISTERED = PlayerUnregistered(**ABOUT, refund_cents=1_100)
PRIZE = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=600)

RICH = (*KNOWN, DEPOSIT)
HELD = (*RICH, REQUESTED)
ENTERED = (*HELD, REGISTERED)


def after(*commands):
    """Return the state after these commands, all of which must be accepted."""
    wallet = DECIDER.initial
    for command in commands:
        _, wallet = DECIDER.step(wallet, command, 0)
    return wallet


def with_status(wallet, status):
    """Put Ann's account in a state that no event leads to yet."""
    account = replace(wallet.accounts[ANN], status=status)
    return replace(wallet, accounts=wallet.accounts.insert(ANN, account))


def postings(*lines):
    return tuple(Posting(*line) for line in lines)


REQUEST_ROWS = [
    # case, given, when, then
    (
        "deposits",
        KNOWN,
        DEPOSIT,
        (
            MoneyDeposited(
                player=ANN,
                amount_cents=5_000,
                reference="bank-1",
                postings=postings(("external", -5_000, -5_000), (f"cash/{ANN}", 5_000, 5_000)),
            ),
        ),
    ),
    ("deposits again", RICH, DEPOSIT, ()),
    (
        "other amount, same payment",
        RICH,
        replace(DEPOSIT, amount_cents=1),
        Refused("exists_with_different_content"),
    ),
    (
        "other player, same payment",
        RICH,
        replace(DEPOSIT, player=BEA),
        Refused("exists_with_different_content"),
    ),
    ("deposits for nobody", (), DEPOSIT, Refused("unknown_account")),
    ("deposits for nonsense", RICH, replace(DEPOSIT, player=""), Refused("player_id_invalid")),
    (
        "deposits nothing",
        RICH,
        replace(DEPOSIT, amount_cents=0),
        Refused("amount_must_be_positive"),
    ),
    (
        "deposits a debt",
        RICH,
        replace(DEPOSIT, amount_cents=-1),
        Refused("amount_must_be_positive"),
    ),
    (
        "deposits too much",
        RICH,
        replace(DEPOSIT, amount_cents=100_000_001),
        Refused("amount_too_large"),
    ),
    ("no reference", RICH, replace(DEPOSIT, reference=""), Refused("reference_invalid")),
    ("blank in it", RICH, replace(DEPOSIT, reference="a b"), Refused("reference_invalid")),
    ("not ASCII", RICH, replace(DEPOSIT, reference="é"), Refused("reference_invalid")),
    ("too long", RICH, replace(DEPOSIT, reference="r" * 65), Refused("reference_invalid")),
]

FACT_ROWS = [
    (
        "holds",
        RICH,
        REQUESTED,
        EntryHeld(
            **ABOUT,
            price_cents=1_100,
            postings=postings((f"cash/{ANN}", -1_100, 3_900), (f"hold/{ANN}", 1_100, 1_100)),
        ),
    ),
    (
        "holds a free entry",
        KNOWN,
        replace(REQUESTED, fee_cents=0, commission_cents=0),
        EntryHeld(**ABOUT, price_cents=0, postings=()),
    ),
    ("nobody", (), REQUESTED, EntryRefused(**ABOUT, reason="unknown_account")),
    ("not identified", KNOWN[:1], REQUESTED, EntryRefused(**ABOUT, reason="not_identified")),
    (
        "too poor by a cent",
        (*KNOWN, replace(DEPOSIT, amount_cents=1_099)),
        REQUESTED,
        EntryRefused(**ABOUT, reason="insufficient_funds"),
    ),
    (
        "posts",
        HELD,
        REGISTERED,
        EntryPosted(
            **ABOUT,
            fee_cents=1_000,
            commission_cents=100,
            postings=postings(
                (f"hold/{ANN}", -1_100, 0),
                (f"pool/{TRN}", 1_000, 1_000),
                ("commission", 100, 100),
            ),
        ),
    ),
    (
        "declined",
        HELD,
        DECLINED,
        EntryReleased(
            **ABOUT,
            price_cents=1_100,
            postings=postings((f"hold/{ANN}", -1_100, 0), (f"cash/{ANN}", 1_100, 5_000)),
        ),
    ),
    (
        "expired",
        HELD,
        EXPIRED,
        EntryReleased(
            **ABOUT,
            price_cents=1_100,
            postings=postings((f"hold/{ANN}", -1_100, 0), (f"cash/{ANN}", 1_100, 5_000)),
        ),
    ),
    (
        "ends before it was heard of",
        RICH,
        EXPIRED,
        EntryReleased(**ABOUT, price_cents=0, postings=()),
    ),
    (
        "refunds",
        ENTERED,
        UNREGISTERED,
        EntryRefunded(
            **ABOUT,
            refund_cents=1_100,
            postings=postings(
                (f"pool/{TRN}", -1_000, 0), ("commission", -100, 0), (f"cash/{ANN}", 1_100, 5_000)
            ),
        ),
    ),
    (
        "pays a prize",
        ENTERED,
        PRIZE,
        PrizePaid(
            tournament=TRN,
            place=1,
            player=ANN,
            amount_cents=600,
            credited=f"cash/{ANN}",
            postings=postings((f"pool/{TRN}", -600, 400), (f"cash/{ANN}", 600, 4_500)),
        ),
    ),
    (
        "pays a prize to nobody known",
        ENTERED,
        replace(PRIZE, player=BEA),
        PrizePaid(
            tournament=TRN,
            place=1,
            player=BEA,
            amount_cents=600,
            credited="unclaimed",
            postings=postings((f"pool/{TRN}", -600, 400), ("unclaimed", 600, 600)),
        ),
    ),
    (
        "pays a prize of nothing",
        KNOWN[:1],
        replace(PRIZE, amount_cents=0),
        PrizePaid(
            tournament=TRN,
            place=1,
            player=ANN,
            amount_cents=0,
            credited=f"cash/{ANN}",
            postings=(),
        ),
    ),
]

UNMOVED_ROWS = [
    ("requested twice", HELD, REQUESTED),
    ("requested after the end", (*RICH, EXPIRED), REQUESTED),
    ("requested after a refusal", (REQUESTED, *RICH), REQUESTED),
    ("registered twice", ENTERED, REGISTERED),
    ("registered before the refund", (*ENTERED, UNREGISTERED), REGISTERED),
    ("refunded twice", (*ENTERED, UNREGISTERED), UNREGISTERED),
    ("declined twice", (*HELD, DECLINED), DECLINED),
    ("expired after it was declined", (*HELD, DECLINED), EXPIRED),
    ("declined because refused", (REQUESTED,), DECLINED),
    ("expired after the refund", (*ENTERED, UNREGISTERED), EXPIRED),
    ("paid twice", (*ENTERED, PRIZE), PRIZE),
]

CONTRADICTIONS = [
    ("registered, never held", RICH, REGISTERED),
    ("registered, refused", (REQUESTED,), REGISTERED),
    ("registered, released", (*HELD, EXPIRED), REGISTERED),
    ("registered at another price", HELD, replace(REGISTERED, fee_cents=999)),
    ("registered for another player", HELD, replace(REGISTERED, player=BEA)),
    ("held for another tournament", HELD, replace(REQUESTED, tournament="trn_2")),
    ("negative fee", RICH, replace(REQUESTED, fee_cents=-1)),
    ("negative commission", HELD, replace(REGISTERED, fee_cents=1_101, commission_cents=-1)),
    ("expired, posted", ENTERED, EXPIRED),
    ("refunded, only held", HELD, UNREGISTERED),
    ("refunded, unknown", RICH, UNREGISTERED),
    ("refunded above the price", ENTERED, replace(UNREGISTERED, refund_cents=1_101)),
    ("refunded below nothing", ENTERED, replace(UNREGISTERED, refund_cents=-1)),
    ("refunded out of a paid pool", (*ENTERED, PRIZE), UNREGISTERED),
    ("prize above the pool", ENTERED, replace(PRIZE, amount_cents=1_001)),
    ("prize below nothing", ENTERED, replace(PRIZE, amount_cents=-1)),
    ("place paid to another", (*ENTERED, PRIZE), replace(PRIZE, player=BEA, amount_cents=1)),
]


def named(rows):
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


@pytest.mark.parametrize(("given", "when", "then"), named(REQUEST_ROWS))
def test_requests(given, when, then):
    assert DECIDER.decide(after(*given), when, 0) == then


@pytest.mark.parametrize(("given", "when", "then"), named(FACT_ROWS))
def test_facts(given, when, then):
    assert DECIDER.decide(after(*given), when, 0)[0] == then


@pytest.mark.parametrize(("given", "when"), named(UNMOVED_ROWS))
def test_facts_that_no_longer_apply(given, when):
    wallet = after(*given)
    assert DECIDER.step(wallet, when, 0) == ((), wallet)


@pytest.mark.parametrize(("given", "when"), named(CONTRADICTIONS))
def test_facts_that_contradict_the_journal_stop_the_line(given, when):
    with pytest.raises(JournalContradicted, match=f"{TRN}|{ENTRY}"):
        DECIDER.step(after(*given), when, 0)


@pytest.mark.parametrize("status", ["suspended", "closed"])
@pytest.mark.parametrize(
    ("given", "when", "due_cents"),
    [
        pytest.param(HELD, EXPIRED, 1_100, id="release"),
        pytest.param(ENTERED, UNREGISTERED, 1_100, id="refund"),
        pytest.param(ENTERED, PRIZE, 600, id="prize"),
    ],
)
def test_what_is_due_to_a_barred_player_waits_unclaimed(status, given, when, due_cents):
    wallet = with_status(after(*given), status)
    _, paid = DECIDER.step(wallet, when, 0)
    assert paid.balances["unclaimed"] == due_cents
    assert paid.balances[f"cash/{ANN}"] == wallet.balances[f"cash/{ANN}"]


@pytest.mark.parametrize("status", ["suspended", "closed"])
def test_a_barred_player_is_refused_politely(status):
    wallet = with_status(after(*RICH), status)
    detail = f"the account is {status}"
    again = replace(DEPOSIT, reference="bank-2")
    assert DECIDER.decide(wallet, again, 0) == Refused("not_identified", detail)
    assert DECIDER.decide(wallet, IDENTIFY, 0) == Refused("not_pending", detail)
    assert DECIDER.decide(wallet, DEPOSIT, 0) == ()
    refused = EntryRefused(**ABOUT, reason="not_identified")
    assert DECIDER.decide(wallet, REQUESTED, 0) == (refused,)


def test_views():
    wallet = after(*HELD)
    view = AccountView(
        player=ANN,
        name="",
        status="identified",
        cash_cents=3_900,
        held_cents=1_100,
        withdrawable_cents=3_900,
        contract_filed=True,
    )
    balances = {f"cash/{ANN}": 3_900, "external": -5_000, f"hold/{ANN}": 1_100}
    assert respond(wallet, ReadAccount(player=ANN)) == view
    assert trial_balance(wallet) == TrialBalance(balances=balances, sum_cents=0)
    assert list(trial_balance(wallet).balances) == sorted(balances)
    assert respond(wallet, DEPOSIT) is None
