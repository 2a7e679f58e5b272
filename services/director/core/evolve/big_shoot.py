"""How a Big Shoot's pools and qualified players come and go."""

from typing import Any

from services.director.core.evolve.rows import Rows
from services.director.core.state import Tournament
from shared.contracts.director import (
    LeftBigShoot,
    PlayersQualified,
    QualifiersNamed,
    StagePrizeDue,
)


def told(tournament: Tournament, _: Any) -> Tournament:
    """What is only for others to know."""
    return tournament


APPLY: Rows = {
    QualifiersNamed: told,
    PlayersQualified: told,
    StagePrizeDue: told,
    LeftBigShoot: told,
}
