"""When to look for those who have fallen silent: as soon as their keys must have run out."""

import pytest

from shared.runtime.adapters.renewals import (
    AGAIN_SECONDS,
    LATE_SECONDS,
    SURELY_SECONDS,
    Renewals,
)

TTL_S = 3.0
TICK_S = 0.6


class Hearing:
    """Renewals heard at moments set by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.renewals = Renewals(TTL_S, lambda: self.seconds)

    def after(self, seconds: float) -> float:
        """Let time pass; return the pause until the next look."""
        self.seconds += seconds
        return self.renewals.pause(TICK_S)


@pytest.fixture
def hearing() -> Hearing:
    hearing = Hearing()
    hearing.renewals.heard("other")
    return hearing


def test_of_those_who_renew_nothing_is_expected(hearing):
    for _ in range(10):
        assert hearing.after(TICK_S) == TICK_S
        hearing.renewals.heard("other")


def test_the_keys_of_one_that_is_silent_are_looked_at_when_they_must_have_run_out(hearing):
    assert hearing.after(TTL_S - TICK_S) == TICK_S
    assert hearing.after(TICK_S - 0.2) == pytest.approx(0.2 + SURELY_SECONDS)


def test_keys_that_the_server_keeps_too_long_are_looked_at_again_and_not_for_ever(hearing):
    assert hearing.after(TTL_S + SURELY_SECONDS) == AGAIN_SECONDS
    assert hearing.after(LATE_SECONDS - 2 * AGAIN_SECONDS) == AGAIN_SECONDS
    assert hearing.after(2 * AGAIN_SECONDS) == TICK_S


def test_who_is_not_there_any_more_is_expected_no_longer(hearing):
    hearing.renewals.heard("third")
    hearing.renewals.found(["third", "fourth"])
    hearing.renewals.heard("third")
    assert hearing.after(TTL_S - 0.1) == pytest.approx(0.1 + SURELY_SECONDS)
    hearing.renewals.found(["fourth"])
    assert hearing.after(0.0) == TICK_S
