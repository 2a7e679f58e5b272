"""What decisions need to know of payments."""

import msgspec


class DeskPayment(msgspec.Struct, frozen=True):
    """What an operator took in under one reference."""

    player: str
    amount_cents: int
