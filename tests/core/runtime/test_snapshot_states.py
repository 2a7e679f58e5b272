"""What is put away of a state comes back the same, for every core; and shapes tell types apart."""

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import replace

from services.director.core import DECIDER as DIRECTOR
from services.director.core.state import Tournament
from services.ranking.core import DECIDER as RANKING, Ranking
from services.table.core import DECIDER as TABLE
from services.wallet.core import DECIDER as WALLET
from shared.kernel.pmap import PMap, enc_hook
from shared.runtime.aggregate import ask_nobody
from shared.runtime.shapes import shape_of
from shared.runtime.snapshots import PART_ENTRIES, Form
from tests.core.dealer.dealer_play import Dealer, deal
from tests.core.director.director_play import terms
from tests.core.director.test_director_laws import play_out
from tests.core.ranking.finishing import answered, finished, stepped
from tests.core.table.random_play import play_hands, random_play, seeds
from tests.core.wallet.machine.journal import event_of
from tests.core.wallet.test_wallet_machine import WalletMachine
from tests.integration.runtime.counting import Counter, counters

COUNTER = replace(counters(ask_nobody), state=Counter)


def there_and_back(form, state):
    building = form.building()
    for part in form.parts(state):
        building.add(part)
    return building.whole()


def in_order(state):
    """A state as it is walked: equal dicts may still differ in the order of their keys."""
    return msgspec.json.encode(state, enc_hook=enc_hook)


def survives(decider, events, at):
    """A state from the middle of a history comes back the same, and goes on the same."""
    form = Form(type(decider.initial))
    before = decider.fold(events[:at])
    again = there_and_back(form, before)
    assert again == before
    assert in_order(again) == in_order(before)
    for event in events[at:]:
        before, again = decider.evolve(before, event), decider.evolve(again, event)
    assert again == before


@given(seeds, st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_a_table_goes_on_from_its_snapshot(seed, part):
    play, random = random_play(seed)
    play_hands(play, random, hands=3, absent=True)
    survives(TABLE, play.log, round(part * len(play.log)))


@given(st.integers(2, 30), st.integers(2, 6), st.integers(0, 2**32), st.floats(0, 1))
@settings(max_examples=20, deadline=None)
def test_a_tournament_goes_on_from_its_snapshot(entries, seats, seed, part):
    play = play_out(terms(entries=entries, seats=seats), seed)
    survives(DIRECTOR, play.events, round(part * len(play.events)))


class JournalPutAway(WalletMachine):
    """All acts of the wallet; in the end its state is put away as it was half-way."""

    def teardown(self):
        events = [event_of(row) for row in self.log]
        survives(WALLET, events, len(events) // 2)


def test_a_journal_goes_on_from_its_snapshot():
    run_state_machine_as_test(
        JournalPutAway,
        settings=settings(max_examples=30, stateful_step_count=40, deadline=None),
    )


@given(st.integers(0, 2**32), st.integers(1, 10))
@settings(max_examples=20, deadline=None)
def test_a_dealt_hand_goes_on_from_its_snapshot(seed, players):
    dealer = Dealer(seed)
    dealer.ask(deal(players))
    dealer.open(1)
    dealer.board("flop")
    dealer.view(1, b"\x09" + bytes(31))
    for at in range(len(dealer.log) + 1):
        survives(dealer.decider, dealer.log, at)


def test_ratings_go_on_from_their_snapshot():
    events, ranking = [], Ranking()
    for tournament in ("trn_1", "trn_2", "trn_3"):
        more, ranking = stepped(ranking, finished(("ply_a", "ply_b", "ply_c"), tournament))
        events += more
    while ranking.asked is not None:
        more, ranking = answered(ranking)
        events += more
    for at in range(len(events) + 1):
        survives(RANKING, events, at)


@pytest.mark.parametrize("size", [0, 1, PART_ENTRIES, PART_ENTRIES + 1, 3 * PART_ENTRIES - 1])
def test_a_large_map_is_cut_into_parts_and_whole_again(size):
    form = Form(Tournament)
    state = Tournament(asked=PMap({f"ply_{n}": n for n in range(size)}), places=PMap({}), left=size)
    parts = list(form.parts(state))
    assert len(parts) == 1 + -(-size // PART_ENTRIES)
    assert there_and_back(form, state) == state


# --- shapes ---------------------------------------------------------------------------------


def struct(name, **fields):
    return msgspec.defstruct(name, fields.items())


Inner = struct("Inner", value=int)
OtherInner = struct("Inner", value=str)


def outer(**fields):
    return {"state": struct("Outer", **fields)}


MAP = PMap[str, tuple[Inner, ...]]
SHAPES = {
    "a field more": outer(inner=MAP, more=int, last=int),
    "a field less": outer(inner=MAP),
    "another name": outer(inner=MAP, much=int),
    "another order": outer(more=int, inner=MAP),
    "another type": outer(inner=MAP, more=int | None),
    "other keys": outer(inner=PMap[int, tuple[Inner, ...]], more=int),
    "one, not many": outer(inner=PMap[str, tuple[Inner]], more=int),
    "another type within": outer(inner=PMap[str, tuple[OtherInner, ...]], more=int),
    "another meaning": {"state_version": 2},
    "fewer events": {"events": COUNTER.events[1:]},
}


@pytest.mark.parametrize("different", SHAPES.values(), ids=SHAPES)
def test_a_shape_shows_every_difference(different):
    usual = replace(COUNTER, **outer(inner=MAP, more=int))
    assert shape_of(usual) == shape_of(replace(COUNTER, **outer(inner=MAP, more=int)))
    assert shape_of(replace(usual, **different)) != shape_of(usual)
