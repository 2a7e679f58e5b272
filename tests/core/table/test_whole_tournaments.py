"""Whole tournaments through all cores and the real dealer, in every limit and as PP plays."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge
from services.table.core import show_or_muck
from shared.contracts.director import DrawTaken, TableFormed
from shared.contracts.hand import HandMucked, HandShown, HandStarted, PlayerRaised
from shared.contracts.table import Muck, Show
from shared.poker.cards import highest_card
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, TDA
from tests.core.cli.tournament_world import TERMS, World, copies_of

TOURNAMENTS = {
    "pot limit": (BIG_HOLDEM, "pot_limit"),
    "fixed limit": (BIG_HOLDEM, "fixed_limit"),
    "PP": (PEOPLES_POKER, "no_limit"),
    "PP, pot limit": (PEOPLES_POKER, "pot_limit"),
    "PP, fixed limit": (PEOPLES_POKER, "fixed_limit"),
    "tda, fixed limit": (TDA, "fixed_limit"),
}


class Choosers(World):
    """Players with a choice mostly let it pass; else they show or muck."""

    def act(self):
        for (service, stream), state in self.states.items():
            choice = show_or_muck(state) if service == "table" else None
            luck = self.chance.random()
            if choice is not None and luck < 0.5:
                kind = Show if luck < 0.3 else Muck
                fields = {"hand": state.hand.started.hand, "player": choice.player}
                assert self.tell("table", stream, kind(decision=choice.decision, **fields))
                return True
        return super().act()


@cache
def tournament(name):
    rules, limit = TOURNAMENTS[name]
    terms = replace(TERMS, rule_set=rules.name, limit=limit, entries=9, seats=4)
    return Choosers(7, replace(terms, starting_chips=2_000)).play()


def events_of(world, *kinds):
    return [event for c in world.commits for event in c.events if isinstance(event, kinds)]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_tournament_is_played_to_its_end_and_every_verdict_is_true(name):
    world = tournament(name)
    found = judge(copies_of(world.commits))
    assert all(verdict.true for verdict in found), found
    rules, limit = TOURNAMENTS[name]
    formed = events_of(world, TableFormed)
    assert {table.rule_set for table in formed} == {replace(rules, limit=limit)}
    assert events_of(world, PlayerRaised)
    assert {hand.level_number for hand in events_of(world, HandStarted)} >= {1, 2, 3}


@pytest.mark.parametrize("name", ["PP, pot limit", "PP, fixed limit"])
def test_pp_showdown_choices_are_made_and_pass(name):
    mucked = events_of(tournament(name), HandMucked)
    assert {event.auto for event in mucked} == {"", "clock"}
    assert events_of(tournament(name), HandShown)


def test_pp_highcard_the_recorded_draw_tells_each_first_button():
    world = tournament("PP")
    draws = {draw.purpose: draw for draw in events_of(world, DrawTaken)}
    formed = events_of(world, TableFormed)
    assert len(formed) > 1
    for table in formed:
        draw = draws[f"high card {table.table}"]
        dealt = [draw.candidates[card] for card in draw.order[: len(table.seats)]]
        assert table.button_seat == table.seats[highest_card(dealt)].seat
