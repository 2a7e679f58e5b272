"""What rows about payments begin with: payments under way, and words of the provider."""

from msgspec.structs import replace

from services.wallet.core import HearProvider, PaymentRejected, PaymentStarted, TakeOutcomes
from shared.contracts.wallet import (
    ApproveWithdrawal,
    CancelWithdrawal,
    RefuseWithdrawal,
    RequestDeposit,
    RequestWithdrawal,
)
from tests.core.wallet.given import ANN, DECIDER, after, person

PAY, OUT = "pay_in", "pay_out"
CENTS = 2_000
DAY_MS = 24 * 60 * 60 * 1000
EXPIRES_MS = 14 * DAY_MS

DEPOSIT = RequestDeposit(player=ANN, payment=PAY, amount_cents=CENTS)
WITHDRAW = RequestWithdrawal(player=ANN, payment=OUT, amount_cents=CENTS)
APPROVE = ApproveWithdrawal(payment=OUT, author="carla")
REFUSE = RefuseWithdrawal(payment=OUT, author="carla", reason="a copy of the card is missing")
CANCEL = CancelWithdrawal(player=ANN, payment=OUT)

KNOWN = person(ANN)
RICH = person(ANN, 5_000)
ASKED = (*KNOWN, DEPOSIT)
HELD = (*RICH, WITHDRAW)
APPROVED = (*HELD, APPROVE)


def said(word, sequence=1, cents=CENTS, payment=PAY, **more):
    """What the provider says of the deposit."""
    return HearProvider(
        event=f"evt_{sequence}",
        payment=payment,
        kind="deposit",
        provider_reference="prv_1",
        word=word,
        amount_cents=cents,
        sequence=sequence,
        occurred_at_ms=sequence,
        reason="",
        **more,
    )


def of_payout(word, sequence=1, cents=CENTS):
    """What the provider says of the withdrawal."""
    return replace(said(word, sequence, cents, OUT), kind="withdrawal")


def outcome_of(wallet, *outcomes):
    """What came of the batch that is out."""
    return TakeOutcomes(number=wallet.errands.asked.number, outcomes=outcomes, left=())


def started(wallet, payment=PAY, page="https://pay.example/1"):
    return outcome_of(wallet, PaymentStarted(payment, "prv_1", page))


def rejected(wallet, payment=PAY):
    return outcome_of(wallet, PaymentRejected(payment, "card_blocked"))


def then(wallet, *commands, at_ms=0):
    """Return the state after these, all of which must be accepted."""
    for command in commands:
        _, wallet = DECIDER.step(wallet, command, at_ms)
    return wallet


def facts(wallet, command, at_ms=0):
    """What a command records, without the errands that are asked for in passing."""
    decision = DECIDER.decide(wallet, command, at_ms)
    return [event for event in decision if "errand" not in type(event).__name__.lower()]


def kinds(wallet, command, at_ms=0):
    """The names of what a command records."""
    return [type(event).__name__ for event in facts(wallet, command, at_ms)]


def held(wallet):
    """What every ledger account holds that holds anything."""
    return {account: cents for account, cents in wallet.balances.items() if cents}


def stage(wallet, payment=PAY):
    return wallet.payments[payment].stage


def confirmed(*more):
    """The state in which the deposit has arrived, and what came after it."""
    return then(after(*ASKED, said("succeeded")), *more)
