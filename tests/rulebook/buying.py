"""Tournaments in which something is bought after the start."""

from msgspec.structs import replace

from shared.contracts.director import (
    Purchase,
)
from shared.contracts.message import TimerFired
from tests.core.director.director_play import (
    START_MS,
    Play,
    held,
    players_named,
    terms,
    winners,
)

REBUY = Purchase(fee_cents=800, commission_cents=80, chips=1_500, until_level=1, most=1)
ADD_ON = Purchase(fee_cents=500, commission_cents=50, chips=2_000, until_level=2, most=1)
AT = START_MS + 60_000
LEVEL_MS = 600_000
ONE_PRIZE = winners(10_000)
A, B, C, D = players_named(4)


def rebuys(**changes):
    """Four at one table, with rebuys in the first level and add-ons in the first two."""
    chosen = terms(
        seats=4, level_ms=LEVEL_MS, rebuy=REBUY, add_on=ADD_ON, prizes=winners(6_000, 4_000)
    )
    return Play(replace(chosen, **changes)).begin()


def late(players=4, after_commit=lambda play: None, **changes):
    """So many at the start of a tournament for eight, entered until level 2 is over."""
    chosen = terms(
        entries=8,
        seats=4,
        level_ms=LEVEL_MS,
        start_at_ms=AT,
        late_levels=2,
        reentries=1,
    )
    play = Play(replace(chosen, **changes), after_commit).enter(*players_named(8)[:players])
    play.now_ms = AT
    play.must(TimerFired(name="start"))
    return play.answer_all_draws()


def to_level(play, number):
    """Let the clock run out until this level is played."""
    while play.state.level < number:
        play.now_ms = play.state.level_ends_ms
        play.must(TimerFired(name="level"))


def buys(play, request):
    """Ask for something and have its price held; return all that follows."""
    (asked,) = play.must(request)
    play.asked.remove(asked)
    return play.must(held(asked))


def chips_of(play, player):
    return next(
        seat.stack_chips
        for table in play.state.tables.values()
        for seat in table.seats
        if seat.player == player
    )
