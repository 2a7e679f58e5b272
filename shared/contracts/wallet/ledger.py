"""What an act did to the ledger: postings that sum to zero, each with the balance after it.

Ledger accounts are named by purpose; amounts are integer euro cents:

`cash/<player>` what a player can spend · `hold/<player>` prices of entries not decided yet ·
`withdrawal/<player>` money on its way out · `ticket/<ticket>` the worth of a prize in kind ·
`pool/<tournament>` a prize pool · `commission` the operator's share · `unclaimed` money due to
who cannot be paid. These never run below zero, the following may: `external` the outside world ·
`promotions` gifts of the operator · `top-up` what the operator adds to pools (guarantees, BH-RF1)
· `chargebacks` payments taken back that the player had spent · `house` the bank of house games.
"""

import msgspec


class Posting(msgspec.Struct, frozen=True):
    """One line of an entry: what one ledger account gained, and what it holds after that."""

    account: str
    amount_cents: int
    balance_cents: int
