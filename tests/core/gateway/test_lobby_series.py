"""What the lobby shows of a whole Big Shoot is what the director has decided (PP-LOBBY)."""

from collections import Counter

from services.gateway.shell.api.stages import stage_view
from services.gateway.shell.lobby import Lobby
from shared.contracts.director import StagePrizeDue
from tests.core.director.big_shoot_world import FINAL, Stage, World
from tests.core.gateway.facts import DIRECTOR, Lines

SEEDS = range(25)


class ShownWorld(World):
    """A Big Shoot whose every commit a lobby takes in, and is compared."""

    def __init__(self, seed: int, seen: Counter):
        self.lines, self.lobby, self.seen = Lines(), Lobby(), seen
        super().__init__(seed)

    def open(self, name, chosen):
        stage = self.stages[name] = Stage(name, chosen, self)
        self.show(stage)
        stage.after_commit = self.show

    def show(self, stage):
        name, commit = stage.state.tournament, stage.commits[-1]
        self.lobby.fold(self.lines.commit(DIRECTOR, name, *commit))
        self.compare(self.lobby.get(name), stage.state)
        self.seen.update(type(event).__name__ for event in commit)
        self.seen.update(withdrew(event) for event in commit if isinstance(event, StagePrizeDue))

    def compare(self, shown, state):
        if state.phase == "registering":
            assert {*shown.entries} == {*state.registered}
            assert shown.collected_cents == state.collected_cents
        if state.phase == "running":
            assert shown.pool_cents == state.pool_cents
            assert shown.prizes_cents == state.prizes_cents
            assert shown.players_left == state.left
        view = stage_view(shown, self.lobby, {})
        assert view.series == FINAL
        assert view.fed == len(state.carried)
        left = sum(one.left_cents for one in state.carried)
        if state.phase != "cancelled":
            assert view.carried_cents - view.withdrawn_cents == left


def withdrew(event):
    return "withdrew" if event.withdrew else "shared"


def test_pp_lobby_pools_players_and_stages_are_the_directors():
    """PP-LOBBY, BH-BIGSHOOT: at every moment, also when stages are given up or start late."""
    seen = Counter()
    for seed in SEEDS:
        world = ShownWorld(seed, seen).play()
        assert {known.tournament for known in world.lobby.stages(FINAL)} == {*world.stages}
        assert all(not world.lobby.of(player) for player in world.people)
    for needed in (
        "PlayersQualified",
        "withdrew",
        "shared",
        "TournamentCancelled",
        "StagePrizeDue",
    ):
        assert seen[needed], needed
