"""Rest: breaks between levels, all tables in step, and pauses that an operator makes."""

from services.director.core.state import Tournament
from shared.contracts.director import (
    BreakBegan,
    DirectorEvent,
    PauseTournament,
    ResumeTournament,
    TournamentPaused,
    TournamentResumed,
)
from shared.kernel.decider import Refused

BREAK_TIMER = "break"
REASON_CHARACTERS_MAX = 1_000


def begin_break(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Begin the break that is due, once no table plays any more: it is as long for everybody."""
    length_ms = due_break_ms(tournament)
    if (
        length_ms is None
        or tournament.tables.any_playing
        or tournament.unranked
        or tournament.left < 2
    ):
        return ()
    return (
        BreakBegan(
            tournament=tournament.tournament,
            after_level=tournament.level,
            ends_at_ms=at_ms + length_ms,
        ),
    )


def due_break_ms(tournament: Tournament) -> int | None:
    """Return the length of the break after this level, if it has not begun yet."""
    if tournament.rested_after == tournament.level:
        return None
    breaks = {rest.after_level: rest.ms for rest in tournament.agreed.breaks}
    return breaks.get(tournament.level)


def pause(
    tournament: Tournament, request: PauseTournament, at_ms: int
) -> tuple[DirectorEvent, ...] | Refused:
    """Let what is played end, and clear no other hand; the same again changes nothing."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if not 0 < len(request.reason) <= REASON_CHARACTERS_MAX:
        return Refused("reason_invalid", f"1 to {REASON_CHARACTERS_MAX} characters")
    if tournament.phase != "running":
        return Refused("not_running")
    if tournament.paused_ms is not None:
        return ()
    return (
        TournamentPaused(
            tournament=tournament.tournament,
            author=request.author,
            reason=request.reason,
            at_ms=at_ms,
        ),
    )


def resume(
    tournament: Tournament, request: ResumeTournament, at_ms: int
) -> tuple[DirectorEvent, ...] | Refused:
    """Go on: the level or the break lasts as much longer as was not given back otherwise."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "running":
        return Refused("not_running")
    if tournament.cancelling is not None:
        return Refused("cancelling")
    if tournament.paused_ms is None:
        return ()
    return (
        TournamentResumed(
            tournament=tournament.tournament,
            author=request.author,
            at_ms=at_ms,
            ends_at_ms=tournament.resumed_end_ms(at_ms),
        ),
    )
