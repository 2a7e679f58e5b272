"""Big Shoots in simulated worlds (BH-BIGSHOOT): pool and players reach the next stage, or share."""

from collections.abc import Iterator

from services.cli.verdicts.history import Fact, history_of
from shared.contracts.director import (
    LeftBigShoot,
    PlayerRegistered,
    PlayersQualified,
    StagePrizeDue,
    TournamentCancelled,
    TournamentFinished,
)
from shared.contracts.wallet import EntryRefused, PoolCarried
from tests.simulation.series import FEEDERS, FINAL, MIDDLE
from tests.simulation.test_tournament import lived
from tests.simulation.world import World

SEEDS = range(1, 31)
STAGES = {FINAL: "final", MIDDLE: "middle", **dict.fromkeys(FEEDERS, "feeder")}
STORIES = {
    *("carried", "withdrew", "shared at once", "shared since nobody plays on"),
    *("refused still in", "bought in again"),
    *("feeder played", "feeder given up", "feeder too small"),
    *("middle played", "middle passed alone"),
    *("final played", "final given up", "final too small"),
}


def facts_of(world: World) -> list[Fact]:
    """Return what director and wallet have recorded."""
    history = history_of({line: disk.rows for line, disk in world.disks.items()})
    return [fact for service in ("director", "wallet") for fact in history.of(service)]


def test_in_any_weather_a_series_keeps_every_law_and_lets_all_of_it_happen():
    """BH-BIGSHOOT: among these worlds every story is seen."""
    told = {story for seed in SEEDS for story in stories(facts_of(lived(World(seed, "series"))))}
    assert told >= STORIES


def stories(facts: list[Fact]) -> Iterator[str]:
    """Say what has happened in a series."""
    yield from map(told_by, facts)
    yield from ways_of_sharing(facts)
    yield from ways_back(facts)


def told_by(fact: Fact) -> str:
    """Say what one fact tells by itself, "" for nothing."""
    match fact.event:
        case PoolCarried(players=players) if players:
            return "carried"
        case EntryRefused(reason="still_in_big_shoot"):
            return "refused still in"
        case TournamentFinished(places=places):
            return f"{STAGES[fact.stream]} {'played' if len(places) > 1 else 'passed alone'}"
        case TournamentCancelled(author=author):
            return f"{STAGES[fact.stream]} {'given up' if author else 'too small'}"
        case _:
            return ""


def ways_of_sharing(facts: list[Fact]) -> Iterator[str]:
    """Say for each who got money instead of playing on why that was."""
    taken_in: set[tuple[str, str]] = set()
    for fact in facts:
        match fact.event:
            case PlayersQualified(from_tournament=source):
                taken_in.add((fact.stream, source))
            case StagePrizeDue(withdrew=True):
                yield "withdrew"
            case StagePrizeDue(from_tournament=source):
                in_time = (fact.stream, source) in taken_in
                yield "shared since nobody plays on" if in_time else "shared at once"
            case _:
                pass


def ways_back(facts: list[Fact]) -> Iterator[str]:
    """Say for each who had left the series whether they came back."""
    free: set[str] = set()
    for fact in facts:
        match fact.event:
            case LeftBigShoot(players=players):
                free |= {*players}
            case PlayerRegistered(player=player) if player in free:
                yield "bought in again"
            case _:
                pass
