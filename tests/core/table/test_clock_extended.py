"""Outages given back to the decision that is open: all of them, once, and to nobody else."""

import pytest
from hypothesis import example, given, settings, strategies as st
from msgspec.structs import replace

from services.table.core import (
    DECIDER,
    PLAYER_CREDIT_MAX_MS,
    bank_left_ms,
    has_clock,
    legal_actions,
    timers,
)
from shared.contracts.hand import (
    ClockExtended,
    HandMucked,
    PlayerCalled,
    PlayerFolded,
    TimeBankStarted,
    TimeBankUsed,
    TurnStarted,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.table import CreditPlayer
from shared.poker.rule_sets import TDA
from tests.core.table.hand_play import dealt, of
from tests.core.table.table_play import ACTION_MS, Play, assigned, kinds

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
BANK_MS = 30_000
TURN = TimerFired(name="turn")
MUCK_MS = 5_000


def deciding(*, bank=BANK_MS):
    """Seat 3 decides, since `at_ms`."""
    play = Play(STACKS, button=3, bank=bank)
    play.start()
    return play


def choosing():
    """Seat 1 shows or mucks, since `at_ms`."""
    play = Play(STACKS, button=3, rules=replace(TDA, show_or_muck_ms=MUCK_MS))
    play.deck = dealt("KsKh", "AsAh", "QsQh")
    play.start()
    play.play("call", "call", "check", *["check"] * 9)
    assert [name for name, _ in timers(play.table)] == ["muck"]
    return play


def out(play, down, up, *, at=None, player=None):
    """Tell of an outage, in milliseconds from now; `at` is when it is told."""
    now = play.at_ms
    told_ms = now + (up if at is None else at)
    stretch = {"down_from_ms": now + down, "up_at_ms": now + up}
    outage = OutageOver(**stretch) if player is None else CreditPlayer(player=player, **stretch)
    return play.tell(outage, at_ms=told_ms)


def given_back(events):
    return [event.by_ms for event in events]


# --- an outage of the table -----------------------------------------------------------------


def test_an_outage_puts_the_deadline_off_by_its_length():
    play = deciding()
    began = play.at_ms
    assert out(play, 4_000, 11_000) == (
        ClockExtended(
            seat=3,
            decision=1,
            down_from_ms=began + 4_000,
            up_at_ms=began + 11_000,
            by_ms=7_000,
            act_by_ms=began + ACTION_MS + 7_000,
        ),
    )
    due = began + ACTION_MS + 7_000
    assert timers(play.table) == (("turn", due),)
    assert play.tell(TURN, at_ms=began + ACTION_MS) == ()
    assert kinds(play.tell(TURN, at_ms=due)) == [TimeBankStarted]


@pytest.mark.parametrize(
    ("outages", "credited"),
    [
        ([(100, 300, 300)], [200]),
        ([(-500, 300, 300)], [300]),  # Only what lies after the decision began.
        ([(-500, 0, 100)], []),
        ([(-500, -100, 100)], []),
        ([(100, 900, 300)], [200]),  # Only what is past.
        ([(400, 900, 300)], []),
        ([(300, 100, 400)], []),
        ([(100, 100, 400)], []),
        ([(100, 300, 300), (100, 300, 400)], [200]),
        ([(100, 300, 300), (200, 500, 500)], [200, 200]),
        ([(100, 300, 300), (150, 250, 500)], [200]),
        ([(300, 500, 500), (100, 200, 600)], [200, 100]),  # Late, and not yet given.
        ([(300, 500, 500), (100, 900, 900)], [200, 200, 400]),
        ([(100, 200, 200), (300, 400, 400), (50, 450, 450)], [100, 100, 50, 100, 50]),
        ([(100, 900, 300), (100, 900, 500)], [200, 200]),
        ([(0, 90_000, 90_000)], [90_000]),  # However long it was.
    ],
)
def test_of_an_outage_counts_what_the_decision_has_not_got_back_yet(outages, credited):
    play = deciding()
    events = [event for down, up, at in outages for event in out(play, down, up, at=at)]
    assert given_back(events) == credited
    assert play.table.turn.act_by_ms == play.at_ms + ACTION_MS + sum(credited)


def test_a_decision_that_ran_out_while_nobody_could_act_goes_on():
    play = deciding(bank=0)
    out(play, ACTION_MS - 3_000, ACTION_MS + 60_000)
    play.at_ms += ACTION_MS + 60_000
    assert play.tell(TURN) == ()
    play.at_ms += 2_999
    assert play.tell(TURN) == ()
    play.at_ms += 1
    assert play.tell(TURN)[0] == PlayerFolded(seat=3, auto="clock")


def test_an_action_still_counts_until_the_clock_has_been_recorded():
    play = deciding(bank=0)
    out(play, 1_000, 2_000)
    play.at_ms = dict(timers(play.table))["turn"] + 5
    assert kinds(play.act("call")) == [PlayerCalled, TurnStarted]
    assert play.tell(TURN) == ()


def test_the_next_decision_begins_with_a_clock_of_its_own():
    play = deciding()
    out(play, 100, 900)
    play.at_ms += 1_000
    (*_, turn) = play.act("call")
    assert turn.act_by_ms == play.at_ms + ACTION_MS
    assert given_back(out(play, -900, 50)) == [50]


def test_no_clock_runs_while_the_dealer_is_asked_and_between_hands():
    play = Play(STACKS, button=3)
    assert not has_clock(DECIDER.initial)
    assert not has_clock(play.table)
    assert out(play, -1_000, 1_000) == ()
    play.tell(play.cleared())
    assert not has_clock(play.table)
    play.at_ms += 1_000
    play.tell(TimerFired(name="hand"))
    assert not has_clock(play.table)
    assert out(play, -1_000, 1_000) == ()
    play.answer()
    assert has_clock(play.table)
    assert given_back(out(play, -1_000, 1_000)) == [1_000]


# --- time bank and choice -------------------------------------------------------------------


def test_an_outage_is_given_back_to_the_time_bank_that_runs():
    play = deciding()
    play.run_down()
    out(play, 5_000, 12_000)
    assert timers(play.table) == (("turn", play.at_ms + BANK_MS + 7_000),)
    play.at_ms += 20_000
    used, *_ = play.act("call")
    assert used == TimeBankUsed(seat=3, player="ply_3", by_ms=13_000, left_ms=17_000)


def test_an_outage_of_the_time_to_act_told_late_is_given_back_to_the_time_bank():
    play = deciding()
    play.run_down()
    assert given_back(out(play, -9_000, 2_000)) == [11_000]
    play.at_ms += 6_000
    used, *_ = play.act("call")
    assert used == TimeBankUsed(seat=3, player="ply_3", by_ms=0, left_ms=BANK_MS)


def test_the_time_bank_ends_later_by_what_was_given_back():
    play = deciding()
    play.run_down()
    out(play, 5_000, 12_000)
    play.at_ms += BANK_MS
    assert play.tell(TURN) == ()
    assert play.run_down()[:2] == (
        TimeBankUsed(seat=3, player="ply_3", by_ms=BANK_MS, left_ms=0),
        PlayerFolded(seat=3, auto="clock"),
    )


def test_an_outage_is_given_back_to_a_choice_to_show_or_muck():
    play = choosing()
    (extended,) = out(play, -1_000, 3_000)
    assert (extended.by_ms, extended.act_by_ms) == (3_000, play.at_ms + MUCK_MS + 3_000)
    play.at_ms += MUCK_MS
    assert play.tell(TimerFired(name="muck")) == ()
    play.at_ms += 3_000
    assert kinds(play.tell(TimerFired(name="muck")))[0] is HandMucked


# --- a player's connection, lost at a gateway -----------------------------------------------


def test_a_lost_connection_is_given_back_to_the_player_who_decides():
    play = deciding()
    (extended,) = out(play, -500, 4_000, player="ply_3")
    assert (extended.by_ms, extended.outage) == (4_000, "player")
    assert out(play, -500, 4_000, player="ply_3") == ()
    assert out(play, -500, 4_000, player="ply_1") == ()
    assert timers(play.table) == (("turn", play.at_ms + ACTION_MS + 4_000),)


def test_a_lost_connection_is_given_back_to_a_choice_to_show_or_muck():
    play = choosing()
    player = f"ply_{play.table.turn.seat}"
    assert given_back(out(play, 0, 2_000, player=player)) == [2_000]


def test_who_decides_nothing_has_lost_nothing():
    play = Play(STACKS, button=3)
    assert out(play, 0, 500, player="ply_3") == ()
    play.begin()
    assert out(play, 0, 500, player="ply_3") == ()
    play.answer()
    play.tell(assigned("ply_7", 7, 500))
    assert out(play, 0, 500, player="ply_7") == ()


@pytest.mark.parametrize(
    ("player", "down", "up", "reason"),
    [
        ("ply_9", 0, 500, "not_seated"),
        ("ply_9", 500, 0, "not_seated"),
        ("ply_3", 500, 500, "invalid_outage"),
        ("ply_3", 500, 499, "invalid_outage"),
        ("ply_3", 0, 1_001, "invalid_outage"),
        ("ply_1", 0, 1_001, "invalid_outage"),
    ],
)
def test_credits_that_cannot_be_are_refused(player, down, up, reason):
    play = deciding()
    now = play.at_ms
    asked = CreditPlayer(player=player, down_from_ms=now + down, up_at_ms=now + up)
    assert play.refused(asked) == reason


def test_a_clock_that_is_a_little_ahead_is_cut_to_now():
    play = deciding()
    assert given_back(out(play, 0, 5_000, at=4_000, player="ply_3")) == [4_000]


def test_a_player_who_stays_away_holds_up_the_table_for_so_long_only():
    play = deciding()
    assert given_back(out(play, 0, 40_000, player="ply_3")) == [40_000]
    assert given_back(out(play, 40_000, 80_000, player="ply_3")) == [20_000]
    assert out(play, 80_000, 90_000, player="ply_3") == ()
    assert play.table.turn.act_by_ms == play.at_ms + ACTION_MS + PLAYER_CREDIT_MAX_MS


def test_an_outage_of_the_table_has_no_limit_and_gives_what_the_limit_withheld():
    play = deciding()
    assert given_back(out(play, 10_000, 100_000, player="ply_3")) == [60_000]
    assert given_back(out(play, 0, 100_000)) == [10_000, 30_000]
    assert out(play, 0, 100_000, player="ply_3") == ()


def test_an_outage_of_the_table_uses_nothing_of_the_limit():
    play = deciding()
    out(play, 0, 50_000)
    assert given_back(out(play, 50_000, 120_000, player="ply_3")) == [60_000]


def test_the_limit_is_one_per_decision_the_time_bank_included():
    play = deciding()
    out(play, 0, 50_000, player="ply_3")
    play.run_down()
    assert given_back(out(play, 0, 20_000, player="ply_3")) == [10_000]
    play.at_ms += 1_000
    play.play("call", "call", "check", "check", "check")
    assert legal_actions(play.table).player == "ply_3"
    assert given_back(out(play, 0, 70_000, player="ply_3")) == [60_000]


# --- laws -----------------------------------------------------------------------------------

moments = st.integers(-50, 200)
outages = st.lists(
    st.tuples(moments, moments, st.integers(0, 60), st.booleans()), min_size=1, max_size=8
)
SITUATIONS = {"turn": deciding, "choice": choosing}


@pytest.mark.parametrize("situation", SITUATIONS)
@given(told=outages)
@settings(max_examples=60, deadline=None)
def test_together_outages_give_back_the_union_of_them_since_the_decision_began(situation, told):
    """They overlap, repeat, come late and in any order, of the table and of the player."""
    play = SITUATIONS[situation]()
    began, due, before = play.at_ms, play.table.turn.act_by_ms, play.table
    player = f"ply_{before.turn.seat}"
    now, lost, events = 0, set(), []
    for down, up, later, alone in told:
        if alone and down >= up:
            continue
        now = max(now + later, up - 1_000)
        events += out(play, down, up, at=now, player=player if alone else None)
        lost |= {*range(max(down, 0), min(up, now))}
    assert sum(given_back(events)) == len(lost)
    assert play.table.turn.act_by_ms == due + len(lost)
    taken = [ms for e in events for ms in range(e.down_from_ms - began, e.up_at_ms - began)]
    assert sorted(taken) == sorted(lost)
    assert replace(play.table, turn=before.turn) == before


@given(
    think=st.integers(1, ACTION_MS + BANK_MS - 1),
    share=st.floats(0, 1),
    length=st.integers(1, BANK_MS - 1),
    away=st.sampled_from(["table", "player"]),
)
@example(think=ACTION_MS, share=0.5, length=BANK_MS - 1, away="player")
@settings(max_examples=120, deadline=None)
def test_with_what_is_given_back_a_decision_costs_what_it_had_cost_without_the_outage(
    think, share, length, away
):
    """The table's owner feeds the outage before its timers; a lost player's clock ran on."""
    calm, rough = deciding(), deciding()
    began, down = calm.at_ms, int(think * share)
    for play, outage in ((calm, 0), (rough, length)):
        over = began + down + outage
        if down > ACTION_MS or (away == "player" and over > began + ACTION_MS):
            run_out(play, began + think + outage)
        if outage:
            play.at_ms = over
            out(play, -outage, 0, player="ply_3" if away == "player" else None)
        run_out(play, began + think + outage)
        play.at_ms = began + think + outage
        play.act("call")
    assert [used.by_ms for used in of(calm, TimeBankUsed) if used.by_ms] == [
        used.by_ms for used in of(rough, TimeBankUsed) if used.by_ms
    ]
    assert bank_left_ms(calm.table, "ply_3") == bank_left_ms(rough.table, "ply_3")
    assert calm.table.hand == rough.table.hand


def run_out(play, until_ms):
    """Let the time to act run out, where it does before then."""
    ((_, due_ms),) = timers(play.table)
    if due_ms < until_ms and not play.table.turn.bank_ms:
        play.run_down()
