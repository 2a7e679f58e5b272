"""What the bench's p-values rest on: exact laws, exact covariances, exact chances."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

from services.cli.rng import laws, orders
from services.cli.rng.chances import ALPHA, Finding, evenly, rejected
from services.cli.rng.collisions import (
    DECKS_POSSIBLE,
    SEEDS,
    STARTS,
    STARTS_IN_WINDOW,
    WINDOW_MS,
    repeat_chance,
    repeat_test,
    repeats,
)
from services.cli.rng.dealers import as_published
from services.cli.rng.dice import byte_tests
from services.cli.rng.lines import LINE_ALPHA, LINES_THAT_MAY_ALARM
from services.cli.rng.power import (
    accepted_chances,
    decks_needed,
    first_card_chances,
    first_card_power,
    holding,
)
from services.cli.rng.report import TESTS_OF_DECKS

N = 6
ALL = np.array(list(permutations(range(N))), dtype=np.uint8)
DECK_ALPHA = LINE_ALPHA / TESTS_OF_DECKS


@pytest.mark.parametrize(
    ("law", "counted"),
    [
        (laws.inversions, orders.pairs(orders.places_of(ALL))[1]),
        (laws.descents, orders.down_steps(ALL)),
        (laws.cycles, orders.cycles_of(ALL)),
        (laws.matches, orders.kept_places(ALL)),
    ],
)
def test_laws_count_all_orders(law, counted):
    assert list(law(N)) == np.bincount(counted, minlength=len(law(N))).tolist()
    assert sum(law(52)) == factorial(52)


def test_statistics_have_the_mean_of_their_law_over_all_orders():
    tables = [orders.table_value(orders.table_of(one[None])) for one in ALL]
    assert np.mean(tables) == pytest.approx((N - 1) ** 2)
    rests = [orders.cyclic_value(orders.pairs(orders.places_of(one[None]))[0], 1) for one in ALL]
    assert np.mean(rests) == pytest.approx((N - 1) * (N - 2) / 2)


def test_all_orders_are_classes_of_their_own():
    assert orders.whole_orders(np.repeat(ALL, 3, axis=0)).p < 1e-9  # Too even to be by chance.
    assert orders.whole_orders(np.repeat(ALL[:360], 6, axis=0)).p < 1e-9


def test_honest_orders_are_rejected_as_often_as_alpha_says():
    """200 honest runs at alpha 0.2: 40 rejections if tests were exact and independent, or fewer."""
    generator = np.random.default_rng(6)
    cards = np.tile(np.arange(9, dtype=np.uint8), (2_000, 1))
    runs = [orders.order_tests(generator.permuted(cards, axis=1)) for _ in range(200)]
    alarms = sum(bool(rejected(tests, 0.2)) for tests in runs)
    assert 20 <= alarms <= 50


@pytest.mark.parametrize(
    ("ps", "alpha", "names"),
    [
        ((0.5, 0.02, 0.9), 0.05, ""),  # 0.02 is above a third of alpha.
        ((0.5, 0.01, 0.9), 0.05, "b"),
        ((0.02, 0.01, 0.9), 0.05, "ba"),
        ((0.02, 0.01, 0.05), 0.05, "bac"),
        ((0.04, 0.01, 0.04), 0.05, "b"),
        ((0.04, 0.02, 0.04), 0.05, ""),
    ],
)
def test_holm_rejects_step_by_step(ps, alpha, names):
    tests = [Finding(name, p) for name, p in zip("abc", ps, strict=True)]
    assert "".join(test.name for test in rejected(tests, alpha)) == names


def test_alpha_is_shared_by_what_has_to_pass():
    assert LINE_ALPHA * LINES_THAT_MAY_ALARM == ALPHA == 0.001


def test_counts_that_are_too_even_are_odd():
    assert evenly("", np.full(100, 50)).p < 1e-9
    assert evenly("", np.array([50, 150])).p < 1e-9
    assert evenly("", np.array([100, 110])).p > 0.3


def test_pp_rng_as_published_is_biased_by_exactly_so_much():
    """Rulebook: cards 0 and 1 have 5/210 = 1/42, the others 4/210 = 2/105."""
    ways = Counter(byte % 52 for byte in range(256) if byte <= 209)
    assert {card: Fraction(n, 210) for card, n in ways.items()} == {
        card: Fraction(1, 42) if card < 2 else Fraction(2, 105) for card in range(52)
    }
    assert accepted_chances(209) == (Fraction(1, 42),) * 2 + (Fraction(2, 105),) * 50
    assert accepted_chances(207) == first_card_chances(207) == (Fraction(1, 52),) * 52


def test_strings_that_hold_all_cards_are_counted_exactly():
    """Two cards of 100 bytes, one of 30: by trying every kind of string of five bytes."""
    bytes_of = {"a": 100, "b": 100, "c": 30, "none": 26}
    counted = sum(
        np.prod([bytes_of[one] for one in string])
        for string in product(bytes_of, repeat=5)
        if {"a", "b", "c"} <= set(string)
    )
    assert holding(5, Counter({100: 2, 30: 1})) == counted


def test_pp_rng_a_finished_deck_as_published_is_a_little_less_biased():
    chances = first_card_chances(209)
    assert sum(chances) == 1
    assert chances[0] == chances[1]
    assert Fraction(2, 105) < chances[2] < Fraction(1, 52) < chances[0] < Fraction(1, 42)
    tops = as_published(10_000, np.random.default_rng(8))[:, 0]
    share, chance = np.count_nonzero(tops < 2) / 10_000, float(2 * chances[0])
    assert abs(share - chance) < 3 * (chance * (1 - chance) / 10_000) ** 0.5


def test_the_bench_makes_enough_decks_for_the_weakest_fault():
    published, all_bytes = first_card_chances(209), first_card_chances(255)
    assert 60_000 < decks_needed(published, DECK_ALPHA) < 62_000
    assert decks_needed(all_bytes, DECK_ALPHA) < decks_needed(published, DECK_ALPHA)
    assert first_card_power(200_000, published, DECK_ALPHA) > 0.999_999
    assert first_card_power(200_000, first_card_chances(207), DECK_ALPHA) < DECK_ALPHA


def test_starts_are_enough_to_see_a_short_seed():
    assert repeat_chance(STARTS, SEEDS) > 0.999_9
    assert repeat_chance(STARTS_IN_WINDOW, WINDOW_MS) > 0.999
    assert repeat_chance(10**6, DECKS_POSSIBLE) < 1e-50


@pytest.mark.parametrize(("n", "chance"), [(1, 0.0), (2, 1 / 365), (23, 0.5073), (366, 1.0)])
def test_birthdays(n, chance):
    assert repeat_chance(n, 365) == pytest.approx(chance, abs=1e-4)


def test_a_repeated_deck_is_counted_each_time_it_comes_again():
    assert repeats(ALL) == 0
    assert repeats(np.concatenate([ALL, ALL[:3], ALL[:1]])) == 4
    assert repeat_test(ALL).p == 1.0


def stuck_bit(buffers):
    buffers[::40] |= 1
    return buffers


def later_copy(buffers):
    buffers[1::50] = buffers[::50]
    return buffers


def odd_place(buffers):
    buffers[:400, 17] = 9
    return buffers


def alternating(buffers):
    buffers[::100] = 0b01010101
    return buffers


def paired(buffers):
    buffers[::50, 1::2] = buffers[::50, ::2]
    return buffers


@pytest.mark.parametrize(
    ("fault", "test"),
    [
        (stuck_bit, "bytes"),
        (stuck_bit, "ones"),
        (later_copy, "same byte in the next buffer"),
        (odd_place, "bytes by place"),
        (alternating, "turns from bit to bit"),
        (paired, "pairs of bytes"),
    ],
)
def test_each_byte_test_sees_its_fault(fault, test):
    honest = np.random.default_rng(9).integers(256, size=(4_096, 256), dtype=np.uint8)
    assert min(one.p for one in byte_tests(honest)) > 0.001
    assert {one.name: one.p for one in byte_tests(fault(honest))}[test] < 1e-6
