"""Rules of tournaments, rulebook §5, with the rulebook's own examples."""

import pytest
from hypothesis import given, strategies as st

from services.director.core import DECIDER, awaiting, reasons
from services.director.core.prizes import prizes_in_cents, split, standard_shares
from services.director.core.stages import table_sizes
from shared.contracts.director import (
    CreateTournament,
    EntryRequested,
    HandForHandBegan,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Register,
    StandardPrizes,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
    Unregister,
)
from shared.kernel.decider import Refused
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    cleared,
    equal_winners,
    held,
    of,
    places,
    sizes,
    terms,
    winners,
)

ONE_PRIZE = winners(10_000)


# --- entries --------------------------------------------------------------------------------


def test_pp_lobby_all_terms_stand_before_anyone_pays():
    play = Play(terms())
    assert play.events == [
        TournamentCreated(tournament=TOURNAMENT, terms=terms(), rule_set=BIG_HOLDEM)
    ]
    refused = DECIDER.decide(
        DECIDER.initial,
        CreateTournament(tournament=TOURNAMENT, terms=terms(seats=1, entries=1)),
        START_MS,
    )
    assert refused == Refused("terms_invalid", "entries is from 2 to 10000; seats is from 2 to 10")


def test_pp_entry_price_is_fee_and_commission_and_comes_back_on_leaving():
    play = Play(terms(fee_cents=1_000, commission_cents=100))
    (asked,) = of(EntryRequested, play.must(Register(player="ply_a")))
    assert (asked.fee_cents, asked.commission_cents) == (1_000, 100)
    (entered,) = of(PlayerRegistered, play.must(held(asked)))
    assert (entered.fee_cents, entered.commission_cents) == (1_000, 100)
    (left,) = of(PlayerUnregistered, play.must(Unregister(player="ply_a")))
    assert left.refund_cents == 1_100


def test_bh_sng_starts_when_its_entries_are_sold_and_leaving_ends_then():
    play = Play(terms(entries=3, seats=3)).enter("ply_a", "ply_b")
    play.must(Unregister(player="ply_b"))
    play.enter("ply_c")
    assert not of(TournamentStarted, play.events)
    play.enter("ply_b")
    (started,) = of(TournamentStarted, play.events)
    assert (started.players, len(play.state.registered)) == (3, 3)
    assert started.pool_cents == 3 * play.terms.fee_cents
    assert play.tell(Unregister(player="ply_a")) == Refused("already_started")


# --- seats ----------------------------------------------------------------------------------


def test_pp_seat_124_at_10_are_13_tables():
    assert table_sizes(124, 10) == (10,) * 7 + (9,) * 6
    play = Play(terms(entries=124, seats=10)).begin()
    assert sizes(play) == [10] * 7 + [9] * 6


@given(st.integers(2, 10_000), st.integers(2, 10))
def test_pp_seat_fewest_tables_as_even_as_possible(players, seats):
    spread = table_sizes(players, seats)
    assert sum(spread) == players
    assert len(spread) == (players + seats - 1) // seats
    assert max(spread) <= seats
    assert max(spread) - min(spread) <= 1


def test_pp_seat_tables_and_seats_follow_the_draw():
    play = Play(terms(entries=5, seats=3)).enter()
    play.answer_draw((4, 2, 0, 1, 3))
    play.answer_all_draws()
    seated = [[(s.seat, s.player[-1]) for s in t.seats] for t in play.state.tables.open]
    assert seated == [[(1, "5"), (2, "3"), (3, "1")], [(1, "2"), (2, "4")]]


def test_bh_freezeout_equal_stacks_fewest_tables_one_winner():
    play = Play(terms(entries=6, seats=3, prizes=ONE_PRIZE)).begin()
    stacks = {seat.stack_chips for table in play.state.tables.open for seat in table.seats}
    assert stacks == {play.terms.starting_chips}
    assert sizes(play) == [3, 3]
    play.end_hand(1, ply_002=0, ply_003=0)
    play.end_hand(2, ply_005=0)
    play.answer_draw()
    play.arrive()
    assert sizes(play) == [3]
    (last,) = play.state.tables.open
    final = {seat.player: 0 for seat in last.seats if seat.player != "ply_001"}
    (finished,) = of(TournamentFinished, play.end_hand(last.number, **final))
    assert finished.places[0].player == "ply_001"
    assert finished.places[0].prize_cents == 6 * play.terms.fee_cents


# --- places ---------------------------------------------------------------------------------


def test_pp_ties_within_a_hand_by_chips_at_its_start():
    play = Play(terms(entries=4, seats=4)).begin()
    play.end_hand(1, ply_001=400, ply_002=900, ply_003=600)
    events = play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    assert places(events) == {"ply_001": 4, "ply_003": 3, "ply_002": 2}


def test_pp_ties_equal_chips_nearest_to_the_dealer_the_dealer_first():
    play = Play(terms(entries=4, seats=4)).begin()
    events = play.end_hand(1, ply_001=0, ply_002=0, ply_004=0)
    assert (play.state.places[1].player, places(events)) == (
        "ply_003",
        {"ply_004": 2, "ply_001": 3, "ply_002": 4},
    )


SIXTY_ONE = terms(
    entries=61, seats=10, fee_cents=997, starting_chips=4_000, prizes=equal_winners(60)
)


def play_round(play, **stacks):
    """End the hand of every table, in the order of their numbers."""
    events = []
    for table in sorted(play.state.tables.values(), key=lambda table: table.number):
        named = {s.player: stacks[s.player] for s in table.seats if s.player in stacks}
        events += play.end_hand(table.number, **named)
    return events


@pytest.mark.parametrize(("a", "b"), [("ply_001", "ply_061"), ("ply_061", "ply_001")])
@pytest.mark.parametrize("more", [5_000, 3_001])
def test_pp_ties_61_left_60_paid_the_bigger_stack_is_paid(a, b, more):
    play = Play(SIXTY_ONE).begin()
    assert of(HandForHandBegan, play.events)[0].players_left == 61
    play_round(play, **{a: more, b: 3_000})
    events = play_round(play, **{a: 0, b: 0})
    assert places(events) == {a: 60, b: 61}
    assert [(due.player, due.place) for due in of(PrizeDue, events)] == [(a, 60)]


@pytest.mark.parametrize(("order", "first", "second"), [((0, 1), "1", "2"), ((1, 0), "2", "1")])
def test_pp_ties_equal_chips_at_two_tables_share_the_prizes(order, first, second):
    play = Play(SIXTY_ONE).begin()
    events = play_round(play, ply_001=0, ply_061=0)
    assert not of(PlayerEliminated, events)
    assert awaiting(play.state).purpose == "tie 60"
    events = play.answer_draw(order)
    drawn = {"1": "ply_001", "2": "ply_061"}
    assert places(events) == {drawn[first]: 60, drawn[second]: 61}
    prize = play.state.prizes_cents[-1]
    assert prize % 2 == 1
    assert {due.player: due.amount_cents for due in of(PrizeDue, events)} == {
        drawn[first]: prize // 2 + 1,
        drawn[second]: prize // 2,
    }


def test_pp_ties_hand_for_hand_from_paid_places_and_one():
    play = Play(terms(entries=8, seats=4, prizes=equal_winners(5))).begin()
    assert cleared(play.end_hand(1, ply_001=0)) == ["1"]
    events = play.end_hand(2, ply_005=0)
    (began,) = of(HandForHandBegan, events)
    assert began.players_left == 6
    assert cleared(events) == []
    assert reasons(play.state) == (("tbl_0001_2", "hand_for_hand: others_play"),)
    assert sorted(cleared(play.end_hand(1))) == ["1", "2"]
    assert cleared(play.end_hand(2, ply_006=0)) == []
    assert play.state.left == 6, "places wait for the end of the round"
    events = play.end_hand(1)
    assert places(events) == {"ply_006": 6}
    assert sorted(cleared(events)) == ["1", "2"]


def test_bh_ranking_by_time_also_while_a_draw_is_open():
    play = Play(terms(entries=13, seats=5, prizes=ONE_PRIZE)).begin()
    assert sizes(play) == [5, 4, 4]
    play.end_hand(2, ply_006=900)
    play.end_hand(3, ply_010=800)
    play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    assert awaiting(play.state).purpose == "movers tbl_0001_1"
    play.end_hand(2, ply_006=0)
    play.end_hand(3, ply_010=0)
    assert places(play.answer_draw()) == {"ply_006": 10, "ply_010": 9}


def test_bh_ranking_is_the_reverse_order_of_elimination():
    play = Play(terms(entries=3, seats=3, prizes=winners(5_000, 3_000, 2_000))).begin()
    play.end_hand(1, ply_002=0)
    (finished,) = of(TournamentFinished, play.end_hand(1, ply_001=0))
    assert [(p.player, p.prize_cents) for p in finished.places] == [
        ("ply_003", 1_500),
        ("ply_001", 900),
        ("ply_002", 600),
    ]


# --- prizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "shares", "prizes"),
    [
        (2_700, (5_000, 3_000, 2_000), (1_350, 810, 540)),
        (1_001, (5_000, 3_000, 2_000), (501, 300, 200)),
        (2, (3_400, 3_300, 3_300), (1, 1, 0)),
        (0, (6_000, 4_000), (0, 0)),
    ],
)
def test_bh_winners_odd_cents_go_to_better_places_first(pool, shares, prizes):
    assert split(pool, shares) == prizes


@given(st.integers(0, 10**12), st.integers(1, 200))
def test_bh_winners_prizes_sum_to_the_pool_and_never_rise(pool, places):
    prizes = split(pool, equal_winners(places).shares)
    assert sum(prizes) == pool
    assert list(prizes) == sorted(prizes, reverse=True)


def test_bh_standard_the_table_holds_for_every_number_of_entries():
    paid_before = 1
    for entries in range(2, 10_001):
        shares = standard_shares(entries)
        assert sum(shares) == 10_000
        assert list(shares) == sorted(shares, reverse=True)
        assert shares[-1] > 0
        assert paid_before <= len(shares) <= entries
        paid_before = len(shares)


def test_bh_standard_prizes_depend_on_entries():
    assert prizes_in_cents(StandardPrizes(), 3, 3_000) == (3_000,)
    assert prizes_in_cents(StandardPrizes(), 9, 9_000) == (4_275, 2_700, 2_025)
