"""Laws of the sheet, over random tournaments given up at a random moment."""

from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import assume, given, settings, strategies as st

from services.director.core import DECIDER, HaltReported
from services.director.core.rollforward.cutting import hash_of, sheet_now
from services.director.shell.sheets import LastSheet
from shared.contracts.director import (
    ApproveSheet,
    CancelTournament,
    PayoutDue,
    PlayerEliminated,
    ReadSheet,
    SheetFinal,
    StandardPrizes,
)
from shared.contracts.table import TableHalted
from tests.core.director.director_play import Play, of, random_end, terms, winners

PRIZES = (StandardPrizes(), winners(10_000), winners(5_000, 3_000, 2_000), winners(6_000, 4_000))
MOMENTS_MAX = 80


@st.composite
def interrupted(draw):
    """A tournament in which so much has happened, given up, and halted in some order."""
    entries = draw(st.integers(3, 12))
    chance = Random(draw(st.integers(0, 2**32)))
    play = Play(
        terms(
            entries=entries,
            seats=draw(st.integers(2, 4)),
            rule_set=draw(st.sampled_from(["peoples_poker", "big_holdem", "tda"])),
            prizes=draw(st.sampled_from(PRIZES)),
            fee_cents=draw(st.sampled_from([0, 1, 333, 1_000])),
            commission_cents=draw(st.sampled_from([0, 1, 100])),
        )
    )
    play.enter()
    for _ in range(draw(st.integers(0, MOMENTS_MAX))):
        if play.state.phase != "running":
            break
        play.happen(chance)
    assume(play.state.phase == "running")
    play.must(CancelTournament(author="ops_1", reason="fire"))
    halt_all(play, chance)
    return play


def halt_all(play, chance):
    """Every table halts; some had ended their hand before, and movers had left or had not."""
    tables = list(play.tables.values())
    chance.shuffle(tables)
    for table in tables:
        if table.hand and chance.random() < 0.5:
            play.report(random_end(table, chance))
        for fact in [fact for fact in play.vacated if fact.table == table.table]:
            play.vacated.remove(fact)
            play.must(fact)
        known = play.state.tables[table.table]
        fact = TableHalted(
            tournament=play.state.tournament,
            table=table.table,
            hand=table.hand.hand if table.hand else "",
            seats=known.seats,
        )
        play.must(HaltReported(fact, f"table-{known.number}", len(play.events)))
    play.answer_all_draws()


@settings(deadline=None, max_examples=150)
@given(play=interrupted())
def test_every_cent_goes_somewhere_and_chips_are_never_worth_less(play):
    """PP-ROLLFORWARD, BH-RF1, BH-RF2, TDA-ROLLFORWARD."""
    (final,) = of(SheetFinal, play.events)
    page = LastSheet().respond(play.state, ReadSheet(limit=500))
    assert (page.stage, page.sheet_hash) == ("final", final.sheet_hash)
    assert page.players == len(page.lines) == play.state.left == final.players
    assert sum(line.chips for line in page.lines) == play.terms.entries * 1_000

    owed = [line.total_cents - line.commission_cents for line in page.lines]
    assert sum(owed) == page.pool_cents - page.paid_cents + page.operator_top_up_cents
    assert page.operator_top_up_cents == 0 or page.residual_cents == 0
    for line, cents in zip(page.lines, owed, strict=True):
        assert cents >= int(Fraction(line.certain_exact)), "nobody is under the certain term"
    by_chips = sorted((line.chips, cents) for line, cents in zip(page.lines, owed, strict=True))
    assert all(more[1] >= less[1] for less, more in pairwise(by_chips))

    out = {event.player for event in of(PlayerEliminated, play.events)}
    assert out.isdisjoint(line.player for line in page.lines)


@settings(deadline=None, max_examples=50)
@given(play=interrupted())
def test_a_replay_has_the_same_sheet_and_it_is_due_once(play):
    replayed = DECIDER.fold(play.events)
    assert replayed == play.state
    sheet = sheet_now(replayed)
    assert hash_of(replayed, sheet) == play.state.cancelling.sheet_hash
    approve = ApproveSheet(author="ops_2", sheet_hash=play.state.cancelling.sheet_hash)
    due = of(PayoutDue, play.must(approve))
    assert play.must(approve) == ()
    assert {
        one.player: one.pool_cents + one.commission_cents + one.top_up_cents for one in due
    } == {line.player: line.total_cents for line in sheet.players if line.total_cents}
