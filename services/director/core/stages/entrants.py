"""Who is to be seated for a stage, and with how many chips."""

from collections.abc import Mapping

from services.director.core.state import Tournament


def entrants(tournament: Tournament) -> Mapping[str, int]:
    """Return who begins the stage with which stack: all who have entered, or have come so far."""
    if tournament.stage == 1:
        return dict.fromkeys(tournament.registered, tournament.agreed.starting_chips)
    return {standing.player: standing.stack_chips for standing in tournament.going_on}
