"""The payout of interrupted tournaments, with the figures of the rulebook (§6)."""

from itertools import pairwise

import pytest
from hypothesis import assume, given, strategies as st
from msgspec.structs import replace

from services.director.core.rollforward import Case, Sheet, Survivor, roll_forward
from shared.kernel.decider import Refused

TEN_PRIZES = (3_000_000, 2_000_000, 1_400_000, 1_000_000, 700_000)
TEN_PRIZES += (600_000, 500_000, 400_000, 250_000, 150_000)


def players(*chips):
    return tuple(
        Survivor(player=f"ply_{n}", chips=held, seat=n) for n, held in enumerate(chips, start=1)
    )


def case(policy, pool, chips, **more):
    return Case(policy=policy, pool_cents=pool, survivors=players(*chips), **more)


def sheet(*args, **more):
    found = roll_forward(case(*args, **more))
    assert isinstance(found, Sheet), found
    return found


def totals(*args, **more):
    return [line.total_cents for line in sheet(*args, **more).players]


def test_pp_rollforward_half_evenly_and_half_by_chips():
    """PP-ROLLFORWARD."""
    assert totals("peoples_poker", 10_000, (9_000, 4_500, 1_500)) == [4_667, 3_167, 2_166]


def test_pp_rollforward_gives_the_commission_back_beside_the_pool():
    """PP-ROLLFORWARD: the commission of all that a player bought."""
    found = sheet("peoples_poker", 10_000, (2, 1, 1), commission_cents=100)
    assert [line.commission_cents for line in found.players] == [100, 100, 100]
    assert sum(line.total_cents for line in found.players) == 10_300


def test_pp_rollforward_in_the_money_is_literal_and_says_who_loses_by_it():
    """PP-ROLLFORWARD: 56 and 24, though the second has secured 30."""
    money = {"prizes_cents": (5_000, 3_000, 2_000), "prizes_won": 1, "paid_cents": 2_000}
    found = sheet("peoples_poker", 10_000, (9, 1), **money)
    assert [line.total_cents for line in found.players] == [5_600, 2_400]
    assert found.warnings == ("ply_2 gets 2400 cents, less than the prize of place 2: 3000",)


def test_pp_rollforward_can_secure_the_next_prize_first():
    """PP-ROLLFORWARD, in_the_money = next_prize: 30 each, and 20 half evenly, half by chips."""
    money = {"prizes_cents": (5_000, 3_000, 2_000), "prizes_won": 1, "paid_cents": 2_000}
    found = sheet("peoples_poker", 10_000, (9, 1), in_the_money="next_prize", **money)
    assert [line.total_cents for line in found.players] == [4_400, 3_600]
    assert found.warnings == ()


def test_bh_rf1_gives_every_entry_back_and_the_residual_by_chips():
    """BH-RF1."""
    chips = (40_000, 30_000, 20_000, 10_000)
    assert totals("big_holdem", 9_000_000, chips, entry_cents=100_000) == [
        3_540_000,
        2_680_000,
        1_820_000,
        960_000,
    ]


def test_bh_rf1_the_operator_pays_what_the_pool_cannot():
    """BH-RF1: 95 entries of 11 euros over a pool of 1,000 euros: the operator adds 45 euros."""
    found = sheet("big_holdem", 100_000, (100,) * 95, entry_cents=1_100)
    assert found.operator_top_up_cents == 4_500
    assert found.residual_cents == 0
    assert {line.total_cents for line in found.players} == {1_100}


def test_bh_rf1_refunds_one_entry_or_all_rights():
    """BH-RF1: bought chips share the residual already, unless the rule set refunds all rights."""
    bought_twice = (replace(players(10)[0], entries=2), *players(10, 10)[1:])
    whole = Case(policy="big_holdem", pool_cents=3_000, entry_cents=1_000, survivors=bought_twice)
    for refunds, certain in (("entry", [1_000, 1_000]), ("all_rights", [2_000, 1_000])):
        found = roll_forward(replace(whole, rf1_refunds=refunds))
        assert isinstance(found, Sheet)
        assert [line.certain_cents for line in found.players] == certain


def test_rebuys_and_add_ons_come_back_at_their_own_prices():
    """PP-ROLLFORWARD, BH-RF1, refund_all: 1,100 for the entry, 580 for what was bought later."""
    more = replace(players(10)[0], extra_cents=580, extra_commission_cents=80)
    whole = Case(
        policy="peoples_poker",
        pool_cents=2_500,
        commission_cents=100,
        entry_cents=1_100,
        survivors=(more, *players(10, 10)[1:]),
    )
    expected = (
        ({}, [180, 100], 2_780),
        ({"policy": "refund_all"}, [180, 100], 2_780),
        ({"policy": "big_holdem", "rf1_refunds": "all_rights"}, [0, 0], 2_780),
        ({"policy": "big_holdem"}, [0, 0], 2_500),
    )
    for changes, commissions, total in expected:
        found = roll_forward(replace(whole, **changes))
        assert isinstance(found, Sheet)
        assert [line.commission_cents for line in found.players] == commissions
        assert sum(line.total_cents for line in found.players) == total
    everything = roll_forward(replace(whole, policy="refund_all"))
    assert [line.total_cents for line in everything.players] == [1_680, 1_100]


def test_bh_rf2_gives_the_next_prize_and_the_residual_by_chips():
    """BH-RF2."""
    chips = (50_000, 30_000, 10_000, 7_000, 3_000)
    won = {"prizes_cents": TEN_PRIZES, "prizes_won": 5, "paid_cents": 1_900_000}
    assert totals("big_holdem", 10_000_000, chips, **won) == [
        3_000_000,
        2_080_000,
        1_160_000,
        1_022_000,
        838_000,
    ]


def test_bh_rf2_of_the_case_that_is_literal_in_pp():
    """BH-RF2: 48 and 32."""
    money = {"prizes_cents": (5_000, 3_000, 2_000), "prizes_won": 1, "paid_cents": 2_000}
    assert totals("big_holdem", 10_000, (9, 1), **money) == [4_800, 3_200]


def test_ten_left_with_ten_paid_places_is_rf1():
    """BH-RF2: which case applies depends on a prize won, not on a paid place."""
    found = sheet("big_holdem", 10_000_000, (10,) * 10, prizes_cents=TEN_PRIZES, entry_cents=5)
    assert found.certain == "entry"


def test_tda_before_and_in_the_money():
    """TDA-ROLLFORWARD: more players than paid places → half and half; else the next prize."""
    prizes = {"prizes_cents": (6_000, 4_000), "commission_cents": 50}
    assert sheet("tda", 10_000, (5, 3, 2), **prizes).certain == "equal"
    found = sheet("tda", 10_000, (3, 1), **prizes)
    assert found.certain == "prize"
    assert [line.total_cents for line in found.players] == [5_550, 4_550]


def test_refund_all_gives_everything_back_while_no_prize_is_won():
    """TDA-ROLLFORWARD: refund_all."""
    entered = {"entry_cents": 1_100, "commission_cents": 100}
    assert totals("refund_all", 2_000, (7, 0), **entered) == [1_100, 1_100]
    won = {"prizes_cents": (1_500, 500), "prizes_won": 1, "paid_cents": 500}
    refused = roll_forward(case("refund_all", 2_000, (9,), **entered, **won))
    assert refused == Refused("prize_already_won", "refund_all applies only while no prize is won")


def test_withdrawals_of_a_big_shoot_shrink_the_pool_but_are_no_prize_won():
    """BH-RF1: satellites and Big Shoots."""
    found = sheet("big_holdem", 10_000, (1, 1), entry_cents=1_000, withdrawn_cents=3_000)
    assert (found.certain, found.residual_cents) == ("entry", 5_000)
    assert [line.total_cents for line in found.players] == [3_500, 3_500]


def test_cents_left_over_go_by_chips_then_table_then_seat():
    """Cents (Decision)."""
    same = [
        Survivor(player="late seat", chips=5, table=1, seat=9),
        Survivor(player="late table", chips=5, table=2, seat=1),
        Survivor(player="first", chips=5, table=1, seat=2),
    ]
    found = roll_forward(Case(policy="peoples_poker", pool_cents=101, survivors=tuple(same)))
    assert isinstance(found, Sheet)
    assert {line.player: line.total_cents for line in found.players} == {
        "first": 34,
        "late seat": 34,
        "late table": 33,
    }


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"survivors": ()}, "no_survivors"),
        ({"survivors": (*players(5), *players(5))}, "player_twice"),
        ({"survivors": (Survivor(player="", chips=5),)}, "player_invalid"),
        (
            {"survivors": tuple(Survivor(player=p, chips=5, table=1, seat=1) for p in "ab")},
            "seat_twice",
        ),
        ({"survivors": players(5, 0)}, "no_chips"),
        ({"chips_in_play": 11}, "chips_do_not_add_up"),
        ({"prizes_cents": (4_000, 6_000)}, "prizes_rise"),
        ({"prizes_cents": (6_000, 3_999)}, "money_does_not_add_up"),
        ({"paid_cents": 1}, "money_does_not_add_up"),
        ({"prizes_cents": (10_000,), "prizes_won": 2}, "prizes_won_invalid"),
        ({"paid_cents": 10_001, "prizes_won": 1}, "money_does_not_add_up"),
        ({"policy": "big_holdem", "prizes_won": 1}, "prizes_missing"),
        ({"in_the_money": "next_prize", "prizes_won": 1, "paid_cents": 2_000}, "prizes_missing"),
        (
            {"prizes_cents": (5_000, 3_000, 2_000), "prizes_won": 2, "paid_cents": 5_000},
            "survivors_do_not_fit",
        ),
        ({"policy": "tda"}, "prizes_missing"),
        (
            {"policy": "refund_all", "entry_cents": 1, "commission_cents": 2},
            "entry_invalid",
        ),
        (
            {
                "policy": "big_holdem",
                "survivors": (Survivor(player="a", chips=5, entry_cents=1, commission_cents=2),),
            },
            "entry_invalid",
        ),
        (
            {"survivors": (Survivor(player="a", chips=5, extra_commission_cents=1),)},
            "extras_invalid",
        ),
    ],
)
def test_a_case_that_does_not_add_up_is_refused_with_the_reason(changed, reason):
    right = case("peoples_poker", 10_000, (6, 4))
    assert isinstance(roll_forward(right), Sheet)
    refused = roll_forward(replace(right, **changed))
    assert isinstance(refused, Refused)
    assert refused.reason == reason


def test_pp_rollforward_needs_no_list_of_prizes():
    """PP-ROLLFORWARD depends on what was paid, not on who won it."""
    assert totals("peoples_poker", 10_000, (9, 1), prizes_won=1, paid_cents=2_000) == [5_600, 2_400]


@st.composite
def cases(draw):
    chips = draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=12))
    left = len(chips)
    prizes = sorted(draw(st.lists(st.integers(0, 10**6), min_size=left, max_size=20)), reverse=True)
    won = draw(st.sampled_from([0, len(prizes) - left]))
    price = draw(st.integers(0, 10**5))
    return Case(
        policy=draw(st.sampled_from(["peoples_poker", "big_holdem", "tda"])),
        pool_cents=sum(prizes),
        survivors=players(*chips),
        prizes_cents=tuple(prizes),
        prizes_won=won,
        paid_cents=sum(prizes[len(prizes) - won :]),
        entry_cents=price,
        commission_cents=draw(st.integers(0, price)),
        in_the_money=draw(st.sampled_from(["literal", "next_prize"])),
    )


@given(cases())
def test_every_sheet_is_exact_and_more_chips_are_never_less_money(
    given_case,
):
    found = roll_forward(given_case)
    assert isinstance(found, Sheet)
    from_pool = [line.total_cents - line.commission_cents for line in found.players]
    assert sum(from_pool) == given_case.left_cents + found.operator_top_up_cents
    assert all(
        cents >= line.certain_cents for cents, line in zip(from_pool, found.players, strict=True)
    )
    ranked = sorted(found.players, key=lambda line: line.chips)
    for fewer, more in pairwise(ranked):
        assert more.chips == fewer.chips or more.total_cents >= fewer.total_cents


@given(cases(), st.randoms())
def test_the_order_of_the_list_changes_nothing(given_case, chance):
    shuffled = list(given_case.survivors)
    chance.shuffle(shuffled)
    assume(tuple(shuffled) != given_case.survivors)
    first, second = (
        roll_forward(given_case),
        roll_forward(replace(given_case, survivors=tuple(shuffled))),
    )
    assert isinstance(first, Sheet)
    assert isinstance(second, Sheet)
    assert sorted(first.players, key=lambda line: line.player) == sorted(
        second.players, key=lambda line: line.player
    )
