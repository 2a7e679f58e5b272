"""Player entropy in the terms: how long a hand may wait for seeds, and that tables are told."""

import pytest

from services.director.core import DECIDER
from shared.contracts.director import CreateTournament, TableFormed, TournamentCreated
from shared.kernel.decider import Refused
from tests.core.director.director_play import START_MS, TOURNAMENT, Play, terms


def created(**changed):
    create = CreateTournament(tournament=TOURNAMENT, terms=terms(**changed))
    return DECIDER.decide(DECIDER.initial, create, START_MS)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"player_entropy": True, "seed_ms": 0}, "seed_ms is from 1 to 10000"),
        ({"player_entropy": True, "seed_ms": 10_001}, "seed_ms is from 1 to 10000"),
        ({"seed_ms": -1}, "seed_ms is from 0 to 10000"),
    ],
)
def test_a_hand_waits_for_seeds_some_seconds_at_most(changed, problem):
    assert created(**changed) == Refused("terms_invalid", problem)


@pytest.mark.parametrize("seed_ms", [1, 10_000])
def test_what_lies_between_is_as_good_as_any(seed_ms):
    (event,) = created(player_entropy=True, seed_ms=seed_ms)
    assert type(event) is TournamentCreated


@pytest.mark.parametrize("changed", [{}, {"player_entropy": True, "seed_ms": 700}])
def test_tables_are_told_whether_players_add_to_the_chance_of_decks(changed):
    play = Play(terms(entries=4, seats=2, **changed)).enter()
    for order in ((0, 1, 2, 3), (0, 1), (0, 1)):
        events = play.answer_draw(order)
    formed = [event for event in events if isinstance(event, TableFormed)]
    wanted = (bool(changed), changed.get("seed_ms", 2_000))
    assert [(event.player_entropy, event.seed_ms) for event in formed] == [wanted] * 2
