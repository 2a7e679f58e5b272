"""The payment provider as the wallet needs it: a port, and how errands are run through it.

What the provider has taken on it keeps under our name for the payment: told again, it answers
the same and does nothing more, so an errand may be run any number of times.
"""

from typing import Literal, NamedTuple, Protocol

import structlog

from services.wallet.core import Outcome, PaymentRejected, PaymentStarted
from shared.contracts.wallet import SendDeposit, SendWithdrawal

Kind = Literal["deposit", "payout"]

log = structlog.get_logger()


class Started(NamedTuple):
    """The provider's name for a payment, and where the player goes on, if anywhere."""

    reference: str
    page: str


class TurnedDown(Exception):
    """The provider has said in so many words that it will never do this payment, and why."""


class ProviderUnavailable(Exception):
    """Nobody knows what the provider makes of it: the same has to be told again."""


class PaymentProvider(Protocol):
    """Takes payments on; whatever it raises but TurnedDown may be over the next time."""

    async def start(self, kind: Kind, payment: str, player: str, amount_cents: int) -> Started:
        """Let a player pay in, or pay out to one; `payment` is the idempotency key."""
        ...


class Paying:
    """Tells the provider of payments, and says what it makes of them.

    Without a provider, what was asked of one that was there before waits for the next.
    """

    def __init__(self, provider: PaymentProvider | None) -> None:
        self._provider = provider

    async def deposit(self, errand: SendDeposit) -> Outcome:
        """Begin a deposit; what the provider cannot take now is raised, and tried again."""
        return await self._start("deposit", errand)

    async def withdrawal(self, errand: SendWithdrawal) -> Outcome:
        """Begin a payout likewise."""
        return await self._start("payout", errand)

    async def _start(self, kind: Kind, errand: SendDeposit | SendWithdrawal) -> Outcome:
        if self._provider is None:
            raise ProviderUnavailable("none is configured")
        payment = errand.payment
        try:
            started = await self._provider.start(kind, payment, errand.player, errand.amount_cents)
        except TurnedDown as why:
            log.warning("payment_rejected", payment=payment, why=str(why))
            return PaymentRejected(payment, str(why))
        return PaymentStarted(payment, started.reference, started.page)
