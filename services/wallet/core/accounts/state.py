"""What decisions need to know of a player's account."""

import msgspec

from shared.contracts.wallet import AccountStatus


class Account(msgspec.Struct, frozen=True):
    """A player known to the operator (PP-ACCOUNT)."""

    name: str
    status: AccountStatus
