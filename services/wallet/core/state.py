"""What the wallet must remember to decide; nothing that only a screen needs."""

from typing import Literal

import msgspec

from shared.contracts.wallet import AccountStatus
from shared.kernel.pmap import PMap

EntryStage = Literal["held", "posted", "refused", "released", "refunded"]


class Account(msgspec.Struct, frozen=True):
    """A player known to the operator (PP-ACCOUNT)."""

    name: str
    status: AccountStatus


class Entry(msgspec.Struct, frozen=True):
    """How far one entry's money has come (PP-ENTRY); never forgotten, so never moved twice."""

    tournament: str
    player: str
    stage: EntryStage
    price_cents: int = 0
    fee_cents: int = 0


class Payment(msgspec.Struct, frozen=True):
    """What was deposited under one reference."""

    player: str
    amount_cents: int


class Prize(msgspec.Struct, frozen=True):
    """What was paid for one place."""

    player: str
    amount_cents: int


class Wallet(msgspec.Struct, frozen=True):
    """The journal so far: accounts by player, balances by ledger account, acts by their key."""

    accounts: PMap[str, Account] = PMap()
    balances: PMap[str, int] = PMap()
    entries: PMap[str, Entry] = PMap()
    payments: PMap[str, Payment] = PMap()
    prizes: PMap[str, Prize] = PMap()


def prize_key(tournament: str, place: int) -> str:
    """Name a prize: each place of a tournament is paid once."""
    return f"{tournament}/{place}"
