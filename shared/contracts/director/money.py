"""What else the director says about money: rebuys, guarantees, shares of interrupted tournaments.

Amounts are integer cents, chips integers, moments milliseconds since 1970 UTC. A rebuy's entry
is named like any other: `<tournament>/<player>/<n>`.
"""

from typing import Literal, final

from shared.contracts.message import Event

RebuyKind = Literal["rebuy", "add_on"]


@final
class RebuyRequested(Event, frozen=True, tag="director.rebuy-requested.v1"):
    """A player wants more chips (BH-REBUY); the wallet holds the price, or refuses it."""

    tournament: str
    entry: str
    player: str
    kind: RebuyKind
    fee_cents: int
    commission_cents: int
    deadline_ms: int


@final
class RebuyGranted(Event, frozen=True, tag="director.rebuy-granted.v1"):
    tournament: str
    entry: str
    player: str
    kind: RebuyKind
    fee_cents: int
    commission_cents: int
    chips: int


@final
class RebuyLapsed(Event, frozen=True, tag="director.rebuy-lapsed.v1"):
    """Nothing was bought: declined, expired, or the tournament was cancelled meanwhile."""

    tournament: str
    entry: str
    player: str
    reason: str


@final
class GuaranteeDue(Event, frozen=True, tag="director.guarantee-due.v1"):
    """What the pool lacks of the guarantee; the operator pays it, once a tournament."""

    tournament: str
    amount_cents: int


@final
class PayoutDue(Event, frozen=True, tag="director.payout-due.v1"):
    """A player's line of the approved sheet of an interrupted tournament, by where it comes from.

    Out of the pool, out of the commission taken, and out of the operator's pocket (BH-RF1).
    """

    tournament: str
    player: str
    pool_cents: int
    commission_cents: int
    top_up_cents: int


@final
class BountyDue(Event, frozen=True, tag="director.bounty-due.v1"):
    """What a player has won of the bounty of whom they knocked out in this hand, out of the pool.

    `added_cents` go to the winner's own bounty instead. One's own bounty comes without a hand: to
    who has won, or is still in when the tournament is given up.
    """

    tournament: str
    hand: str
    knocked_out: str
    player: str
    amount_cents: int
    added_cents: int = 0


DirectorMoneyEvent = (
    RebuyRequested | RebuyGranted | RebuyLapsed | GuaranteeDue | PayoutDue | BountyDue
)
