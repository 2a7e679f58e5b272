"""What decisions need to know of payments."""

import msgspec

from shared.contracts.wallet import PaymentKind, PaymentStage, ReleaseReason


class DeskPayment(msgspec.Struct, frozen=True):
    """What an operator took in under one reference."""

    player: str
    amount_cents: int


class Payment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A payment through the provider; never forgotten, so that its name is never used again.

    `moved_cents` is what the provider has moved and not moved back. Of what came in or back last,
    `credited_cents` went to `credited`; `lost_cents` is the operator's loss by this payment.
    `heard` is the number of the provider's word that counts, 0 before there is any; `differs` is
    whether it speaks of another amount.
    """

    kind: PaymentKind
    player: str
    asked_cents: int
    stage: PaymentStage
    moved_cents: int = 0
    credited: str = ""
    credited_cents: int = 0
    lost_cents: int = 0
    reference: str = ""
    page: str = ""
    heard: int = 0
    differs: bool = False
    expires_at_ms: int = 0
    why: ReleaseReason | None = None
