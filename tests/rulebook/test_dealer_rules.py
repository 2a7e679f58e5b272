"""The rulebook's words on dealing: PP-RNG with its published mistake, and cards going round."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from services.dealer.core import deck_from, drawn_from, order_from, order_of
from services.dealer.core.shuffle import source_bytes_max

ROOT = Path(__file__).resolve().parents[2]
DECK = range(52)
BUFFER_BYTES = 256


def buffer_of(*first_bytes, skipped=255):
    """A buffer that begins so; the rest are bytes above any bound."""
    return bytes(first_bytes).ljust(BUFFER_BYTES, bytes((skipped,)))


def first_card_by_byte(*, as_published):
    """Which card each value of the first byte puts on top; skipped values are left out."""
    tops = {}
    for value in range(256):
        decks = [
            deck_from(iter([buffer_of(value, *rest)]), as_published=as_published)
            for rest in (DECK, reversed(DECK))
        ]
        if decks[0][0] == decks[1][0]:
            tops[value] = decks[0][0]
    return tops


def test_pp_rng_every_card_comes_from_four_bytes():
    tops = first_card_by_byte(as_published=False)
    assert list(tops) == list(range(208))
    assert Counter(tops.values()) == dict.fromkeys(DECK, 4)


def test_pp_rng_as_published_prefers_two_cards():
    tops = first_card_by_byte(as_published=True)
    assert list(tops) == list(range(210))
    chances = {card: Fraction(n, len(tops)) for card, n in Counter(tops.values()).items()}
    assert chances == {card: Fraction(1, 42) if card < 2 else Fraction(2, 105) for card in DECK}


def test_pp_rng_as_published_is_for_tests_and_the_bench_only():
    named = [
        path.relative_to(ROOT).as_posix()
        for top in ("services", "shared")
        for path in (ROOT / top).rglob("*.py")
        if "as_published" in path.read_text()
    ]
    assert sorted(named) == [
        "services/cli/rng/bench.py",
        "services/cli/rng/dealers.py",
        "services/dealer/core/shuffle.py",
    ]


GENERATORS = re.compile(r"^(?:import|from) (?:random|secrets|uuid|numpy)\b|urandom", re.MULTILINE)
NAMES_THINGS = {
    "shared/runtime/adapters/database_care.py",
    "shared/runtime/adapters/deployment.py",
    "shared/runtime/adapters/engines.py",
    "shared/runtime/adapters/nats.py",
    "shared/runtime/adapters/nats_cluster.py",
}


def test_pp_rng_nothing_else_on_the_platform_has_a_generator_to_decide_by():
    """All get the system's generator from one adapter; the others make names of things with it."""
    having = {
        path.relative_to(ROOT).as_posix()
        for top in ("services", "shared")
        for path in (ROOT / top).rglob("*.py")
        if GENERATORS.search(path.read_text()) and "services/cli" not in path.as_posix()
    }
    assert having - NAMES_THINGS == {
        "shared/runtime/adapters/system.py",
        "services/dealer/shell/vault.py",
    }


def test_pp_rng_walks_skips_and_leaves_out_cards_that_are_in_the_deck():
    walked = buffer_of(51, 208, 255, 51 + 52, 0, 51 + 156, 104, *range(50, 0, -1))
    assert deck_from(iter([walked])) == (51, 0, *range(50, 0, -1))


def test_pp_rng_starts_again_from_scratch_with_a_new_buffer():
    falls_one_short = buffer_of(*range(51))
    assert deck_from(iter([falls_one_short, buffer_of(*reversed(DECK))])) == tuple(reversed(DECK))


def test_pp_rng_takes_no_more_buffers_than_it_needs():
    buffers = iter([buffer_of(*DECK), buffer_of(*DECK)])
    deck_from(buffers)
    assert len(list(buffers)) == 1


@pytest.mark.parametrize("buffers", [[], [buffer_of(7)], [bytes(255)], [b""]])
def test_pp_rng_never_makes_a_deck_of_too_little(buffers):
    with pytest.raises((EOFError, ValueError)):
        deck_from(iter(buffers))


def chance_of_one_buffer():
    """Exactly how likely 256 bytes hold all 52 cards: a walk over how many are dealt."""
    dealt = [Fraction(1)] + [Fraction(0)] * 52
    for _ in range(BUFFER_BYTES):
        new = [Fraction(208 * (52 - k), 256 * 52) for k in range(53)]
        dealt = [
            dealt[k] * (1 - new[k]) + (dealt[k - 1] * new[k - 1] if k else 0) for k in range(53)
        ]
    return dealt[52]


def test_pp_rng_one_buffer_suffices_in_38_3_percent():
    chance = chance_of_one_buffer()
    assert round(float(chance), 3) == 0.383
    assert round(float(1 / chance), 2) == 2.61


def holds_all_cards(buffer):
    return {byte % 52 for byte in buffer if byte <= 207} == set(DECK)


def test_pp_rng_deals_from_the_first_buffer_that_holds_all_cards():
    source, shares = Random(1), Counter()
    for _ in range(3_000):
        made = [source.randbytes(BUFFER_BYTES)]
        while not holds_all_cards(made[-1]):
            made.append(source.randbytes(BUFFER_BYTES))
        buffers = iter([*made, buffer_of(*DECK)])
        assert sorted(deck_from(buffers)) == list(DECK)
        assert len(list(buffers)) == 1
        shares[len(made)] += 1
    assert abs(shares[1] / 3_000 - float(chance_of_one_buffer())) < 0.02


def test_a_drawn_order_favours_nobody():
    orders = Counter(
        order_from(3, iter([buffer_of(first, second)]))
        for first in range(255)
        for second in range(256)
    )
    assert set(orders.values()) == {255 * 256 // 6}
    assert len(orders) == 6


def test_a_drawn_order_drops_the_byte_that_would_favour_someone():
    for second in range(255):
        assert order_from(3, iter([buffer_of(255, second, 1)])) == order_from(
            3, iter([buffer_of(second, 1)])
        )


def test_a_drawn_order_goes_on_into_the_next_buffer():
    source = Random(3)
    order = order_from(1_000, iter([source.randbytes(BUFFER_BYTES) for _ in range(20)]))
    assert sorted(order) == list(range(1_000))
    assert order != tuple(range(1_000))


@pytest.mark.parametrize("n", [0, 1])
def test_a_drawn_order_of_nothing_to_choose_takes_no_bytes(n):
    assert order_from(n, iter([])) == tuple(range(n))


def test_a_drawn_order_follows_from_the_bytes_that_it_was_made_of_and_no_others():
    buffers = [Random(5).randbytes(BUFFER_BYTES) for _ in range(20)]
    order, source = drawn_from(700, iter(buffers))
    assert b"".join(buffers).startswith(source)
    assert order_of(700, source) == order


@pytest.mark.parametrize(
    ("n", "source", "complaint"),
    [
        (3, b"", "ends before"),
        (3, bytes(1), "ends before"),
        (3, b"\xff\x00", "ends before"),
        (3, bytes(3), "left over"),
        (1, bytes(1), "left over"),
        (0, bytes(1), "left over"),
        (300, bytes(2 * 44 + 255 - 1), "ends before"),
        (300, bytes(2 * 44 + 255 + 1), "left over"),
        (-1, b"", "fewer than none"),
    ],
)
def test_a_source_that_is_too_short_or_too_long_makes_no_order(n, source, complaint):
    with pytest.raises(ValueError, match=complaint):
        order_of(n, source)


def test_one_byte_chooses_among_256_and_two_above():
    assert len(order_of(300, bytes(2 * 44 + 255))) == 300


def test_a_drawn_order_of_so_many_never_needs_more_than_is_counted_for_it():
    taken = [len(drawn_from(n, endless(n))[1]) / source_bytes_max(n) for n in (2, 256, 257, 3_000)]
    assert max(taken) < 1


def endless(seed):
    source = Random(seed)
    while True:
        yield source.randbytes(BUFFER_BYTES)


@pytest.mark.parametrize("seed", range(30))
def test_pp_rng_how_long_a_shuffle_takes_says_nothing_about_its_order(seed):
    """Other names for the cards: another deck, from as many buffers and from the same bytes."""
    renamed = Random(seed).sample(DECK, 52)
    buffers = [Random(f"{seed} {number}").randbytes(BUFFER_BYTES) for number in range(40)]
    others = [
        bytes(byte if byte > 207 else byte // 52 * 52 + renamed[byte % 52] for byte in buffer)
        for buffer in buffers
    ]
    walked, walked_renamed = iter(buffers), iter(others)
    deck, other = deck_from(walked), deck_from(walked_renamed)
    assert other == tuple(renamed[card] for card in deck)
    assert len(list(walked)) == len(list(walked_renamed))
