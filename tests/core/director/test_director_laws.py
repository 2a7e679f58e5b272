"""What holds after every commit of whole tournaments, whatever order the world answers in."""

from collections import Counter
from random import Random

import msgspec
from hypothesis import given, settings, strategies as st

from services.director.core import (
    DECIDER,
    HandReported,
    awaiting,
    chips_in_play,
    is_live,
    reasons,
)
from services.director.core.state import tables_needed
from services.director.core.terms import final_table_players
from shared.contracts.director import (
    DirectorEvent,
    EntryDeclined,
    EntryExpired,
    HandCleared,
    MoveDecided,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Register,
    StandardPrizes,
    TournamentFinished,
    TournamentStarted,
    Unregister,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import SeatVacated
from shared.contracts.wallet import EntryHeld, EntryRefused
from shared.kernel.pmap import dec_hook, enc_hook
from shared.poker.rule_sets import PRESETS
from tests.core.director.director_play import Play, equal_winners, players_named, terms

COMMITS_MAX = 20_000


def check(play):
    state = play.state
    whole = play.terms.entries * play.terms.starting_chips
    if state.seating or state.tables or state.places:
        assert chips_in_play(state) == whole
    if not state.tables:
        return
    assert (
        sum(sum(t.stacks.values()) for t in play.tables.values())
        + sum(fact.stack_chips for fact in play.vacated)
        == whole
    )
    seated = Counter(
        held.player for table in state.tables.values() for held in table.seats + table.arriving
    )
    assert set(seated.values()) == {1}
    taken = Counter(
        (table.table, held.seat)
        for table in state.tables.values()
        for held in table.seats + table.arriving
    )
    assert set(taken.values()) == {1}
    assert sorted(state.moves) == sorted(fact.player for fact in play.vacated)
    at_rest = [table.table for table in state.tables.values() if not table.playing]
    assert [table for table, _ in reasons(state)] == at_rest
    check_tables(state)
    check_moves(play)


def check_moves(play):
    """Nobody is moved for balance while a place is open or a table still has to be emptied.

    Hand for hand, no round begins while somebody is on the way. A PP move was decided with its
    draw: what has happened since comes after it.
    """
    moved = [event for event in play.commits[-1] if isinstance(event, MoveDecided)]
    drawn = play.state.rule_set.moves == "peoples_poker"
    if any(event.reason == "balance" for event in moved) and not drawn:
        assert not play.state.unranked
        assert not any(play.state.tables[name].seats for name in play.state.tables.closing)
    if play.state.hand_for_hand and any(isinstance(e, HandCleared) for e in play.commits[-1]):
        assert not play.vacated


def check_tables(state):
    """As many tables as the rule set wants; uneven ones only while no fullest table can give."""
    open_tables = state.tables.open
    tables_wanted(state)
    if state.question is not None or any(state.tables[name].seats for name in state.tables.closing):
        return
    most, least = max(t.size for t in open_tables), min(t.size for t in open_tables)
    short = least < state.terms.seats * 7 // 10 or state.rule_set.moves != "peoples_poker"
    if most - least >= 2 and short and not state.unranked:
        assert all(t.playing or t.arriving for t in open_tables if t.size == most)


def tables_wanted(state):
    """BH-CLOSE: the fewest at all times; tda likewise, to its final table; PP-CLOSE: see there."""
    open_tables = state.tables.open
    needed = tables_needed(state.left, state.terms.seats)
    if state.rule_set.moves == "big_holdem":
        assert len(open_tables) == needed
    elif state.rule_set.moves == "tda" and not state.unranked:
        final = state.left <= final_table_players(state.terms)
        assert len(open_tables) == (1 if final else needed)
    elif not (state.unranked or state.tables.closing or state.question):
        assert len(open_tables) >= needed
        table = min(open_tables, key=lambda table: (table.not_out, table.size, table.number))
        free = sum(len(t.free_seats) for t in open_tables if t is not table)
        if free >= table.size and (free > table.not_out or table.size < 2):
            assert len(open_tables) == 1 or table.playing or table.arriving


def sell_entries(play, chance):
    names = players_named(play.terms.entries + 3)
    while play.state.phase == "registering":
        player = chance.choice(names)
        play.tell(Register(player=player))
        if chance.random() < 0.1:
            play.tell(Unregister(player=chance.choice(names)))
        while play.asked and chance.random() < 0.7:
            play.happen(chance)


def play_out(chosen, seed):
    play, chance = Play(chosen, check), Random(seed)
    sell_entries(play, chance)
    while is_live(play.state):
        assert len(play.commits) < COMMITS_MAX
        play.happen(chance)
    return play


tournaments = st.builds(
    lambda rule_set, entries, seats, paid, by_hands: terms(
        rule_set=rule_set,
        entries=entries,
        seats=seats,
        fee_cents=997,
        prizes=equal_winners(min(paid, entries)) if paid else StandardPrizes(),
        level_ms=0 if by_hands else 60_000,
        level_hands=5 if by_hands else 0,
    ),
    rule_set=st.sampled_from(sorted(PRESETS)),
    entries=st.integers(2, 60),
    seats=st.integers(2, 10),
    paid=st.integers(0, 30),
    by_hands=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(tournaments, st.integers(0, 2**32))
def test_every_tournament_ends_and_keeps_the_laws(chosen, seed):
    play = play_out(chosen, seed)
    assert play.state == DECIDER.fold(play.events)
    assert awaiting(play.state) is None
    assert play.outstanding() == []
    check_places(play)
    check_entries(play)


def test_hundreds_of_tournaments_end_and_keep_the_laws():
    for seed in range(200):
        chance = Random(seed)
        entries, seats = chance.randint(2, 60), chance.randint(2, 10)
        paid = chance.choice((0, 0, chance.randint(1, entries)))
        prizes = equal_winners(paid) if paid else StandardPrizes()
        chosen = terms(
            rule_set=chance.choice(sorted(PRESETS)),
            entries=entries,
            seats=seats,
            fee_cents=997,
            prizes=prizes,
        )
        check_places(play_out(chosen, seed))


def check_places(play):
    finished = play.events[-1]
    assert isinstance(finished, TournamentFinished)
    entries = play.terms.entries
    assert [placing.place for placing in finished.places] == list(range(1, entries + 1))
    assert len({placing.player for placing in finished.places}) == entries
    (started,) = [event for event in play.events if isinstance(event, TournamentStarted)]
    prizes = [placing.prize_cents for placing in finished.places]
    assert sum(prizes) == started.pool_cents == play.terms.fee_cents * entries
    assert prizes == sorted(prizes, reverse=True)
    due = {e.place: e.amount_cents for e in play.events if isinstance(e, PrizeDue)}
    assert due == {p.place: p.prize_cents for p in finished.places if p.prize_cents}
    eliminated = [event.place for event in play.events if isinstance(event, PlayerEliminated)]
    assert sorted(eliminated) == list(range(2, entries + 1))


def check_entries(play):
    ends = Counter(
        event.entry
        for event in play.events
        if isinstance(event, PlayerRegistered | EntryDeclined | EntryExpired)
    )
    assert set(ends.values()) == {1}
    left = [event for event in play.events if isinstance(event, PlayerUnregistered)]
    registered = [event for event in play.events if isinstance(event, PlayerRegistered)]
    assert len(registered) - len(left) == play.terms.entries


@settings(max_examples=10, deadline=None)
@given(tournaments, st.integers(0, 2**32))
def test_events_and_state_survive_the_wire(chosen, seed):
    play = play_out(chosen, seed)
    wire = msgspec.json.encode(play.events)
    assert msgspec.json.decode(wire, type=list[DirectorEvent]) == play.events
    kept = msgspec.json.encode(play.state, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=type(play.state), dec_hook=dec_hook) == play.state


@settings(max_examples=10, deadline=None)
@given(tournaments, st.integers(0, 2**32))
def test_a_state_from_the_log_decides_as_the_one_in_memory(chosen, seed):
    play, chance = Play(chosen, lambda play: None), Random(seed)
    sell_entries(play, chance)
    play.state = DECIDER.fold(play.events)
    while is_live(play.state):
        play.happen(chance)
        play.state = DECIDER.fold(play.events)
    assert play.state == DECIDER.fold(play.events)


REPEATABLE = HandReported | SeatVacated | EntryHeld | EntryRefused | TimerFired


@settings(max_examples=20, deadline=None)
@given(tournaments, st.integers(0, 2**32))
def test_facts_and_timers_told_again_change_nothing(chosen, seed):
    def tell_again(play):
        if isinstance(play.told, REPEATABLE):
            assert DECIDER.step(play.state, play.told, play.now_ms) == ((), play.state)

    play, chance = Play(chosen, tell_again), Random(seed)
    sell_entries(play, chance)
    while is_live(play.state):
        play.happen(chance)
