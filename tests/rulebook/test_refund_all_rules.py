"""TDA-ROLLFORWARD's refund_all in a tournament: terms choose it, everybody who entered is paid."""

import pytest

from services.director.core import HaltReported, sheet_in_full
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.terms import problems
from shared.contracts.director import CancelTournament, Register, SatellitePrizes
from shared.contracts.table import TableHalted
from tests.core.director.director_play import Play, players_named, terms, winners
from tests.rulebook.buying import A, B, C, D, buys, late


def given_up(play):
    """Halt every table between hands, and return the sheet that becomes final."""
    play.must(CancelTournament(author="ops_1", reason="fire"))
    for table in tuple(play.state.tables.values()):
        fact = TableHalted(
            tournament=play.state.tournament,
            table=table.table,
            hand=play.tables[table.table].hand.hand,
            seats=table.seats,
        )
        play.must(HaltReported(fact, f"table-{table.number}", len(play.events)))
    return sheet_now(play.state)


def test_refund_all_gives_who_is_out_the_whole_price_back_as_well():
    """TDA-ROLLFORWARD: refund_all, everyone who entered gets everything paid."""
    one_prize = terms(entries=6, seats=6, roll_forward="refund_all", prizes=winners(10_000))
    play = Play(one_prize).begin()
    play.end_hand(1, ply_004=0)
    sheet = given_up(play)
    assert sheet.policy == "refund_all"
    assert {line.player: line.total_cents for line in sheet.players} == dict.fromkeys(
        players_named(6), 1_100
    )
    assert {line.player: line.chips for line in sheet.players}["ply_004"] == 0


def test_the_sheet_that_an_operator_reads_has_who_is_out_as_well():
    """TDA-ROLLFORWARD: re-entries are given back with the entries, and who is out has no seat."""
    play = late(4, roll_forward="refund_all")
    play.end_hand(1, by=(D,), ply_001=0)
    buys(play, Register(player=A))
    play.answer_all_draws()
    play.end_hand(1)
    play.end_hand(1, by=(D,), ply_002=0)
    page = sheet_in_full(play.state)
    paid = {line.player: (line.table, line.seat, line.total_cents) for line in page.lines}
    assert paid == {
        A: (1, 1, 2_200),
        B: (0, 0, 1_100),
        C: (1, 3, 1_100),
        D: (1, 4, 1_100),
    }


def test_refund_all_gives_way_to_bh_rf2_once_a_prize_is_won():
    """TDA-ROLLFORWARD, BH-RF2: refund_all only while no prize is won."""
    two_prizes = terms(
        entries=3, seats=3, roll_forward="refund_all", prizes=winners(5_000, 3_000, 2_000)
    )
    play = Play(two_prizes).begin()
    play.end_hand(1, ply_002=0)
    sheet = given_up(play)
    assert sheet.policy == "big_holdem"
    assert sorted(line.player for line in sheet.players) == ["ply_001", "ply_003"]
    assert sum(line.total_cents for line in sheet.players) == 3_000 - 600


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"prizes": SatellitePrizes(winners=5_000), "roll_forward": "tda"},
            "roll_forward: a satellite is always paid out by BH-RF1",
        ),
        (
            {"guarantee_cents": 1_000_000, "roll_forward": "refund_all"},
            "guarantee_cents: refund_all gives back prices, and nobody would get the rest",
        ),
        (
            {"bounty_cents": 100, "roll_forward": "refund_all"},
            "bounty_cents: refund_all gives back whole prices, also when a bounty is won",
        ),
    ],
)
def test_terms_choose_no_policy_that_cannot_be_applied(changes, problem):
    assert problems(terms(entries=10, seats=5, **changes)) == (problem,)


@pytest.mark.parametrize("policy", ["peoples_poker", "big_holdem", "tda", "refund_all"])
def test_the_policy_that_terms_choose_stands_in_the_recorded_rule_set(policy):
    (created,) = Play(terms(rule_set="big_holdem", roll_forward=policy)).events
    assert created.rule_set.roll_forward == policy
