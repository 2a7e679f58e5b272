"""What decisions need to know of a player's account."""

import msgspec

from shared.contracts.wallet import AccountStatus


class Account(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player known to the operator (PP-ACCOUNT); there may be a million of these.

    `sealed` is the name that the player goes by, `contract` the `Person` as filed, both under
    the player's key and b"" once that is destroyed. `name` is in clear, from old commits.
    Of the cash, `locked_cents` may not be withdrawn (PP-BONUS), until they have been staked.
    """

    status: AccountStatus
    sealed: bytes = b""
    contract: bytes = b""
    deposited: bool = False
    locked_cents: int = 0
    name: str = ""
