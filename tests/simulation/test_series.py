"""Big Shoots in simulated worlds (BH-BIGSHOOT): pools and players reach the next stage, or share."""

from collections.abc import Iterator

import pytest

from services.cli.verdicts.history import Fact, history_of
from shared.contracts.director import (
    PlayerRegistered,
    PlayersQualified,
    StagePrizeDue,
    TournamentCancelled,
    TournamentFinished,
)
from shared.contracts.wallet import EntryRefused, PoolCarried
from tests.simulation.series import FEEDERS, FINAL, MIDDLE
from tests.simulation.test_tournament import CALM, lived
from tests.simulation.world import World

STORIES = {
    "carried",
    "withdrew",
    "shared at once",
    "shared, for there is no next stage to play",
    "refused still in",
    "bought in again",
    "cancelled feeder",
    "cancelled middle",
    "cancelled final",
    "played final",
}


def facts_of(world: World) -> list[Fact]:
    history = history_of({line: disk.rows for line, disk in world.disks.items()})
    return [fact for service in ("director", "wallet") for fact in history.of(service)]


def stories(facts: list[Fact]) -> Iterator[str]:
    """Say what has happened in a series."""
    taken_in = {
        (fact.stream, fact.event.from_tournament)
        for fact in facts
        if isinstance(fact.event, PlayersQualified)
    }
    bought: dict[str, set[str]] = {}
    for fact in facts:
        match fact.event:
            case PoolCarried(players=players) if players:
                yield "carried"
            case StagePrizeDue(withdrew=True):
                yield "withdrew"
            case StagePrizeDue() if (fact.stream, fact.event.from_tournament) in taken_in:
                yield "shared, for there is no next stage to play"
            case StagePrizeDue():
                yield "shared at once"
            case EntryRefused(reason="still_in_big_shoot"):
                yield "refused still in"
            case PlayerRegistered(player=player):
                bought.setdefault(player, set()).add(fact.stream)
            case TournamentCancelled():
                yield f"cancelled {STAGES[fact.stream]}"
            case TournamentFinished():
                yield f"played {STAGES[fact.stream]}"
            case _:
                pass
    if any(len(feeders) > 1 for feeders in bought.values()):
        yield "bought in again"


STAGES = {FINAL: "final", MIDDLE: "middle", **dict.fromkeys(FEEDERS, "feeder")}
