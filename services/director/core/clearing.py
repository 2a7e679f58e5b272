"""Levels and the clearing of hands: a table plays a hand only when nothing stands against it."""

from services.director.core import big_shoot, moves, ranking, stages
from services.director.core.hall import Table
from services.director.core.hands import hand_id
from services.director.core.pauses import begin_break, due_break_ms
from services.director.core.state import Tournament
from shared.contracts.director import DealtSeat, DirectorEvent, HandCleared, LevelBegan, Terms

LEVEL_TIMER = "level"
ALL_OUT_PAUSE_MS = 1_000


def next_level(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Begin the first level, or what comes when this one has lasted: a break, or the next one."""
    if not tournament.tables or tournament.paused_ms is not None:
        return ()
    begins_anew = stages.level_is_due(tournament)
    if tournament.level and not (begins_anew or level_is_over(tournament, at_ms)):
        return ()
    if due_break_ms(tournament) is not None and not tournament.level_due:
        return begin_break(tournament, at_ms)
    terms = tournament.agreed
    number = tournament.level_due or tournament.level + 1
    lasts = terms.level_ms and number < len(terms.levels)
    return (
        LevelBegan(
            tournament=tournament.tournament,
            number=number,
            level=terms.levels[number - 1],
            ends_at_ms=at_ms + terms.level_ms if lasts else None,
        ),
    )


def break_is_due(tournament: Tournament, at_ms: int) -> bool:
    """Say whether all tables are to rest before the next level begins."""
    return due_break_ms(tournament) is not None and level_is_over(tournament, at_ms)


def level_is_over(tournament: Tournament, at_ms: int) -> bool:
    """The last level lasts for ever."""
    terms = tournament.agreed
    if tournament.level_ends_ms is not None:
        return at_ms >= tournament.level_ends_ms
    if tournament.resting:
        return False
    by_hands = 0 < terms.level_hands <= tournament.hands_in_level
    return by_hands and tournament.level < len(terms.levels)


def clear(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Clear every table that nothing holds back, for those who are dealt in there now."""
    if why_nobody(tournament) is not None or break_is_due(tournament, at_ms):
        return ()
    terms = tournament.agreed
    return tuple(
        HandCleared(
            tournament=tournament.tournament,
            table=table.table,
            hand=hand_id(tournament, table, table.hand + 1),
            number=table.hand + 1,
            level=terms.levels[tournament.level - 1],
            roster=tuple(
                DealtSeat(held.seat, held.player) for held in moves.dealt_in(tournament, table)
            ),
            not_before_ms=max(at_ms, table.ended_at_ms + pause_ms(terms, table)),
            level_number=tournament.level,
        )
        for table in tournament.tables.at_rest
        if why_not(tournament, table) is None
    )


def pause_ms(terms: Terms, table: Table) -> int:
    """Return the pause between hands; where all are Out, hands would flood the log without one."""
    return terms.pause_ms if table.not_out else max(terms.pause_ms, ALL_OUT_PAUSE_MS)


def why_not(tournament: Tournament, table: Table) -> str | None:
    """Return what holds this one table back from its next hand, or None.

    Movers are dealt in from the new table's next hand: so it waits for those on the way.
    """
    if table.table in tournament.tables.closing:
        return "closing"
    if table.arriving:
        return "players_on_the_way"
    if stages.has_stopped(tournament, table):
        return "stage_over"
    if len(table.seats) < 2:
        return "rebuy_on_offer" if table.reserved else "too_few_players"
    return moves.held_back(tournament, table)


def why_nobody(tournament: Tournament) -> str | None:
    """Return what holds every table back, or None.

    Hand for hand, a round begins at all tables at once, when nobody plays or is on the way.
    """
    if tournament.cancelling is not None:
        return "cancelling"
    if tournament.question is not None:
        return f"draw: {tournament.question.purpose}"
    if tournament.paused_ms is not None:
        return "paused"
    if tournament.resting:
        return "break"
    if ranking.is_over(tournament):
        return "over: others_play"
    if tournament.deal is not None:
        return "deal"
    if not tournament.hand_for_hand:
        return None
    if tournament.tables.any_playing:
        return "hand_for_hand: others_play"
    if tournament.moves:
        return "hand_for_hand: players_on_the_way"
    return None


def reasons(tournament: Tournament) -> tuple[tuple[str, str], ...]:
    """Return each table that is not playing, and what it waits for; none waits once it is over.

    Whether a break is due depends on the moment; but what else would a table wait for. Before its
    start a later stage of a Big Shoot may wait for the stage before.
    """
    if tournament.phase == "registering" and (unfed := big_shoot.unfed(tournament)):
        return (("start", unfed),)
    if tournament.phase != "running":
        return ()
    for_all = why_nobody(tournament)
    if for_all is None and due_break_ms(tournament) is not None:
        for_all = "break: others_play"
    at_rest = (
        (table.table, why_not(tournament, table) or for_all) for table in tournament.tables.at_rest
    )
    return tuple((table, reason) for table, reason in at_rest if reason is not None)
