"""What decisions need to know of the money of tournaments."""

from typing import Literal

import msgspec

EntryStage = Literal["held", "posted", "refused", "released", "refunded"]


class Entry(msgspec.Struct, frozen=True):
    """How far one entry's money has come (PP-ENTRY); never forgotten, so never moved twice."""

    tournament: str
    player: str
    stage: EntryStage
    price_cents: int = 0
    fee_cents: int = 0


class Prize(msgspec.Struct, frozen=True):
    """What was paid for one place."""

    player: str
    amount_cents: int


def prize_key(tournament: str, place: int) -> str:
    """Name a prize: each place of a tournament is paid once."""
    return f"{tournament}/{place}"
