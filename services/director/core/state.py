"""What the director must remember of one tournament to decide; nothing that only a screen needs.

Chips are counted at a table, or in transit as the `arriving` of the table they are going to:
never twice, never nowhere.
"""

from typing import Literal

import msgspec

from services.director.core.hall import Hall
from shared.contracts.director import (
    DealShare,
    Method,
    Placing,
    Purchase,
    RebuyKind,
    Standing,
    Terms,
)
from shared.contracts.hand import SeatStack
from shared.kernel.outages import Stretch, Stretches, left_of
from shared.kernel.pmap import PMap
from shared.poker.rule_sets import RuleSet

PLAYERS_MAX = 10_000
LISTED_MAX = 2_000  # A list of so many players fits in one event.

Phase = Literal["unknown", "registering", "running", "finished", "cancelled"]


class TableContradictionError(Exception):
    """A table reports what cannot be: its line has to stop, or chips would come or go."""


class Pending(msgspec.Struct, frozen=True):
    """A purchase that is not certain: its price is asked for, its rating not known (`funded`).

    Or the price is `held` until the chips can come.
    """

    entry: str
    deadline_ms: int
    funded: bool = False
    admitted: bool = False
    kind: Literal["entry"] | RebuyKind = "entry"
    held: bool = False


class Waiter(msgspec.Struct, frozen=True):
    """Who waits for an entry, and the ticket that is to pay for it, "" for cash."""

    player: str
    ticket: str = ""


class Bought(msgspec.Struct, frozen=True):
    """How often a player has paid for what, in this tournament."""

    entries: int = 0
    rebuys: int = 0
    add_ons: int = 0


class Offer(msgspec.Struct, frozen=True):
    """A rebuy on offer; `credited` are the outages given back to it."""

    table: str
    seat: int
    began_ms: int
    deadline_ms: int
    credited: Stretches = ()


class Question(msgspec.Struct, frozen=True):
    """A draw that the dealer has not answered yet."""

    purpose: str
    candidates: tuple[str, ...]
    unnamed: int = 0

    @property
    def count(self) -> int:
        """How many are drawn from; `DrawAwaited` says who."""
        return len(self.candidates) + self.unnamed


class Bust(msgspec.Struct, frozen=True):
    """A player without chips, all that decides the place (PP-TIES), and who took the last ones."""

    player: str
    table: str
    hand: str
    seat: int
    chips_at_start: int
    from_dealer: int
    by: tuple[str, ...] = ()


class Move(msgspec.Struct, frozen=True):
    """A player on the way from one table to another."""

    from_table: str
    to_table: str
    to_seat: int
    stack_chips: int


class Cancelling(msgspec.Struct, frozen=True):
    """A cancellation that is open; `done` are the tables that halted or were left out."""

    author: str
    reason: str
    paused_by_it: bool
    done: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    sheet_hash: str = ""


class Deal(msgspec.Struct, frozen=True):
    """A deal that was offered; its shares are proposed once the hand is over."""

    method: Method
    shares: tuple[DealShare, ...] = ()
    answer_by_ms: int = 0
    agreed: tuple[str, ...] = ()
    credited: Stretches = ()


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What came from a tournament of the stage before, less what was paid out of it (BH-BIGSHOOT).

    `players` are those who have not withdrawn, in the order in which they have qualified.
    """

    from_tournament: str
    players: tuple[str, ...]
    left_cents: int
    fee_cents: int
    commission_cents: int
    withdrawal_cents: int
    not_before_ms: int = 0


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament; `terms` and `rules` stand from the first event on.

    `unranked` holds rounds of busts, the oldest first: outside hand for hand every hand is a
    round. `seating` and `buttons` are the drawn places of tables not formed yet, `chips_won` the
    winners' chips when the last tables have broken up. `level_ends_ms` is the end of the level, or
    of the break while `resting`; `level_credited` are the outages given back to it, ascending and
    without overlap. `rested_after` is the last level that a break came after. `going_on` are those
    of the stage before who wait for their seats in this `stage`; it begins in level `level_due`.

    While anything can be bought, `busted` are the players without chips in the order of their
    going, also those with a rebuy on offer; `left` counts the latter as well. `asked` is how often
    each has asked to buy, `paid` what came of it, `outs` how many have gone out. `given_up` is the
    cancellation by which it ended, and `approved_by` who let its sheet be paid. The last deal that
    failed did in level `no_deal_in_level`, after `deal_failed_after` hands of the tournament.

    `registered` leads to the entry, or to that tournament of the stage before which the player came
    from; `carried` has all of these, as they came (BH-BIGSHOOT).
    """

    tournament: str = ""
    phase: Phase = "unknown"
    terms: Terms | None = None
    rules: RuleSet | None = None
    asked: PMap[str, int] = PMap()
    pending: PMap[str, Pending] = PMap()
    registered: PMap[str, str] = PMap()
    bounties: PMap[str, int] = PMap()
    waiting: tuple[Waiter, ...] = ()
    carried: tuple[Carried, ...] = ()
    paid: PMap[str, Bought] = PMap()
    sold: Bought = Bought()
    offers: PMap[str, Offer] = PMap()
    busted: tuple[Bust, ...] = ()
    question: Question | None = None
    prizes_cents: tuple[int, ...] = ()
    seating: tuple[tuple[SeatStack, ...], ...] = ()
    buttons: tuple[int, ...] = ()
    tables: Hall = Hall()
    moves: PMap[str, Move] = PMap()
    unranked: tuple[tuple[Bust, ...], ...] = ()
    left: int = 0
    stage: int = 1
    going_on: tuple[Standing, ...] = ()
    tables_formed: int = 0
    level_due: int = 0
    outs: int = 0
    places: PMap[int, Placing] = PMap()
    chips_won: int = 0
    hand_for_hand: bool = False
    level: int = 0
    level_ends_ms: int | None = None
    level_credited: Stretches = ()
    resting: bool = False
    rested_after: int = 0
    paused_ms: int | None = None
    cancelling: Cancelling | None = None
    sheet_hash: str = ""
    given_up: Cancelling | None = None
    approved_by: str = ""
    deal: Deal | None = None
    deal_agreed: bool = False
    no_deal_in_level: int = 0
    deal_failed_after: int = 0
    hands_in_level: int = 0
    hands_digested: int = 0

    @property
    def token(self) -> str:
        """The tournament's id without its prefix: what the ids made from it begin with."""
        return self.tournament.removeprefix("trn_")

    @property
    def agreed(self) -> Terms:
        """The terms of a tournament that exists."""
        if self.terms is None:
            raise LookupError("a tournament without terms does not exist")
        return self.terms

    @property
    def rule_set(self) -> RuleSet:
        """The rule set of a tournament that exists."""
        if self.rules is None:
            raise LookupError("a tournament without a rule set does not exist")
        return self.rules

    @property
    def series(self) -> str:
        """The Big Shoot that this is a stage of, named by its final; "" for none."""
        stage = self.agreed.big_shoot
        return "" if stage is None else stage.series or self.tournament

    @property
    def selling(self) -> bool:
        """Whether it runs and something may still be bought: no prize and no place is fixed."""
        return self.phase == "running" and not self.prizes_cents

    @property
    def collected_cents(self) -> int:
        """The fees of all that was bought, and what has come from the stage before."""
        extras = sum(one.fee_cents * sold for one, sold in self.extras)
        carried = sum(one.left_cents for one in self.carried)
        return self.agreed.fee_cents * self.sold.entries + extras + carried

    @property
    def pool_cents(self) -> int:
        """What there is to win, the guarantee included."""
        return max(self.collected_cents, self.agreed.guarantee_cents)

    @property
    def chips_sold(self) -> int:
        """All chips that were paid for."""
        return self.agreed.starting_chips * self.sold.entries + sum(
            one.chips * sold for one, sold in self.extras
        )

    @property
    def extras(self) -> tuple[tuple[Purchase, int], ...]:
        """What the terms sell beside entries, and how often it was sold."""
        offered = ((self.agreed.rebuy, self.sold.rebuys), (self.agreed.add_on, self.sold.add_ons))
        return tuple((one, sold) for one, sold in offered if one is not None)

    def resumed_end_ms(self, at_ms: int) -> int | None:
        """Return when the level or break ends if a pause is over now, less what was given back."""
        if self.level_ends_ms is None or self.paused_ms is None:
            return self.level_ends_ms
        stood_still = Stretch(self.paused_ms, at_ms)
        left = left_of(stood_still, self.level_credited)
        return self.level_ends_ms + sum(stretch.length_ms for stretch in left)

    @property
    def in_play(self) -> bool:
        """Whether every table of the stage has been formed and the first level has begun."""
        return self.phase == "running" and self.level > 0 and bool(self.tables)


def chips_in_play(tournament: Tournament) -> int:
    """Return all chips: within a stage what was paid for, once its seats are drawn."""
    going_on = sum(standing.stack_chips for standing in tournament.going_on)
    planned = sum(seat.stack_chips for table in tournament.seating for seat in table)
    return (
        tournament.chips_won
        + going_on
        + planned
        + sum(
            seat.stack_chips
            for table in tournament.tables.values()
            for seat in table.seats + table.arriving
        )
    )


def is_live(tournament: Tournament) -> bool:
    """Whether anything can still happen in this tournament."""
    return tournament.phase in ("registering", "running")


def tables_needed(players: int, seats: int) -> int:
    """Return the fewest tables that hold so many players (PP-SEAT, BH-CLOSE)."""
    return -(-players // seats)
