"""Terms are good as a whole or not at all (PP-LOBBY): every problem is named at once."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from services.director.core.big_shoot import big_shoot_problems
from services.director.core.prizes import WHOLE
from services.director.core.stages import stage_problems
from services.director.core.state import LISTED_MAX, PLAYERS_MAX
from shared.contracts.director import (
    Level,
    Purchase,
    QualifyingPrizes,
    SatellitePrizes,
    Terms,
    WinnersPrizes,
)
from shared.contracts.ranking import RATING_MAX, RATING_MIN
from shared.kernel.ids import is_derived_id
from shared.kernel.money import AMOUNT_CENTS_MAX
from shared.poker.rule_sets import PRESETS, RuleSet

ENTRIES_MIN, ENTRIES_MAX = 2, PLAYERS_MAX
SEATS_MIN, SEATS_MAX = 2, 10
NAME_CHARACTERS_MAX = 100
CHIPS_MAX = 1_000_000_000
LEVELS_MAX = 200
LEVEL_HANDS_MAX = 10_000
DURATION_MS_MAX = 7 * 24 * 60 * 60 * 1_000
ACTION_MS_MAX = 10 * 60 * 1_000
TIME_BANK_MS_MAX = 60 * 60 * 1_000
PAUSE_MS_MAX = 60 * 60 * 1_000
SEED_MS_MAX = 10_000
GUARANTEE_CENTS_MAX = 100 * AMOUNT_CENTS_MAX
POOL_PERCENT_MIN = 80
PURCHASES_MAX = 100


def problems(terms: Terms) -> tuple[str, ...]:
    """Return everything that is wrong with these terms, in a fixed order."""
    return tuple(problem for check in CHECKS for problem in check(terms))


def size_problems(terms: Terms) -> Iterator[str]:
    """BH: a table has 2 to 10 seats (PP-SEAT)."""
    if not 0 < len(terms.name) <= NAME_CHARACTERS_MAX:
        yield f"name has 1 to {NAME_CHARACTERS_MAX} characters"
    yield from outside("entries", terms.entries, ENTRIES_MIN, ENTRIES_MAX)
    if terms.entries > LISTED_MAX and (terms.stages or terms.big_shoot):
        yield f"entries: at most {LISTED_MAX} in stages, since one event tells who goes on"
    yield from outside("seats", terms.seats, SEATS_MIN, SEATS_MAX)


def money_problems(terms: Terms) -> Iterator[str]:
    """The price is fee and commission (PP-ENTRY); either may be nothing."""
    yield from outside("fee_cents", terms.fee_cents, 0, AMOUNT_CENTS_MAX)
    yield from outside("commission_cents", terms.commission_cents, 0, AMOUNT_CENTS_MAX)
    yield from outside("guarantee_cents", terms.guarantee_cents, 0, GUARANTEE_CENTS_MAX)
    yield from outside("cancellation_charge", terms.cancellation_charge, 0, WHOLE)
    if terms.progressive and not terms.bounty_cents:
        yield "progressive: there is no bounty_cents"
    if terms.bounty_cents and not 0 < terms.bounty_cents < terms.fee_cents:
        yield "bounty_cents are a part of the fee, and leave some of it for the places"
    price = terms.fee_cents + terms.commission_cents
    if terms.regulated and terms.fee_cents * 100 < price * POOL_PERCENT_MIN:
        yield f"regulated: at least {POOL_PERCENT_MIN} % of the price go to the pool"


def play_problems(terms: Terms) -> Iterator[str]:
    """Chips, levels and clocks."""
    yield from outside("starting_chips", terms.starting_chips, 1, CHIPS_MAX)
    yield from level_problems(terms.levels)
    if (terms.level_ms != 0) == (terms.level_hands != 0):
        yield "exactly one of level_ms and level_hands is given"
    yield from outside("level_ms", terms.level_ms, 0, DURATION_MS_MAX)
    yield from outside("level_hands", terms.level_hands, 0, LEVEL_HANDS_MAX)
    yield from outside("action_ms", terms.action_ms, 1, ACTION_MS_MAX)
    yield from outside("time_bank_ms", terms.time_bank_ms, 0, TIME_BANK_MS_MAX)
    refill = terms.time_bank_refill_ms
    yield from outside("time_bank_refill_ms", refill, 0, TIME_BANK_MS_MAX)
    yield from outside("pause_ms", terms.pause_ms, 0, PAUSE_MS_MAX)
    least = 1 if terms.player_entropy else 0
    yield from outside("seed_ms", terms.seed_ms, least, SEED_MS_MAX)


def level_problems(levels: tuple[Level, ...]) -> Iterator[str]:
    """Blinds are positive, the small one is not the bigger, and no level lowers them."""
    if not 0 < len(levels) <= LEVELS_MAX:
        yield f"levels has 1 to {LEVELS_MAX} levels"
    for number, level in enumerate(levels, 1):
        if not 0 < level.small_blind_chips <= level.big_blind_chips <= CHIPS_MAX:
            yield f"level {number}: blinds are positive, the small one at most the big one"
        if not 0 <= level.ante_chips <= level.big_blind_chips:
            yield f"level {number}: the ante is at most the big blind"
    for number, (before, after) in enumerate(pairwise(levels), 2):
        if (after.small_blind_chips, after.big_blind_chips) != (
            max(before.small_blind_chips, after.small_blind_chips),
            max(before.big_blind_chips, after.big_blind_chips),
        ):
            yield f"level {number}: blinds are lower than before"


def prize_problems(terms: Terms) -> Iterator[str]:
    """Prizes never rise with the place, and sum to the pool (BH-WINNERS)."""
    if isinstance(terms.prizes, SatellitePrizes):
        yield from satellite_problems(terms, terms.prizes)
    if not isinstance(terms.prizes, WinnersPrizes):
        return
    shares = terms.prizes.shares
    if sum(shares) != WHOLE:
        yield f"prizes: shares sum to {WHOLE}, not {sum(shares)}"
    if any(share <= 0 for share in shares):
        yield "prizes: every share is positive"
    if any(worse > better for better, worse in pairwise(shares)):
        yield "prizes: shares never rise with the place"
    if len(shares) > terms.entries:
        yield "prizes: no more places than entries"


def satellite_problems(terms: Terms, prizes: SatellitePrizes) -> Iterator[str]:
    """BH-SATELLITE: a percentage of winners or a fixed prize, and not a prize for everybody."""
    if (prizes.winners != 0) == (prizes.prize_cents != 0):
        yield "prizes: exactly one of winners and prize_cents is given"
    yield from outside("prizes: winners", prizes.winners, 0, WHOLE - 1)
    yield from outside("prizes: prize_cents", prizes.prize_cents, 0, GUARANTEE_CENTS_MAX)
    if prizes.prize_cents > 0:
        if prizes.prize_cents <= terms.fee_cents:
            yield "prizes: a fixed prize is more than the fee"
        if terms.guarantee_cents // prizes.prize_cents >= least_entries(terms):
            yield "prizes: the guarantee alone would pay one to everybody"
    if terms.deals:
        yield "deals: the prizes of a satellite are equal already"
    if prizes.target and not is_derived_id(prizes.target, "trn"):
        yield "prizes: target is the id of a tournament"


def final_table_players(terms: Terms) -> int:
    """Return how many players make the final table of `tda`."""
    return terms.final_table_players or min(terms.seats + 1, SEATS_MAX)


def chairs_max(terms: Terms, stage: int = 1) -> int:
    """Return the chairs of a table: under `tda` enough for the final table stand at each."""
    if terms.stages:
        return terms.stages[stage - 1].seats
    if rules_of(terms).moves != "tda":
        return terms.seats
    return max(terms.seats, final_table_players(terms))


def rules_of(terms: Terms) -> RuleSet:
    """Return the rule set that these terms name, with what they choose of it (BH-LIMITS)."""
    preset = PRESETS[terms.rule_set]
    roll_forward = terms.roll_forward or preset.roll_forward
    return replace(preset, limit=terms.limit, roll_forward=roll_forward)


def rule_problems(terms: Terms) -> Iterator[str]:
    """A rule set that is not known is refused; so is a final table under one that has none."""
    if terms.rule_set not in PRESETS:
        yield f"rule_set: one of {', '.join(PRESETS)}"
    elif terms.final_table_players and rules_of(terms).moves != "tda":
        yield "final_table_players: only tda sets a final table"
    elif terms.final_table_players:
        yield from outside("final_table_players", terms.final_table_players, terms.seats, SEATS_MAX)


def roll_forward_problems(terms: Terms) -> Iterator[str]:
    """Without prizes of places it is always BH-RF1; `refund_all` has nothing else to share."""
    if terms.roll_forward is None:
        return
    if isinstance(terms.prizes, SatellitePrizes):
        yield "roll_forward: a satellite is always paid out by BH-RF1"
    if isinstance(terms.prizes, QualifyingPrizes):
        yield "roll_forward: a stage before the final is always paid out by BH-RF1"
    if terms.roll_forward == "refund_all" and terms.guarantee_cents:
        yield "guarantee_cents: refund_all gives back prices, and nobody would get the rest"
    if terms.roll_forward == "refund_all" and terms.bounty_cents:
        yield "bounty_cents: refund_all gives back whole prices, also when a bounty is won"


def rating_problems(terms: Terms) -> Iterator[str]:
    """PP-LEVELGATE: each end of the range is a rating, or 0 for open."""
    for name, end in (("rating_min", terms.rating_min), ("rating_max", terms.rating_max)):
        if end:
            yield from outside(name, end, RATING_MIN, RATING_MAX)
    if terms.rating_max and terms.rating_min > terms.rating_max:
        yield "rating_min is at most rating_max"


def schedule_problems(terms: Terms) -> Iterator[str]:
    """BH-SNG or BH-MTT: what belongs to a moment needs one; breaks come between levels."""
    if terms.start_at_ms < 0:
        yield "start_at_ms is a moment, or 0 for a Sit & Go"
    yield from outside("entries_min", terms.entries_min, 0, terms.entries)
    yield from outside("leave_before_ms", terms.leave_before_ms, 0, DURATION_MS_MAX)
    if not terms.start_at_ms and (terms.entries_min or terms.leave_before_ms):
        yield "entries_min and leave_before_ms need a start_at_ms"
    if terms.start_at_ms and isinstance(terms.prizes, WinnersPrizes):
        least = len(terms.prizes.shares)
        if max(terms.entries_min, ENTRIES_MIN) < least:
            yield f"entries_min: {least} prizes need as many players at least"
    after = [rest.after_level for rest in terms.breaks]
    if after != sorted(set(after)) or any(not 0 < n < len(terms.levels) for n in after):
        yield "breaks come after different levels but the last, in their order"
    if any(not 0 < rest.ms <= DURATION_MS_MAX for rest in terms.breaks):
        yield f"breaks last 1 to {DURATION_MS_MAX} ms"


def purchase_problems(terms: Terms) -> Iterator[str]:
    """BH-REBUY, late entries: each period ends with a level that is not the last one."""
    if len(terms.levels) > 1:
        yield from outside("late_levels", terms.late_levels, 0, len(terms.levels) - 1)
    elif terms.late_levels or terms.rebuy or terms.add_on:
        yield "levels: nothing is sold in the last one, so what is sold after the start needs two"
    if terms.late_levels and not terms.start_at_ms:
        yield "late_levels need a start_at_ms: a Sit & Go starts when all entries are sold"
    yield from outside("reentries", terms.reentries, 0, PURCHASES_MAX)
    if terms.reentries and not terms.late_levels:
        yield "reentries need late_levels: they are possible as long as late entries are"
    for name, sold in (("rebuy", terms.rebuy), ("add_on", terms.add_on)):
        if sold is not None:
            yield from extra_problems(name, sold, terms)
    yield from outside("rebuy_offer_ms", terms.rebuy_offer_ms, 1, ACTION_MS_MAX)
    if terms.rebuy and terms.bounty_cents and terms.rebuy.fee_cents <= terms.bounty_cents:
        yield "rebuy: fee_cents are more than bounty_cents: each brings a new bounty"
    if terms.stages and (terms.late_levels or terms.rebuy or terms.add_on):
        yield "nothing is sold after the start of a shoot-out: its tables are autonomous"


def extra_problems(name: str, sold: Purchase, terms: Terms) -> Iterator[str]:
    """A rebuy or an add-on has its own price, chips, period and largest number."""
    yield from outside(f"{name}: fee_cents", sold.fee_cents, 0, AMOUNT_CENTS_MAX)
    yield from outside(f"{name}: commission_cents", sold.commission_cents, 0, AMOUNT_CENTS_MAX)
    yield from outside(f"{name}: chips", sold.chips, 1, CHIPS_MAX)
    yield from outside(f"{name}: most", sold.most, 1, PURCHASES_MAX)
    if len(terms.levels) > 1:
        yield from outside(f"{name}: until_level", sold.until_level, 1, len(terms.levels) - 1)
    price = sold.fee_cents + sold.commission_cents
    if terms.regulated and sold.fee_cents * 100 < price * POOL_PERCENT_MIN:
        yield f"{name}: regulated: at least {POOL_PERCENT_MIN} % of the price go to the pool"


def outside(name: str, value: int, least: int, most: int) -> Iterator[str]:
    """Name a value that is out of its bounds."""
    if not least <= value <= most:
        yield f"{name} is from {least} to {most}"


def least_entries(terms: Terms) -> int:
    """Return how few may start: a Sit & Go needs all (BH-SNG), others their minimum (BH-MTT)."""
    return max(terms.entries_min, ENTRIES_MIN) if terms.start_at_ms else terms.entries


def possible_entries(terms: Terms) -> range:
    """Return how many players may begin in stages, from the fewest to all."""
    least = max(least_entries(terms), ENTRIES_MIN)
    return range(least, min(terms.entries, LISTED_MAX) + 1)


def course_problems(terms: Terms) -> Iterator[str]:
    """BH-SHOOTOUT."""
    yield from stage_problems(terms, possible_entries(terms), CHIPS_MAX)


def series_problems(terms: Terms) -> Iterator[str]:
    """BH-BIGSHOOT."""
    yield from big_shoot_problems(terms, possible_entries(terms))


CHECKS = (
    size_problems,
    money_problems,
    play_problems,
    prize_problems,
    rule_problems,
    schedule_problems,
    rating_problems,
    course_problems,
    series_problems,
    purchase_problems,
    roll_forward_problems,
)
