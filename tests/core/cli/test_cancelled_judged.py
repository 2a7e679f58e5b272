"""Verdicts on tournaments that were given up while they ran: all true, at rest too."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge, judge_moment
from shared.contracts.director import DrawAwaited
from tests.core.cli.tournament_world import TERMS, World, copies_of
from tests.core.director.interrupted_world import Cut

SEED, SAMPLED = 5, 40


class Raced(Cut):
    """The word to halt overtakes the dealer's answer, or whatever else is on its way."""

    def commit(self, service, stream, events):
        super().commit(service, stream, events)
        if len(self.commits) > self.after and not self.raced:
            self.raced = True
            while self.news:
                self.react(*self.news.popleft())

    raced = False

    def tell(self, service, stream, command):
        """Whoever answers a question that was dropped meanwhile is refused, and that is all."""
        dropped = self.raced and self.asked.get((service, stream)) is None
        return super().tell(service, stream, command) or dropped


@cache
def commits():
    return len(World(SEED).play().commits)


def given_up(kind, after, **changes):
    world = kind(SEED, after, replace(TERMS, **changes)).play()
    if world.tournament.phase == "running":
        world.approve()
    return world


@pytest.mark.parametrize("part", range(SAMPLED))
@pytest.mark.parametrize("kind", [Cut, Raced])
def test_whenever_it_is_given_up_every_verdict_is_true(kind, part):
    after = commits() * 2 // 10 + commits() * 8 * part // (10 * SAMPLED)
    world = given_up(kind, after, player_entropy=bool(part % 2))
    copies = copies_of(world.commits)
    assert [verdict for verdict in judge(copies) if not verdict.true] == []


@pytest.mark.parametrize("which", range(3))
def test_a_draw_that_was_dropped_is_not_missed(which):
    """The question of seats and buttons is open when the tournament is given up."""
    world = World(SEED).play()
    asked = [
        number
        for number, commit in enumerate(world.commits, 1)
        if any(isinstance(event, DrawAwaited) for event in commit.events)
    ]
    found = given_up(Cut, asked[which])
    verdicts = {v.name: v for v in judge(copies_of(found.commits))}
    assert verdicts["draws = their bytes"].true, verdicts["draws = their bytes"]
    moment = {line: copy.rows for line, copy in copies_of(found.commits).items()}
    assert [verdict for verdict in judge_moment(moment) if not verdict.true] == []
