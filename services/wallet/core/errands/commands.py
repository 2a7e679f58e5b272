"""How errands came out, as the shell feeds it in."""

from typing import final

import msgspec

from shared.contracts.message import Command
from shared.contracts.wallet import Errand, WhyNotMailed


@final
class Mailed(msgspec.Struct, frozen=True, tag="mailed"):
    player: str
    number: int


@final
class Unmailable(msgspec.Struct, frozen=True, tag="unmailable"):
    player: str
    number: int
    why: WhyNotMailed


@final
class KeyErased(msgspec.Struct, frozen=True, tag="key-erased"):
    player: str


@final
class PaymentStarted(msgspec.Struct, frozen=True, tag="payment-started"):
    """The provider has taken a payment on."""

    payment: str
    provider_reference: str
    page: str


@final
class PaymentRejected(msgspec.Struct, frozen=True, tag="payment-rejected"):
    """The provider has said that it will not do this payment, ever."""

    payment: str
    reason: str


@final
class SessionIssued(msgspec.Struct, frozen=True, tag="session-issued"):
    tournament: str
    session_id: str


@final
class ParticipationIssued(msgspec.Struct, frozen=True, tag="participation-issued"):
    tournament: str
    entry: str
    player: str
    participation_id: str


Outcome = (
    PaymentStarted
    | PaymentRejected
    | Mailed
    | Unmailable
    | KeyErased
    | SessionIssued
    | ParticipationIssued
)


@final
class TakeOutcomes(Command, frozen=True, tag="wallet.take-outcomes.v1"):
    """What came of batch `number`; the errands in `left` could not be run yet."""

    number: int
    outcomes: tuple[Outcome, ...]
    left: tuple[Errand, ...]
