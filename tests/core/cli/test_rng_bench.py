"""The bench in small: every verdict is the expected one, and a wrong one is told.

Everything here is made from seeds, the stand-in for the operating system's generator included:
what `rollforward rng bench` leaves to chance would now and then fail a test that is right.
"""

from functools import cache

import numpy as np
import pytest

from services.cli.rng import bench, command
from services.cli.rng.bench import Sizes, jobs, run
from services.cli.rng.lines import Job, line
from services.cli.rng.orders import order_tests
from services.cli.rng.plot import draw
from services.cli.rng.report import TESTS_OF_DECKS, row
from shared.runtime.settings import SettingsError

SMALL = Sizes(decks=10_000, starts=2_000, seeds=2**16, draws=10_000, throws=100_000, buffers=4_096)
FULL_DRAWS = SMALL._replace(draws=200_000)
KNOWN = {
    "PP-RNG, bound 207": "passes",
    "bound 209, as published": "biased",
    "bound 255": "biased",
    "one byte modulo": "biased",
    "swap with any place": "biased",
    "sort by a random byte": "biased",
    "sort by a coin": "biased",
    "seeded by the time": "repeats",
    "seeded with 32 bits": "repeats",
    "dice": "passes",
    "dice, one byte modulo": "biased",
    "draws": "passes",
    "draws, one byte modulo": "biased",
    "generator's bytes": "passes",
    "dealer's source": "passes",
    "seeded dealer's source": "flagged",
}


def stand_in():
    """Bytes as good as the operating system's, and the same ones every time."""
    return np.random.default_rng(2).bytes


def small_job(name, sizes=SMALL):
    return next(job for job in jobs(sizes, stand_in(), seed=1) if job.name == name)


@cache
def judged_line(name):
    return line(small_job(name))


def test_everybody_is_on_the_bench():
    assert {job.name: job.expected for job in jobs(SMALL, stand_in(), seed=1)} == KNOWN


@pytest.mark.parametrize("name", [name for name in KNOWN if name != "draws, one byte modulo"])
def test_pp_rng_bench_finds_what_is_expected(name):
    judged = judged_line(name)
    assert judged.right, row(judged)


def test_pp_rng_bench_flags_draws_by_one_byte_modulo():
    """The faintest fault of all: it takes as many draws here as on the bench."""
    judged = line(small_job("draws, one byte modulo", FULL_DRAWS))
    assert judged.right, row(judged)


@pytest.mark.parametrize("name", ["seeded by the time", "seeded with 32 bits"])
def test_statistics_alone_do_not_see_a_seed(name):
    *statistics, starts = judged_line(name).measured.tests
    assert min(test.p for test in statistics) > 0.001
    assert starts.p < 1e-50


def test_a_dealer_that_poses_as_another_is_a_wrong_verdict(capsys):
    honest, biased = small_job("generator's bytes"), small_job("swap with any place")
    done = run([honest, biased._replace(expected="passes"), honest._replace(expected="biased")])
    assert [judged.right for judged in done] == [True, False, False]
    printed = capsys.readouterr().out.splitlines()
    assert [one[:5].strip() for one in printed] == ["ok", "WRONG", "WRONG"]
    assert "expected passes   found biased" in printed[1]


@pytest.mark.parametrize(("expected", "code"), [("biased", 0), ("passes", 1)])
def test_the_exit_code_is_0_only_if_every_verdict_is_expected(monkeypatch, capsys, expected, code):
    jobs_here = (small_job("swap with any place")._replace(expected=expected),)
    monkeypatch.setattr(bench, "jobs", lambda *_: jobs_here)
    assert command.bench(decks=10_000) == code
    said = capsys.readouterr().out
    assert f"{1 - code} of 1 verdicts as expected" in said
    assert "alpha 0.001" in said
    assert "bound 209 is seen with" in said


def test_a_picture_is_written(tmp_path):
    names = ("swap with any place", "seeded by the time", "generator's bytes", "dealer's source")
    draw([judged_line(name) for name in names], tmp_path / "bench.png")
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")


def test_a_missing_extra_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "scipy" else name)
    with pytest.raises(SettingsError, match=r"^scipy not installed: .* extra 'bench'$"):
        command.bench()


def honest_decks():
    decks = np.tile(np.arange(52, dtype=np.uint8), (10_000, 1))
    return np.random.default_rng(3).permuted(decks, axis=1)


def placed(decks, rows, card, place):
    """Swap a card to a place, in these decks."""
    found = np.argmax(decks[rows] == card, axis=1)
    decks[rows, found], decks[rows, place] = decks[rows, place], card
    return decks


def prefers_one_on_top(decks):
    return placed(decks, np.arange(0, 10_000, 50), 7, 0)


def leaves_some_unshuffled(decks):
    decks[::40] = np.arange(52)
    return decks


def prefers_a_pair_on_top(decks):
    rows = np.flatnonzero(decks[:, 0] == 7)[::2]
    return placed(decks, rows, 8, 1)


def prefers_a_cycle(decks):
    """0 before 1 before 2 before 0, as far as it goes; every mean place stays the same."""
    first, second, third = (np.argmax(decks == card, axis=1) for card in (0, 1, 2))
    steps_up = np.sum([first < second, second < third, third < first], axis=0)
    rows = np.flatnonzero(steps_up == 1)[::3]
    decks[rows, first[rows]], decks[rows, second[rows]] = 1, 0
    return decks


def keeps_two_together(decks):
    rows = np.flatnonzero(decks[:, 0] == 7)
    return placed(decks, rows, 8, 1)


def sorts_the_ends(decks):
    rows = np.flatnonzero(decks[:, 0] > decks[:, -1])[::3]
    decks[np.ix_(rows, [0, -1])] = decks[np.ix_(rows, [-1, 0])]
    return decks


def repeats_the_last(decks):
    decks[1::20] = decks[::20]
    return decks


def is_one_cycle(decks):
    """Shuffle so that no card may stay: place i takes from the places below it only."""
    generator, rows = np.random.default_rng(4), np.arange(len(decks))
    decks[:] = np.arange(52)
    for place in range(51, 0, -1):
        other = generator.integers(place, size=len(decks))
        decks[rows, other], decks[:, place] = decks[:, place].copy(), decks[rows, other]
    return decks


def riffles_eight_times(decks):
    """Each riffle: a bit for each card, the zeros come first (backwards in time)."""
    generator = np.random.default_rng(5)
    decks[:] = np.arange(52)
    for _ in range(8):
        bits = generator.integers(2, size=decks.shape)
        decks = np.take_along_axis(decks, np.argsort(bits, axis=1, kind="stable"), axis=1)
    return decks


@pytest.mark.parametrize(
    ("fault", "test"),
    [
        (prefers_one_on_top, "first card"),
        (leaves_some_unshuffled, "card by place"),
        (prefers_a_pair_on_top, "first pair"),
        (prefers_a_cycle, "order of pairs"),
        (keeps_two_together, "neighbours"),
        (sorts_the_ends, "inversions"),
        (riffles_eight_times, "runs"),
        (lambda decks: np.argsort(riffles_eight_times(decks)).astype(np.uint8), "rising sequences"),
        (is_one_cycle, "cycles"),
        (repeats_the_last, "place by next place"),
        (repeats_the_last, "same place in the next"),
    ],
)
def test_each_test_sees_its_fault(fault, test):
    faulty = {one.name: one.p for one in order_tests(fault(honest_decks()))}
    assert faulty[test] < 1e-6


def test_alpha_is_spread_over_all_tests_of_decks():
    assert len(judged_line("PP-RNG, bound 207").measured.tests) == TESTS_OF_DECKS


def test_no_test_sees_a_fault_in_honest_decks():
    assert min(one.p for one in order_tests(honest_decks())) > 0.001


def test_a_job_without_tests_is_judged_by_its_note():
    quiet = bench.source_measured({})
    assert line(Job("none", "flagged", lambda: quiet)).right
