"""The provider's words, in whatever order and however often they come.

The provider numbers its words on a payment, and the highest number is its final word: one with
the number of a word that was heard, or a lower one, records nothing. So is a duplicate, and so is
one that was overtaken; what those between had to say is in what the last one says.

A word is refused, and the provider will say it again, for the first of these that holds:

    webhook_malformed   a word that there is not for this kind of payment
    unknown_payment     none of ours, of another kind, never sent, or under another reference
"""

from collections.abc import Callable, Mapping

from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.payments.commands import HearProvider
from services.wallet.core.payments.deposits import Events, deposit_lost, deposit_succeeded
from services.wallet.core.payments.payouts import payout_failed, payout_succeeded
from services.wallet.core.payments.state import Payment
from services.wallet.core.payments.withdrawals import was_approved
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import PaymentKind, ProviderWord, WebhookTaken
from shared.kernel.decider import Refused

Meaning = Callable[[Wallet, Payment, HearProvider, Now], Events]

MEANINGS: Mapping[tuple[PaymentKind, ProviderWord], Meaning] = {
    ("deposit", "succeeded"): deposit_succeeded,
    ("deposit", "failed"): deposit_lost,
    ("deposit", "charged_back"): deposit_lost,
    ("withdrawal", "succeeded"): payout_succeeded,
    ("withdrawal", "failed"): payout_failed,
    ("withdrawal", "returned"): payout_failed,
}


def hear_provider(wallet: Wallet, said: HearProvider, now: Now) -> Decision:
    """Record a word that is newer than all before, and what follows from it."""
    meaning = MEANINGS.get((said.kind, said.word))
    if meaning is None:
        return Refused("webhook_malformed", f"no {said.kind} is {said.word}")
    payment = wallet.payments.get(said.payment)
    if payment is None or is_foreign(payment, said):
        return Refused("unknown_payment")
    if said.sequence <= payment.heard:
        return ()
    taken = WebhookTaken(
        payment=said.payment,
        event=said.event,
        sequence=said.sequence,
        occurred_at_ms=said.occurred_at_ms,
        provider_reference=said.provider_reference,
        word=said.word,
        amount_cents=said.amount_cents,
        reason=said.reason,
    )
    return (taken, *meaning(wallet, payment, said, now))


def is_foreign(payment: Payment, said: HearProvider) -> bool:
    """Say whether the provider cannot mean this payment, as far as we know it."""
    if payment.kind != said.kind:
        return True
    if payment.kind == "withdrawal" and not was_approved(payment):
        return True
    return payment.reference not in ("", said.provider_reference)


DECIDES: Decides = {HearProvider: hear_provider}
