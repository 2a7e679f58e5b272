"""How levels, breaks and pauses change."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.state import (
    Tournament,
)
from shared.contracts.director import (
    BreakBegan,
    BreakExtended,
    ClockExtended,
    LevelBegan,
    TournamentPaused,
    TournamentResumed,
)
from shared.kernel.outages import Stretch, left_of, with_credit


def level_began(tournament: Tournament, event: LevelBegan) -> Tournament:
    return replace(
        tournament,
        level=event.number,
        level_ends_ms=event.ends_at_ms,
        level_credited=(),
        hands_in_level=0,
        resting=False,
        level_due=0,
    )


def break_began(tournament: Tournament, event: BreakBegan) -> Tournament:
    return replace(
        tournament,
        level_ends_ms=event.ends_at_ms,
        level_credited=(),
        resting=True,
        rested_after=event.after_level,
    )


def clock_extended(tournament: Tournament, event: ClockExtended | BreakExtended) -> Tournament:
    credited = with_credit(tournament.level_credited, event.down_from_ms, event.up_at_ms)
    return replace(tournament, level_ends_ms=event.ends_at_ms, level_credited=credited)


def paused(tournament: Tournament, event: TournamentPaused) -> Tournament:
    return replace(tournament, paused_ms=event.at_ms)


def resumed(tournament: Tournament, event: TournamentResumed) -> Tournament:
    """What of the pause had not been given back yet now is."""
    credited = tournament.level_credited
    began_ms = event.at_ms if tournament.paused_ms is None else tournament.paused_ms
    for left in left_of(Stretch(began_ms, event.at_ms), credited):
        credited = with_credit(credited, left.from_ms, left.to_ms)
    ends_ms = event.ends_at_ms
    return replace(tournament, paused_ms=None, level_ends_ms=ends_ms, level_credited=credited)


APPLY: Rows = {
    LevelBegan: level_began,
    ClockExtended: clock_extended,
    BreakBegan: break_began,
    BreakExtended: clock_extended,
    TournamentPaused: paused,
    TournamentResumed: resumed,
}
