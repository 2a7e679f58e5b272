"""The director told as given/when/then rows: entries, refusals in their order, draws, clearing."""

import pytest
from msgspec.structs import replace

from services.director.core import (
    DECIDER,
    AwaitDraw,
    HandReported,
    TableContradictionError,
    awaiting,
    chips_in_play,
    is_live,
    reasons,
    timers,
)
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    CreateTournament,
    DealtSeat,
    DrawAwaited,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    HandCleared,
    HandDigested,
    LevelBegan,
    MoveDecided,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Register,
    SeatAssigned,
    TableBroken,
    TableClosing,
    TableFormed,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
    Unregister,
)
from shared.contracts.message import TimerFired
from shared.kernel.decider import Refused
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.director.director_play import (
    LEVELS,
    START_MS,
    TOURNAMENT,
    Play,
    held,
    players_named,
    refusal,
    terms,
    winners,
)

TWO = terms(entries=2, seats=2)
CREATE = CreateTournament(tournament=TOURNAMENT, terms=TWO)
CREATED = TournamentCreated(tournament=TOURNAMENT, terms=TWO, rule_set=BIG_HOLDEM)
ANN, BEA, CAT = "ply_ann", "ply_bea", "ply_cat"
DEADLINE_MS = START_MS + 10_000


def asked(player, times=1):
    return EntryRequested(
        tournament=TOURNAMENT,
        entry=f"{TOURNAMENT}/{player}/{times}",
        player=player,
        fee_cents=1_000,
        commission_cents=100,
        deadline_ms=DEADLINE_MS,
    )


def about(event, kind, **more):
    """An event of this kind about the entry that was asked for."""
    return kind(tournament=TOURNAMENT, entry=event.entry, player=event.player, **more)


def entered(event):
    return about(event, PlayerRegistered, fee_cents=1_000, commission_cents=100)


A1, A2, B1, C1 = asked(ANN), asked(ANN, 2), asked(BEA), asked(CAT)
A1_LEFT = about(A1, PlayerUnregistered, refund_cents=1_100)
A1_EXPIRED = about(A1, EntryExpired)
A1_DECLINED = about(A1, EntryDeclined, reason="not_identified")
EXPIRY = TimerFired(name=f"entry {A1.entry}")
ANN_IN = (CREATED, A1, entered(A1))
STARTED = TournamentStarted(
    tournament=TOURNAMENT, players=2, pool_cents=2_000, prizes_cents=(2_000,)
)
SEATS_ASKED = DrawAwaited(purpose="seats", candidates=(ANN, BEA))
RUNNING = (*ANN_IN, B1, entered(B1), STARTED, SEATS_ASKED)

ROWS = [
    # case, given, when, then; at the moment of the deadline
    ("creates", (), CREATE, (CREATED,)),
    ("creates once", (CREATED,), CREATE, Refused("tournament_exists")),
    (
        "id of another kind",
        (),
        replace(CREATE, tournament="tbl_0001"),
        Refused("invalid_tournament_id"),
    ),
    (
        "an existing id goes before a wrong one",
        (CREATED,),
        replace(CREATE, tournament="x"),
        Refused("tournament_exists"),
    ),
    ("register nowhere", (), Register(player=ANN), Refused("unknown_tournament")),
    ("registers twice", (CREATED, A1), Register(player=ANN), Refused("already_registered")),
    ("registers again", ANN_IN, Register(player=ANN), Refused("already_registered")),
    (
        "already registered goes before full",
        (*ANN_IN, B1),
        Register(player=BEA),
        Refused("already_registered"),
    ),
    ("registers late", RUNNING, Register(player=CAT), Refused("not_registering")),
    ("late goes before twice", RUNNING, Register(player=ANN), Refused("not_registering")),
    ("held", (CREATED, A1), held(A1), (entered(A1),)),
    ("held after expiry", (CREATED, A1, A1_EXPIRED), held(A1), ()),
    ("held twice", ANN_IN, held(A1), ()),
    ("held for an earlier entry", (CREATED, A1, A1_EXPIRED, A2), held(A1), ()),
    ("held nowhere", (), held(A1), ()),
    ("refused", (CREATED, A1), refusal(A1, "not_identified"), (A1_DECLINED,)),
    ("refused twice", (CREATED, A1, A1_DECLINED), refusal(A1), ()),
    ("expires", (CREATED, A1), EXPIRY, (A1_EXPIRED,)),
    ("expires no more", ANN_IN, EXPIRY, ()),
    ("expires for another", (CREATED, B1), EXPIRY, ()),
    ("a timer nobody knows", (CREATED, A1), TimerFired(name="tea"), ()),
    ("level timer before the start", (CREATED,), TimerFired(name="level"), ()),
    ("leaves", ANN_IN, Unregister(player=ANN), (A1_LEFT,)),
    ("leaves nowhere", (), Unregister(player=ANN), Refused("unknown_tournament")),
    ("leaves while pending", (CREATED, A1), Unregister(player=ANN), Refused("not_registered")),
    ("leaves twice", (*ANN_IN, A1_LEFT), Unregister(player=ANN), Refused("not_registered")),
    ("leaves too late", RUNNING, Unregister(player=CAT), Refused("already_started")),
    ("the last entry starts it", (*ANN_IN, B1), held(B1), (entered(B1), STARTED, SEATS_ASKED)),
    (
        "a draw that is no order",
        RUNNING,
        Drawn(draw="d", order=(0, 0)),
        Refused("not_an_order", "of 2 candidates"),
    ),
    (
        "a draw that is too short",
        RUNNING,
        Drawn(draw="d", order=(0,)),
        Refused("not_an_order", "of 2 candidates"),
    ),
    ("a draw nobody asked for", (CREATED,), Drawn(draw="d", order=(0, 1)), ()),
]


@pytest.mark.parametrize(("case", "past", "when", "then"), ROWS, ids=[row[0] for row in ROWS])
def test_director_rules(case, past, when, then):
    assert DECIDER.decide(DECIDER.fold(past), when, DEADLINE_MS) == then


def test_an_entry_has_ten_seconds_and_a_number_of_its_own():
    past = (*ANN_IN, A1_LEFT)
    assert DECIDER.decide(DECIDER.fold(past), Register(player=ANN), START_MS) == (A2,)
    state = DECIDER.fold((*past, A2, B1))
    assert timers(state) == ((f"entry {A2.entry}", DEADLINE_MS), (f"entry {B1.entry}", DEADLINE_MS))
    early = TimerFired(name=f"entry {A2.entry}")
    assert DECIDER.decide(state, early, DEADLINE_MS - 1) == ()


def test_all_problems_of_the_terms_are_named_at_once():
    bad = terms(
        name="",
        rule_set="home_game",
        entries=1,
        seats=11,
        fee_cents=-1,
        commission_cents=10**12,
        starting_chips=0,
        levels=(
            replace(LEVELS[1], ante_chips=-1),
            LEVELS[0],
            replace(LEVELS[2], small_blind_chips=90),
        ),
        level_ms=0,
        action_ms=0,
        pause_ms=-1,
        prizes=winners(4_000, 5_000, 0),
    )
    refused = DECIDER.decide(
        DECIDER.initial, CreateTournament(tournament=TOURNAMENT, terms=bad), START_MS
    )
    assert isinstance(refused, Refused)
    assert refused.reason == "terms_invalid"
    assert refused.detail.split("; ") == [
        "name has 1 to 100 characters",
        "entries is from 2 to 10000",
        "seats is from 2 to 10",
        "fee_cents is from 0 to 100000000",
        "commission_cents is from 0 to 100000000",
        "starting_chips is from 1 to 1000000000",
        "level 1: the ante is at most the big blind",
        "level 3: blinds are positive, the small one at most the big one",
        "level 2: blinds are lower than before",
        "exactly one of level_ms and level_hands is given",
        "action_ms is from 1 to 600000",
        "pause_ms is from 0 to 3600000",
        "prizes: shares sum to 10000, not 9000",
        "prizes: every share is positive",
        "prizes: shares never rise with the place",
        "prizes: no more places than entries",
        "rule_set: one of tda, big_holdem, peoples_poker",
    ]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"levels": ()}, "levels has 1 to 200 levels"),
        ({"level_hands": 5}, "exactly one of level_ms and level_hands is given"),
        ({"level_ms": -5}, "level_ms is from 0 to 604800000"),
        ({"level_ms": 0, "level_hands": -1}, "level_hands is from 0 to 10000"),
        ({"prizes": winners()}, "prizes: shares sum to 10000, not 0"),
        ({"final_table_players": 6}, "final_table_players: only tda sets a final table"),
        ({"rule_set": "tda", "final_table_players": 11}, "final_table_players is from 2 to 10"),
        ({"rule_set": "tda", "final_table_players": 1}, "final_table_players is from 2 to 10"),
    ],
)
def test_terms_that_do_not_hold(changed, problem):
    create = CreateTournament(tournament=TOURNAMENT, terms=terms(**changed))
    refused = DECIDER.decide(DECIDER.initial, create, START_MS)
    assert isinstance(refused, Refused)
    assert problem in refused.detail.split("; ")


def kinds(events):
    return [type(event) for event in events]


def test_a_tournament_starts_with_seats_buttons_tables_level_and_hands():
    play = Play(terms(entries=4, seats=2)).enter()
    assert is_live(play.state)
    assert awaiting(play.state) == AwaitDraw("seats", players_named(4), 4)
    events = play.answer_draw((2, 0, 3, 1))
    assert events[1:] == (
        DrawAwaited(purpose="button tbl_0001_1", candidates=("ply_003", "ply_001")),
    )
    assert kinds(play.answer_draw((1, 0)))[1:] == [DrawAwaited]
    events = play.answer_draw((0, 1))
    assert kinds(events)[1:] == [TableFormed] * 2 + [LevelBegan] + [HandCleared] * 2
    first, second = events[1:3]
    assert [(seat.seat, seat.player) for seat in first.seats] == [(1, "ply_003"), (2, "ply_001")]
    assert (first.button_seat, second.button_seat) == (2, 1)
    assert events[-1] == HandCleared(
        tournament=TOURNAMENT,
        table="tbl_0001_2",
        hand="hnd_0001_2_1",
        number=1,
        level=LEVELS[0],
        roster=(DealtSeat(1, "ply_004"), DealtSeat(2, "ply_002")),
        not_before_ms=START_MS,
    )
    assert chips_in_play(play.state) == 4_000


def test_the_next_hand_comes_after_the_pause():
    play = Play(terms(entries=3, seats=3)).begin()
    play.now_ms += 7_000
    digested, cleared = play.end_hand(1, out=("ply_002",), ply_001=900)
    assert (digested.upstream, digested.ended_at_ms) == ("table-1", START_MS + 7_000)
    assert digested.outs == ("ply_002",)
    assert cleared.not_before_ms == START_MS + 7_000 + play.terms.pause_ms
    assert (cleared.number, cleared.hand) == (2, "hnd_0001_1_2")


def test_levels_by_time_begin_with_the_next_hand_and_the_last_one_stays():
    play = Play(terms(entries=3, seats=3)).begin()
    assert timers(play.state) == (("level", START_MS + 60_000),)
    play.now_ms = START_MS + 59_999
    assert play.must(TimerFired(name="level")) == ()
    play.now_ms = START_MS + 60_000
    (began,) = play.must(TimerFired(name="level"))
    assert (began.number, began.level, began.ends_at_ms) == (2, LEVELS[1], START_MS + 120_000)
    assert play.end_hand(1)[-1].level == LEVELS[1]
    play.now_ms = START_MS + 120_000
    assert kinds(play.end_hand(1)) == [HandDigested, LevelBegan, HandCleared]
    assert play.events[-1].level == LEVELS[2]
    assert play.events[-2].ends_at_ms is None
    assert timers(play.state) == ()
    play.now_ms += 10_000_000
    assert play.must(TimerFired(name="level")) == ()


def test_levels_by_hands_rise_when_one_table_has_played_them():
    play = Play(terms(entries=4, seats=2, level_ms=0, level_hands=2)).begin()
    assert timers(play.state) == ()
    assert kinds(play.end_hand(1)) == [HandDigested, HandCleared]
    assert kinds(play.end_hand(2)) == [HandDigested, HandCleared]
    assert kinds(play.end_hand(1)) == [HandDigested, LevelBegan, HandCleared]
    assert kinds(play.end_hand(2)) == [HandDigested, HandCleared]
    assert kinds(play.end_hand(2)) == [HandDigested, HandCleared]
    assert kinds(play.end_hand(2)) == [HandDigested, LevelBegan, HandCleared]
    for _ in range(3):
        assert kinds(play.end_hand(1)) == [HandDigested, HandCleared]


def test_a_level_begins_while_a_draw_is_open_and_all_else_waits_for_it():
    play = Play(terms(entries=7, seats=4)).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    assert kinds(play.end_hand(1, ply_003=0)) == [
        HandDigested,
        PlayerEliminated,
        TableClosing,
        DrawAwaited,
    ]
    assert reasons(play.state) == (("tbl_0001_1", "closing"),)
    play.now_ms += 60_000
    assert kinds(play.must(TimerFired(name="level"))) == [LevelBegan]
    assert kinds(play.end_hand(2, ply_005=0)) == [HandDigested]
    assert reasons(play.state)[1] == ("tbl_0001_2", "draw: movers tbl_0001_1")
    assert kinds(play.answer_draw())[1:] == [MoveDecided, PlayerEliminated]
    assert reasons(play.state)[1] == ("tbl_0001_2", "players_on_the_way")
    assert kinds(play.arrive()) == [SeatAssigned, TableBroken, HandCleared]
    assert len(play.events[-1].roster) == 3


def test_the_last_player_wins():
    play = Play(terms(entries=2, seats=2, prizes=winners(6_500, 3_500))).begin()
    events = play.end_hand(1, ply_002=0)
    assert kinds(events)[1:] == [
        PlayerEliminated,
        PrizeDue,
        PrizeDue,
        TableBroken,
        TournamentFinished,
    ]
    assert [(p.place, p.player, p.prize_cents) for p in events[-1].places] == [
        (1, "ply_001", 1_300),
        (2, "ply_002", 700),
    ]
    assert not is_live(play.state)
    assert (timers(play.state), awaiting(play.state), reasons(play.state)) == ((), None, ())
    assert chips_in_play(play.state) == 2_000


def test_without_a_fee_nothing_is_due():
    play = Play(terms(entries=2, seats=2, fee_cents=0)).begin()
    assert PrizeDue not in kinds(play.end_hand(1, ply_002=0))
    assert play.events[-1].places[0].prize_cents == 0


def ended(play, **changes):
    """The end of table 1's hand with other seats than it began with."""
    fact = play.tables["tbl_0001_1"].end_hand({"ply_001": 1_500, "ply_002": 500})
    return HandReported(replace(fact, **changes), "table-0", 7)


def test_a_report_of_another_hand_changes_nothing():
    play = Play(terms(entries=2, seats=2)).begin()
    report = ended(play)
    for strange in ({"number": 2}, {"number": 0}, {"table": "tbl_0001_9"}):
        told = HandReported(replace(report.fact, **strange), "table-0", 7)
        assert play.must(told) == ()


@pytest.mark.parametrize(
    ("player", "chips"), [("ply_002", 501), ("ply_002", 499), ("ply_009", 500)]
)
def test_a_report_that_makes_or_loses_chips_stops_the_line(player, chips):
    play = Play(terms(entries=2, seats=2)).begin()
    report = ended(play)
    first, second = report.fact.seats
    strange = replace(second, player=player, stack_chips=chips)
    told = HandReported(replace(report.fact, seats=(first, strange)), "table-0", 7)
    with pytest.raises(TableContradictionError):
        play.tell(told)


def test_negative_chips_stop_the_line():
    play = Play(terms(entries=2, seats=2)).begin()
    report = ended(play)
    first, second = report.fact.seats
    seats = (replace(first, stack_chips=2_001), replace(second, stack_chips=-1))
    with pytest.raises(TableContradictionError):
        play.tell(HandReported(replace(report.fact, seats=seats), "table-0", 7))


def test_chips_in_transit_arrive_as_they_left():
    play = Play(terms(entries=4, seats=2)).begin()
    play.end_hand(1, ply_001=0)
    play.end_hand(2, ply_003=0)
    play.answer_draw()
    (vacated,) = play.vacated
    assert play.must(replace(vacated, table="tbl_0001_1")) == ()
    with pytest.raises(TableContradictionError):
        play.tell(replace(vacated, stack_chips=vacated.stack_chips + 1))
    assert chips_in_play(play.state) == 4_000
    assert kinds(play.arrive()) == [SeatAssigned, TableBroken, HandCleared]
