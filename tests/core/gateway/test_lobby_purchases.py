"""What the lobby shows while things are bought is what the director has decided (PP-LOBBY)."""

from collections import Counter
from random import Random

from services.gateway.shell.lobby import Lobby
from shared.contracts.director import WaitingListJoined
from tests.core.director.director_play import TOURNAMENT, players_named
from tests.core.director.purchase_terms import chosen_by
from tests.core.director.test_purchase_laws import play_out
from tests.core.gateway.facts import DIRECTOR, Lines

SEEDS = range(60)


def shown_while_played(seed, seen):
    """Fold every commit, and compare the lobby with the director after each."""
    lines, lobby = Lines(), Lobby()

    def compare(play):
        lobby.fold(lines.commit(DIRECTOR, TOURNAMENT, *play.commits[-1]))
        shown, state = lobby.get(TOURNAMENT), play.state
        assert shown is not None
        assert shown.waiting == [waiter.player for waiter in state.waiting]
        assert shown.entries_sold == state.sold.entries
        seen.update(type(event).__name__ for event in play.commits[-1])
        if state.phase != "running":
            return
        assert shown.pool_cents == state.pool_cents
        assert shown.prizes_cents == state.prizes_cents
        assert shown.players_left == state.left
        assert lobby.standings.get(TOURNAMENT).bounties == dict(state.bounties.items())
        assert shown.offers == {name: one.deadline_ms for name, one in state.offers.items()}
        standing = lobby.standings.get(TOURNAMENT)
        stacks = {p: c for t in play.tables.values() for p, c in t.stacks.items()}
        stacks |= {fact.player: fact.stack_chips for fact in play.vacated}
        if state.in_play:
            assert {p: held.stack_chips for p, held in standing.holdings.items()} == stacks

    play = play_out(chosen_by(Random(seed)), seed, compare)
    shown = lobby.get(TOURNAMENT)
    assert not shown.busted
    assert not lobby.standings.get(TOURNAMENT).bounties
    assert shown.status == "cancelled" or shown.players_left == play.state.left
    assert all(not lobby.of(player) for player in players_named(play.terms.entries + 3))


def test_pp_lobby_pool_players_offers_and_standings_are_the_directors():
    """PP-LOBBY: the pool collected so far, before anybody pays and while more is bought."""
    seen = Counter()
    for seed in SEEDS:
        shown_while_played(seed, seen)
    for needed in ("RebuyGranted", "ChipsAssigned", "PlayerBusted", "EntriesClosed"):
        assert seen[needed], needed
    assert seen[WaitingListJoined.__name__]
