"""Stretches of time: what is left of one beside others, and the first of them up to a limit."""

import pytest

from shared.kernel.outages import Stretch, at_most, left_of, with_credit

CREDITED = (Stretch(10, 20), Stretch(20, 25), Stretch(40, 50))


def stretches(pairs):
    return tuple(Stretch(*pair) for pair in pairs)


@pytest.mark.parametrize(
    ("outage", "left"),
    [
        ((0, 5), [(0, 5)]),
        ((0, 10), [(0, 10)]),
        ((0, 15), [(0, 10)]),
        ((12, 18), []),
        ((10, 25), []),
        ((15, 30), [(25, 30)]),
        ((0, 60), [(0, 10), (25, 40), (50, 60)]),
        ((25, 40), [(25, 40)]),
        ((50, 60), [(50, 60)]),
        ((60, 60), []),
        ((60, 0), []),
    ],
)
def test_what_is_left_of_an_outage_lies_beside_all_credits(outage, left):
    assert left_of(Stretch(*outage), CREDITED) == stretches(left)


@pytest.mark.parametrize(
    ("limit_ms", "kept"),
    [
        (0, []),
        (4, [(10, 14)]),
        (10, [(10, 20)]),
        (12, [(10, 20), (20, 22)]),
        (25, [(10, 20), (20, 25), (40, 50)]),
        (99, [(10, 20), (20, 25), (40, 50)]),
    ],
)
def test_a_limit_keeps_the_first(limit_ms, kept):
    assert at_most(CREDITED, limit_ms) == stretches(kept)


def test_a_credit_takes_its_place_among_the_others():
    assert with_credit(CREDITED, 30, 35)[2] == Stretch(30, 35)
    assert with_credit(CREDITED, 0, 5)[0] == Stretch(0, 5)
