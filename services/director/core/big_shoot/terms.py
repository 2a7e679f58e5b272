"""What each stage's own terms must say, so that the stages fit together (PP-LOBBY)."""

from collections.abc import Iterator

from services.director.core.prizes import WHOLE, qualifiers
from shared.contracts.director import BigShoot, QualifyingPrizes, SatellitePrizes, Terms
from shared.kernel.ids import is_derived_id
from shared.kernel.money import AMOUNT_CENTS_MAX

STAGES_MAX = 12
FED_BY_MAX = 1_000
WITHDRAW_MS_MAX = 24 * 60 * 60 * 1_000


def big_shoot_problems(terms: Terms, entries: range) -> Iterator[str]:
    """BH-BIGSHOOT: stages are freeze-outs; only those of stage 1 are sold."""
    prizes, stage = terms.prizes, terms.big_shoot
    if isinstance(prizes, QualifyingPrizes):
        yield from qualifying_problems(terms, prizes, entries)
    if stage is None:
        return
    if stage.series and not is_derived_id(stage.series, "trn"):
        yield "big_shoot: series is the id of the final, and empty in itself"
    if not 0 < stage.stage <= STAGES_MAX:
        yield f"big_shoot: stage is from 1 to {STAGES_MAX}"
    if terms.stages or isinstance(prizes, SatellitePrizes):
        yield "big_shoot: each stage is a freeze-out, no shoot-out and no satellite"
    yield from (first_problems(terms, stage) if stage.stage == 1 else later_problems(terms, stage))


def qualifying_problems(terms: Terms, prizes: QualifyingPrizes, entries: range) -> Iterator[str]:
    """Somebody goes on, somebody does not; a pool pays the withdrawals of all who have qualified.

    That of a later stage is not known before: there nobody withdraws more than an even share.
    """
    if terms.big_shoot is None:
        yield "prizes: only a stage of a big_shoot qualifies for the next one"
    if not 0 < prizes.winners < WHOLE:
        yield f"prizes: winners is from 1 to {WHOLE - 1}"
    if not is_derived_id(prizes.target, "trn"):
        yield "prizes: target is the id of a tournament"
    if not 0 <= prizes.withdrawal_cents <= AMOUNT_CENTS_MAX:
        yield f"prizes: withdrawal_cents is from 0 to {AMOUNT_CENTS_MAX}"
    if terms.deals:
        yield "deals: there is no money to share before the final"
    if terms.big_shoot is None or terms.big_shoot.stage > 1:
        return
    short = (count for count in entries if withdrawals_exceed_pool(terms, prizes, count))
    for count in short:
        yield f"prizes: the pool of {count} players cannot pay withdrawal_cents to all who qualify"
        return


def withdrawals_exceed_pool(terms: Terms, prizes: QualifyingPrizes, entries: int) -> bool:
    """Tell whether so many entries leave less in the pool than could be withdrawn of it."""
    pool_cents = max(terms.fee_cents * entries, terms.guarantee_cents)
    for_places = pool_cents - terms.bounty_cents * entries
    return qualifiers(prizes, entries) * prizes.withdrawal_cents > for_places


def first_problems(terms: Terms, stage: BigShoot) -> Iterator[str]:
    """Entries are sold, and nobody is waited for."""
    if stage.fed_by:
        yield "big_shoot: fed_by is 0 in stage 1"
    if not isinstance(terms.prizes, QualifyingPrizes):
        yield "prizes: stage 1 qualifies for the next one"


def later_problems(terms: Terms, stage: BigShoot) -> Iterator[str]:
    """Nothing is sold, nobody is asked for a rating: who plays has qualified, or has withdrawn."""
    if not 0 <= stage.withdraw_ms <= WITHDRAW_MS_MAX:
        yield f"big_shoot: withdraw_ms is from 0 to {WITHDRAW_MS_MAX}"
    if not 0 < stage.fed_by <= FED_BY_MAX:
        yield f"big_shoot: fed_by is from 1 to {FED_BY_MAX} after stage 1"
    if terms.fee_cents or terms.commission_cents or terms.bounty_cents:
        yield "big_shoot: entries into later stages have no price and no bounty"
    if terms.late_levels or terms.reentries or terms.rebuy or terms.add_on:
        yield "big_shoot: nothing is sold in later stages"
    if terms.rating_min or terms.rating_max:
        yield "big_shoot: later stages ask for no rating"
    if terms.cancellation_charge or terms.leave_before_ms:
        yield "big_shoot: later stages are not left but withdrawn from, until they start"
    if not terms.start_at_ms:
        yield "big_shoot: later stages need a start_at_ms"
    if terms.roll_forward == "refund_all":
        yield "roll_forward: refund_all would leave the prices of who is out to nobody"


def id_problems(tournament: str, terms: Terms) -> Iterator[str]:
    """The final bears the name of the series and pays prizes; all others qualify for another."""
    if terms.big_shoot is None:
        return
    is_final = terms.big_shoot.series in ("", tournament)
    qualifying = isinstance(terms.prizes, QualifyingPrizes)
    if is_final == qualifying:
        yield "prizes: all stages qualify for the next one but the final, the series itself"
    if isinstance(terms.prizes, QualifyingPrizes) and terms.prizes.target == tournament:
        yield "prizes: target is another tournament"
