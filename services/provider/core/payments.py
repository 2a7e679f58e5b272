"""A payment at the provider: what was ordered, and all that the provider has said of it."""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

AMOUNT_CENTS_MAX = 1_000_000_000

Kind = Literal["deposit", "payout"]
Word = Literal["succeeded", "failed", "charged_back", "returned"]
ScenarioName = Literal[
    "plain",
    "fails",
    "duplicate",
    "late",
    "out_of_order",
    "fails_after_success",
    "charged_back",
    "never",
]
State = Literal["open", "succeeded", "failed", "charged_back", "returned"]


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a merchant wants done, under a key of its own that is used once."""

    kind: Kind
    amount_cents: int
    currency: str
    customer: str


class Said(msgspec.Struct, frozen=True):
    """One word on a payment; `sequence` counts them, and the last one is what holds."""

    event: str
    sequence: int
    word: Word
    reason: str
    occurred_at_ms: int


class Payment(msgspec.Struct, frozen=True):
    """An order that was taken on. `scenario` is its course, `reference` the name we gave it."""

    key: str
    reference: str
    order: Order
    scenario: ScenarioName
    words: tuple[Said, ...] = ()


def state_of(payment: Payment) -> State:
    """Return how a payment stands."""
    return payment.words[-1].word if payment.words else "open"


def is_decided(payment: Payment) -> bool:
    """Say whether there is nothing to decide for a person any more."""
    return bool(payment.words)


def decided(payment: Payment, words: Iterable[Word], at_ms: int, pause_ms: int) -> Payment:
    """Return the payment with these words said, one after a pause after the other."""
    for nth, word in enumerate(words):
        payment = saying(payment, word, "", at_ms + nth * pause_ms)
    return payment


def saying(payment: Payment, word: Word, reason: str, at_ms: int) -> Payment:
    """Return the payment with one word more."""
    sequence = len(payment.words) + 1
    said = Said(f"evt_{payment.reference}_{sequence}", sequence, word, reason, at_ms)
    return replace(payment, words=(*payment.words, said))


def newest(payment: Payment, since: int) -> tuple[Said, ...]:
    """Return what was said after so many words."""
    return payment.words[since:]
