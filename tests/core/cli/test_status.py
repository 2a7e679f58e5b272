"""`rollforward status`: what counts as wrong, what is the game, and what the terminal shows."""

import msgspec
import pytest
from rich.console import Console

from services.cli.status.judging import wrongs
from services.cli.status.reading import LineReport, Report, with_lag
from services.cli.status.screen import duration, show
from shared.contracts.edge import Explained, Following, LineStatus, OpenQuestion

NOW_MS = 1_800_000_000_000
HEALTHY = LineStatus(
    line="table-0",
    instance="pod-a",
    build="1",
    since_ms=NOW_MS - 61_000,
    last=40,
    last_m=38,
    relay_lag=0,
    live=2,
)


def report_of(*lines: LineReport) -> Report:
    return Report(deployment="dep_1", members={"table": ("pod-a",)}, lines=lines)


def owned(**changed: object) -> Report:
    status = msgspec.structs.replace(HEALTHY, **changed)
    return report_of(LineReport(line="table-0", holder="pod-a", status=status))


def asked(age_ms: int) -> tuple[OpenQuestion, ...]:
    return (OpenQuestion(stream="tbl_1", n=7, what="DealAwaited", since_ms=NOW_MS - age_ms),)


HARMLESS = [
    owned(),
    owned(questions=asked(10_000)),
    owned(relay_lag=100),
    owned(waiting=(Explained(stream="trn_1", what="tbl_1", why="players_on_the_way"),)),
]
WRONG = [
    # report, what is said of it
    (owned(questions=asked(34_000)), "table-0: tbl_1 has waited 34 s for an answer to DealAwaited"),
    (owned(relay_lag=9_000), "table-0: 9000 commits are not in the stream"),
    (owned(reasons={"store table-0": "gone"}), "table-0: store table-0: gone"),
    (
        report_of(LineReport(line="table-0", holder=None, status=HEALTHY)),
        "table-0: nobody holds its lease",
    ),
    (
        report_of(LineReport(line="table-0", holder="pod-a", silent="nobody answers for it")),
        "table-0: nobody answers for it",
    ),
]


@pytest.mark.parametrize("report", HARMLESS)
def test_the_game_as_it_goes_is_not_wrong(report):
    assert wrongs(report, NOW_MS) == ()


@pytest.mark.parametrize(("report", "said"), WRONG)
def test_what_an_operator_has_to_look_at_is_said(report, said):
    assert wrongs(report, NOW_MS) == (said,)


def test_lag_is_counted_in_what_a_follower_can_reach():
    following = (
        Following(upstream="table-0", position=30),
        Following(upstream="wallet-0", position=5),
    )
    director = msgspec.structs.replace(HEALTHY, line="director-0", following=following)
    reports = [
        LineReport(line="table-0", holder="pod-a", status=HEALTHY),
        LineReport(line="director-0", holder="pod-b", status=director),
        LineReport(line="wallet-0", holder=None, silent="nobody answers for it"),
    ]
    assert [line.behind for line in with_lag(reports)] == [{}, {"table-0": 8}, {}]


def test_the_terminal_shows_owners_and_what_waits_and_what_is_wrong():
    console = Console(record=True, width=120)
    waiting = (Explained(stream="trn_1", what="tbl_1", why="players_on_the_way"),)
    report = owned(waiting=waiting, questions=asked(34_000))
    show(console, report, wrongs(report, NOW_MS), NOW_MS)
    shown = console.export_text()
    for text in ("table-0", "pod-a", "1 min 1 s", "1 (34 s)", "trn_1 tbl_1: players_on_the_way"):
        assert text in shown
    assert "wrong  table-0: tbl_1 has waited 34 s" in shown
    assert "nothing is wrong" not in shown


@pytest.mark.parametrize(
    ("milliseconds", "written"),
    [(-5, "0 s"), (59_999, "59 s"), (61_000, "1 min 1 s"), (7_500_000, "2 h 5 min")],
)
def test_durations_have_two_units(milliseconds, written):
    assert duration(milliseconds) == written
