"""What a tournament is announced with: all that a player must know before paying (PP-LOBBY).

Money is integer cents, chips are integers, moments and durations are milliseconds.
"""

import msgspec

from shared.contracts.director.big_shoot import BigShoot
from shared.contracts.director.stages import Stage
from shared.poker.rule_sets import Limit, RollForward


class Level(msgspec.Struct, frozen=True):
    """What is posted while this level lasts."""

    small_blind_chips: int
    big_blind_chips: int
    ante_chips: int = 0


class WinnersPrizes(msgspec.Struct, frozen=True, tag="winners"):
    """BH-WINNERS: a fixed number of prizes; shares in hundredths of a percent, summing 10,000."""

    shares: tuple[int, ...]


class StandardPrizes(msgspec.Struct, frozen=True, tag="standard"):
    """BH-STANDARD: number and shares follow from the entries by the published table."""


class SatellitePrizes(msgspec.Struct, frozen=True, kw_only=True, tag="satellite"):
    """BH-SATELLITE: equal prizes, the play stops when only winners are left.

    Exactly one is positive: `winners`, in hundredths of a percent of the entries, or
    `prize_cents`, as many of which as the pool can pay. With a `target` a whole prize is a
    ticket for that tournament.
    """

    winners: int = 0
    prize_cents: int = 0
    target: str = ""


class QualifyingPrizes(msgspec.Struct, frozen=True, kw_only=True, tag="qualifying"):
    """BH-BIGSHOOT: the best, `winners` hundredths of a percent of the entries, go on to `target`.

    Whoever has qualified may take `withdrawal_cents` instead of playing on; with 0 nobody may.
    """

    winners: int
    target: str
    withdrawal_cents: int = 0


class Break(msgspec.Struct, frozen=True):
    """All tables rest together for so long, once level `after_level` is over."""

    after_level: int
    ms: int


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    """BH-REBUY: what a rebuy or an add-on costs and brings, until when, how often a player."""

    fee_cents: int
    commission_cents: int
    chips: int
    until_level: int
    most: int


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """All that a player must know before paying (PP-LOBBY), validated as a whole.

    Exactly one of `level_ms` and `level_hands` is positive: a level lasts that long, or until
    a table has played that many hands in it. A time bank begins with `time_bank_ms` and grows
    by `time_bank_refill_ms` with every level after the first. With `player_entropy`, players add
    to the chance of every deck, and a hand waits for their seeds `seed_ms` at most.
    `final_table_players` is for `tda`: 0 stands for one more than `seats`, at most ten.

    Without `start_at_ms` it starts when all entries are sold (BH-SNG), else at that moment
    (BH-MTT) with `entries_min` to `entries` players, or is cancelled. Leaving is possible until
    `leave_before_ms` before the start, for `cancellation_charge` hundredths of a percent of the
    price. The operator fills the pool up to `guarantee_cents`. `regulated` terms give at least
    80 % of the price to the pool. Only ratings from `rating_min` to `rating_max` may enter
    (PP-LEVELGATE); 0 leaves that end open. With `stages` it is a shoot-out, the first with these
    `seats` and `starting_chips`. Of each fee `bounty_cents` are won by who knocks the player out;
    of a `progressive` bounty half, the other half is added to the winner's own. With `deals` the
    last players may share what is left. With `big_shoot` it is a stage of one.

    Given up while it runs, it is paid out by `roll_forward`, or as the rule set says.

    With `late_levels` entering stays possible until that level is over, and `reentries` is how
    often a player who is out may enter again until then; all of it counts towards `entries`. A
    rebuy is on offer for `rebuy_offer_ms` after the hand. Its fee has a bounty in it as any entry's
    has, that of an add-on has none.
    """

    name: str
    rule_set: str
    limit: Limit = "no_limit"
    entries: int
    seats: int
    fee_cents: int
    commission_cents: int
    bounty_cents: int = 0
    progressive: bool = False
    starting_chips: int
    levels: tuple[Level, ...]
    level_ms: int = 0
    level_hands: int = 0
    action_ms: int = 20_000
    time_bank_ms: int = 0
    time_bank_refill_ms: int = 0
    pause_ms: int = 0
    player_entropy: bool = False
    seed_ms: int = 2_000
    prizes: WinnersPrizes | StandardPrizes | SatellitePrizes | QualifyingPrizes
    final_table_players: int = 0
    start_at_ms: int = 0
    entries_min: int = 0
    leave_before_ms: int = 0
    cancellation_charge: int = 0
    guarantee_cents: int = 0
    breaks: tuple[Break, ...] = ()
    stages: tuple[Stage, ...] = ()
    regulated: bool = False
    rating_min: int = 0
    rating_max: int = 0
    deals: bool = False
    late_levels: int = 0
    reentries: int = 0
    rebuy: Purchase | None = None
    add_on: Purchase | None = None
    rebuy_offer_ms: int = 30_000
    roll_forward: RollForward | None = None
    big_shoot: BigShoot | None = None
