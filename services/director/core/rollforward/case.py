"""An interrupted tournament, reduced to what its payout depends on."""

from typing import Annotated, Literal

import msgspec

from shared.poker.rule_sets import RollForward

InTheMoney = Literal["literal", "next_prize"]
Refunds = Literal["entry", "all_rights"]

CENTS_MAX = 10**12
CHIPS_MAX = 10**12

Cents = Annotated[int, msgspec.Meta(ge=0, le=CENTS_MAX)]
Chips = Annotated[int, msgspec.Meta(ge=0, le=CHIPS_MAX)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Survivor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player still in: chips as at the cut, transit included; `entries` bought.

    `extra_cents` is the price of rebuys and add-ons, `extra_commission_cents` the part of it that
    is commission. `entry_cents` and `commission_cents` are those of the player's own entry, where
    it was bought in another tournament (BH-BIGSHOOT).

    `table` is the table's number; with one table, or none left, it does not matter.
    """

    player: str
    chips: Chips
    table: Count = 0
    seat: Count = 0
    entries: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 1
    extra_cents: Cents = 0
    extra_commission_cents: Cents = 0
    entry_cents: Cents | None = None
    commission_cents: Cents | None = None


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All amounts in cents. `paid_cents` are prizes won, `withdrawn_cents` no prizes (BH-BIGSHOOT).

    `commission_cents` and `entry_cents` are those of one entry; the entry's price includes the
    commission. `prizes_cents` stand best place first; `prizes_won` counts those whose winner is
    out. For `refund_all` everybody who entered is listed as a survivor. `chips_in_play` is
    checked where it is given.
    """

    policy: RollForward
    pool_cents: Cents
    survivors: tuple[Survivor, ...]
    paid_cents: Cents = 0
    withdrawn_cents: Cents = 0
    commission_cents: Cents = 0
    entry_cents: Cents = 0
    prizes_cents: tuple[Cents, ...] = ()
    prizes_won: Count = 0
    in_the_money: InTheMoney = "literal"
    rf1_refunds: Refunds = "entry"
    chips_in_play: Chips | None = None

    @property
    def left_cents(self) -> int:
        """What of the pool nobody has been paid yet."""
        return self.pool_cents - self.paid_cents - self.withdrawn_cents

    @property
    def chips(self) -> int:
        """All chips of all survivors."""
        return sum(survivor.chips for survivor in self.survivors)

    def entry_of(self, survivor: Survivor) -> int:
        """Return the price of one entry of this player."""
        return self.entry_cents if survivor.entry_cents is None else survivor.entry_cents

    def commission_of(self, survivor: Survivor) -> int:
        """Return what of that price is commission."""
        own = survivor.commission_cents
        return self.commission_cents if own is None else own

    @property
    def next_prize_cents(self) -> int:
        """The prize of the next place to fall: that of as many players as are still in."""
        left = len(self.survivors)
        return self.prizes_cents[left - 1] if left <= len(self.prizes_cents) else 0
