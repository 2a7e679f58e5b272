"""The terms line by line; a field that no line tells is told by its name."""

from collections.abc import Callable, Iterator
from datetime import UTC, tzinfo
from typing import NamedTuple

from services.cli.printable import printable
from services.cli.tournament.figures import lasting, percent
from services.cli.tournament.moments import told
from services.cli.tournament.prize_table import possible
from services.cli.tournament.showing.big_shoots import place_in_series, qualifying
from services.cli.wallet.screen import euros
from services.director.core.buying.periods import last_level
from services.director.core.stages import sizes_by_stage
from services.director.core.terms import final_table_players, rules_of
from shared.contracts.director import (
    Purchase,
    QualifyingPrizes,
    SatellitePrizes,
    Stage,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)


class Line(NamedTuple):
    """One line of the terms: the fields that it tells, and its text; "" leaves it out."""

    label: str
    fields: tuple[str, ...]
    text: Callable[[Terms, tzinfo], str]


def terms_lines(terms: Terms, zone: tzinfo) -> Iterator[tuple[str, str]]:
    """Yield the lines; a field that has none of its own is told by its name."""
    for line in LINES:
        if text := line.text(terms, zone):
            yield line.label, text
    for field in terms.__struct_fields__:
        if field not in TOLD:
            yield field.replace("_", " "), str(getattr(terms, field))


def game(terms: Terms, _zone: tzinfo) -> str:
    rules = rules_of(terms)
    limit = terms.limit.replace("_", " ")
    return f"{limit} hold'em, rules {rules.name} version {rules.version}, {terms.seats} a table"


def final_table(terms: Terms, _zone: tzinfo) -> str:
    if rules_of(terms).moves != "tda" or terms.entries <= terms.seats or terms.stages:
        return ""
    return f"{final_table_players(terms)} players"


def players(terms: Terms, _zone: tzinfo) -> str:
    return possible(terms)


def start(terms: Terms, zone: tzinfo) -> str:
    """BH-SNG or BH-MTT; another zone than UTC is told beside it."""
    if not terms.start_at_ms:
        return "when all entries are sold"
    there, utc = told(terms.start_at_ms, zone), told(terms.start_at_ms, UTC)
    if there == utc:
        return there
    day, _, time = utc.rpartition(", ")
    return f"{there} ({time if there.startswith(day) else utc})"


def leaving(terms: Terms, _zone: tzinfo) -> str:
    if terms.big_shoot is not None and terms.big_shoot.stage > 1:
        return "until the start, who has qualified withdraws for what was offered there"
    until = "until the start"
    if terms.leave_before_ms:
        until = f"until {lasting(terms.leave_before_ms)} before the start"
    if not terms.cancellation_charge:
        return f"{until}, the whole price comes back"
    return f"{until}, for {percent(terms.cancellation_charge)} of the price"


def price(terms: Terms, _zone: tzinfo) -> str:
    """What goes where: fee to the pool, commission to the operator (PP-ENTRY)."""
    whole = terms.fee_cents + terms.commission_cents
    if not whole:
        return "nothing"
    share = percent(terms.fee_cents * 10_000 // whole)
    fee, commission = euros(terms.fee_cents), euros(terms.commission_cents)
    return f"€{euros(whole)} = €{fee} to the prizes ({share}) + €{commission} commission"


def bounties(terms: Terms, _zone: tzinfo) -> str:
    """What of the fee is won by knocking players out."""
    if not terms.bounty_cents:
        return ""
    fee = "the fee, and of each rebuy's," if terms.rebuy else "the fee"
    half = ", half of it added to the winner's own" if terms.progressive else ""
    return f"€{euros(terms.bounty_cents)} of {fee} to who knocks the player out{half}"


def regulated(terms: Terms, _zone: tzinfo) -> str:
    return "at least 80 % of the price go to the pool" if terms.regulated else ""


def given_up(terms: Terms, _zone: tzinfo) -> str:
    """Tell how it is paid out when it is given up while it runs, where the terms choose that."""
    if terms.roll_forward == "refund_all":
        return "everybody who entered gets everything back, until the first prize is won"
    return f"paid out by the rules of {terms.roll_forward}" if terms.roll_forward else ""


def guarantee(terms: Terms, _zone: tzinfo) -> str:
    if not terms.guarantee_cents:
        return ""
    return f"a pool of €{euros(terms.guarantee_cents)}; the operator adds what is missing"


def split(terms: Terms, _zone: tzinfo) -> str:
    """BH-WINNERS to BH-BIGSHOOT; nothing is fixed while anything is sold."""
    later = ", fixed once nothing is sold any more" if last_level(terms) else ""
    match terms.prizes:
        case WinnersPrizes(shares=shares):
            return f"{', '.join(percent(share) for share in shares)} of the pool{later}"
        case StandardPrizes():
            return f"number and shares by the standard table{later}"
        case SatellitePrizes():
            return f"{satellite(terms.prizes, reentries=terms.reentries > 0)}{later}"
        case QualifyingPrizes():
            stage = terms.big_shoot.stage if terms.big_shoot else 1
            return f"{qualifying(terms.prizes, stage)}{later}"


def satellite(prizes: SatellitePrizes, *, reentries: bool) -> str:
    """Tell how many win, what, and in which form; each player wins once."""
    kind = f"each a ticket for {printable(prizes.target)}" if prizes.target else "in money"
    if prizes.winners:
        whole = "entries, re-entries included" if reentries else "players"
        return f"equal ones for {percent(prizes.winners)} of the {whole}, {kind}"
    return f"as many of €{euros(prizes.prize_cents)} as the pool can pay, {kind}"


def dealing(terms: Terms, _zone: tzinfo) -> str:
    return "the last players may share what is left, if all agree" if terms.deals else ""


def chips(terms: Terms, _zone: tzinfo) -> str:
    return f"{terms.starting_chips:,} at the start"


def stages(terms: Terms, _zone: tzinfo) -> str:
    """BH-SHOOTOUT: every stage with its tables, its stacks, and who goes on."""
    return "; ".join(
        stage_told(terms, number, stage) for number, stage in enumerate(terms.stages, 1)
    )


def stage_told(terms: Terms, number: int, stage: Stage) -> str:
    """Tell of one stage; how many tables it has is known for the most players that may come."""
    tables = sizes_by_stage(terms.stages, terms.entries)[number - 1]
    last = number == len(terms.stages)
    told_of = f"{number}. {stage.seats} a table, up to {len(tables)}"
    if number > 1:
        stacks = " / ".join(f"{chips:,}" for chips in stage.stacks_chips)
        told_of += f", with {stacks} chips" if stacks else ", chips are carried over"
    if stage.first_level:
        told_of += f", from level {stage.first_level}"
    return told_of if last else f"{told_of}, {stage.go_on} of each go on"


def big_shoot(terms: Terms, _zone: tzinfo) -> str:
    return "" if terms.big_shoot is None else place_in_series(terms.big_shoot)


def late(terms: Terms, _zone: tzinfo) -> str:
    """PP-ENTRY: how long one can still enter, and enter again."""
    if not terms.late_levels:
        return ""
    text = f"until level {terms.late_levels} is over"
    if not terms.reentries:
        return text
    often = "1 re-entry" if terms.reentries == 1 else f"{terms.reentries} re-entries"
    return f"{text}, {often} a player, each one of the {terms.entries:,} entries"


def rebuys(terms: Terms, _zone: tzinfo) -> str:
    if terms.rebuy is None:
        return ""
    return f"{extra(terms.rebuy)}; on offer for {lasting(terms.rebuy_offer_ms)}"


def add_ons(terms: Terms, _zone: tzinfo) -> str:
    return "" if terms.add_on is None else extra(terms.add_on)


def extra(sold: Purchase) -> str:
    """BH-REBUY: period, largest number, price and chips."""
    fee, commission = euros(sold.fee_cents), euros(sold.commission_cents)
    often = f"{sold.most} a player until level {sold.until_level} is over"
    return f"{often}, €{fee} + €{commission} for {sold.chips:,} chips"


def clocks(terms: Terms, _zone: tzinfo) -> str:
    """BH-CLOCK, and the time bank."""
    text = f"{lasting(terms.action_ms)} to act"
    if terms.time_bank_ms or terms.time_bank_refill_ms:
        text += f", time bank {lasting(terms.time_bank_ms)}"
    if terms.time_bank_refill_ms:
        text += f" and {lasting(terms.time_bank_refill_ms)} more with every level"
    return text


def between_hands(terms: Terms, _zone: tzinfo) -> str:
    return f"{lasting(terms.pause_ms)} at least" if terms.pause_ms else ""


def entropy(terms: Terms, _zone: tzinfo) -> str:
    if not terms.player_entropy:
        return ""
    return f"players add to every shuffle; a hand waits {lasting(terms.seed_ms)} for them at most"


def ratings(terms: Terms, _zone: tzinfo) -> str:
    """PP-LEVELGATE."""
    low, high = terms.rating_min, terms.rating_max
    if low and high:
        return f"{low} to {high} may enter"
    return f"{low or high} and {'more' if low else 'less'} may enter" if low or high else ""


LINES = (
    Line("game", ("rule_set", "limit", "seats"), game),
    Line("final table", ("final_table_players",), final_table),
    Line("players", ("entries", "entries_min"), players),
    Line("ratings", ("rating_min", "rating_max"), ratings),
    Line("starts", ("start_at_ms",), start),
    Line("leaving", ("leave_before_ms", "cancellation_charge"), leaving),
    Line("price", ("fee_cents", "commission_cents"), price),
    Line("bounty", ("bounty_cents", "progressive"), bounties),
    Line("regulated", ("regulated",), regulated),
    Line("guarantee", ("guarantee_cents",), guarantee),
    Line("prizes", ("prizes",), split),
    Line("given up", ("roll_forward",), given_up),
    Line("deal", ("deals",), dealing),
    Line("chips", ("starting_chips",), chips),
    Line("stages", ("stages",), stages),
    Line("big shoot", ("big_shoot",), big_shoot),
    Line("late entry", ("late_levels", "reentries"), late),
    Line("rebuys", ("rebuy", "rebuy_offer_ms"), rebuys),
    Line("add-ons", ("add_on",), add_ons),
    Line("clock", ("action_ms", "time_bank_ms", "time_bank_refill_ms"), clocks),
    Line("between hands", ("pause_ms",), between_hands),
    Line("entropy", ("player_entropy", "seed_ms"), entropy),
)
IN_TABLES = ("name", "levels", "level_ms", "level_hands", "breaks")
TOLD = {*IN_TABLES, *(field for line in LINES for field in line.fields)}
