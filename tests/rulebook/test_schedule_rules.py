"""When tournaments start, rest, stand still or are given up: BH-MTT, PP-ENTRY, PP-CRASH-REG."""

import pytest
from msgspec.structs import replace

from services.director.core import DECIDER, reasons, timers
from services.director.core.terms import problems
from shared.contracts.director import (
    Break,
    BreakBegan,
    BreakExtended,
    CancelTournament,
    ClockExtended,
    CreateTournament,
    EntryDeclined,
    GuaranteeDue,
    HandCleared,
    LevelBegan,
    PauseTournament,
    PlayerUnregistered,
    Register,
    ResumeTournament,
    TournamentCancelled,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
    Unregister,
    WaitingListJoined,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.kernel.decider import Refused
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    of,
    players_named,
    terms,
    winners,
)

AT = START_MS + 3_600_000
SCHEDULED = terms(entries=6, seats=6, start_at_ms=AT, prizes=winners(6_000, 4_000))


def scheduled(players=4, **changes):
    play = Play(replace(SCHEDULED, **changes))
    return play.enter(*players_named(6)[:players]) if players else play


def at_start(play):
    play.now_ms = AT
    return play.must(TimerFired(name="start"))


def test_bh_mtt_starts_at_its_time_with_whoever_is_registered():
    """BH-MTT."""
    play = scheduled()
    assert timers(play.state) == (("start", AT),)
    assert play.must(TimerFired(name="start")) == ()
    (started,) = of(TournamentStarted, at_start(play))
    assert started.players == 4
    assert tuple(play.state.registered) == players_named(6)[:4]
    assert started.pool_cents == 4_000
    assert sum(started.prizes_cents) == 4_000


def test_bh_mtt_at_the_maximum_it_still_starts_at_its_time():
    """BH-MTT."""
    play = scheduled(6)
    (waits,) = play.must(Register(player="ply_late"))
    assert waits == WaitingListJoined(tournament=TOURNAMENT, player="ply_late", position=1)
    assert not of(TournamentStarted, play.events)
    assert len(of(TournamentStarted, at_start(play))) == 1


@pytest.mark.parametrize(("registered", "least"), [(4, 5), (1, 0), (0, 0)])
def test_bh_mtt_below_the_minimum_it_is_cancelled_with_full_refunds(registered, least):
    """BH-MTT: commission included, whatever leaving would have cost."""
    play = scheduled(registered, entries_min=least, cancellation_charge=1_000)
    if least == 0:
        play = scheduled(registered, prizes=winners(10_000), cancellation_charge=1_000)
    events = at_start(play)
    (cancelled,) = of(TournamentCancelled, events)
    assert cancelled.author == ""
    assert [left.refund_cents for left in of(PlayerUnregistered, events)] == [1_100] * registered
    assert all(left.tournament_cancelled for left in of(PlayerUnregistered, events))
    assert not of(TournamentStarted, events)
    assert (play.state.phase, timers(play.state)) == ("cancelled", ())
    assert play.tell(Register(player="ply_late")) == Refused("not_registering")


def test_bh_mtt_what_is_pending_at_the_start_is_declined():
    """BH-MTT: the wallet had not answered; no money moves."""
    play = scheduled()
    (pending,) = play.must(Register(player="ply_late"))
    (declined,) = of(EntryDeclined, at_start(play))
    assert (declined.entry, declined.reason) == (pending.entry, "started")
    play.now_ms += 1
    assert play.tell(Register(player="ply_later")) == Refused("not_registering")


def test_pp_entry_leaving_costs_the_charge_and_ends_before_the_start():
    """PP-ENTRY: a percentage of the price; cents that cannot be split are the player's."""
    play = scheduled(cancellation_charge=333, leave_before_ms=60_000)
    play.now_ms = AT - 60_001
    (left,) = play.must(Unregister(player="ply_001"))
    assert left.refund_cents == 1_100 - 36
    play.now_ms = AT - 60_000
    assert play.tell(Unregister(player="ply_002")) == Refused("too_late_to_leave")


def test_the_operator_fills_the_pool_up_to_the_guarantee():
    """Guarantee (Decision): pool = max(collected, guarantee)."""
    events = at_start(scheduled(guarantee_cents=10_001))
    (started,), (due,) = of(TournamentStarted, events), of(GuaranteeDue, events)
    assert started.pool_cents == sum(started.prizes_cents) == 10_001
    assert due.amount_cents == 10_001 - 4_000
    enough = at_start(scheduled(guarantee_cents=3_999))
    assert not of(GuaranteeDue, enough)
    assert of(TournamentStarted, enough)[0].pool_cents == 4_000


def test_pp_crash_reg_cancelled_while_registering_gives_everything_back():
    """PP-CRASH-REG: the whole price, commission included; pending entries are declined."""
    play = scheduled(cancellation_charge=500)
    (pending,) = play.must(Register(player="ply_late"))
    request = CancelTournament(author="ops_1", reason="the hall burns")
    events = play.must(request)
    (cancelled,) = of(TournamentCancelled, events)
    assert (cancelled.author, cancelled.reason) == ("ops_1", "the hall burns")
    assert [declined.entry for declined in of(EntryDeclined, events)] == [pending.entry]
    assert [left.refund_cents for left in of(PlayerUnregistered, events)] == [1_100] * 4
    assert play.tell(request) == Refused("already_cancelled")
    assert play.tell(Unregister(player="ply_001")) == Refused("already_started")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (CancelTournament(author="ops_1", reason=""), "reason_invalid"),
        (PauseTournament(author="ops_1", reason="x" * 1_001), "reason_invalid"),
    ],
)
def test_an_operators_word_about_a_running_tournament_needs_a_reason(request_, reason):
    play = scheduled()
    at_start(play)
    refused = play.tell(request_)
    assert isinstance(refused, Refused)
    assert refused.reason == reason


@pytest.mark.parametrize("request_", [PauseTournament, ResumeTournament])
def test_only_a_running_tournament_is_paused_and_resumed(request_):
    fields = {"author": "ops_1"} | ({"reason": "x"} if request_ is PauseTournament else {})
    assert scheduled().tell(request_(**fields)) == Refused("not_running")


# --- breaks ------------------------------------------------------------------------------------

RESTING = {"entries": 4, "seats": 2, "breaks": (Break(after_level=1, ms=300_000),)}


def test_a_break_begins_for_all_tables_at_once_when_the_last_hand_has_ended():
    play = Play(terms(**RESTING)).begin()
    play.now_ms += 60_000
    assert not play.must(TimerFired(name="level")), "hands are in play"
    assert not of(HandCleared, play.end_hand(1)), "the first table waits for the other"
    assert reasons(play.state)[0][0] == "tbl_0001_1"
    play.now_ms += 5_000
    (began,) = of(BreakBegan, play.end_hand(2))
    assert (began.after_level, began.ends_at_ms) == (1, play.now_ms + 300_000)
    assert {why for _, why in reasons(play.state)} == {"break"}
    assert timers(play.state) == (("level", began.ends_at_ms),)


def test_after_the_break_the_next_level_begins_and_all_play_on():
    play = Play(terms(**RESTING)).begin()
    play.now_ms += 60_000
    play.end_hand(1)
    play.end_hand(2)
    play.now_ms += 299_999
    assert not play.must(TimerFired(name="level"))
    play.now_ms += 1
    events = play.must(TimerFired(name="level"))
    assert [level.number for level in of(LevelBegan, events)] == [2]
    assert len(of(HandCleared, events)) == 2


def test_an_outage_is_given_back_to_the_break():
    play = Play(terms(**RESTING)).begin()
    play.now_ms += 60_000
    play.end_hand(1)
    (began,) = of(BreakBegan, play.end_hand(2))
    down = play.now_ms + 1_000
    play.now_ms += 11_000
    (given,) = play.must(OutageOver(down_from_ms=down, up_at_ms=play.now_ms))
    assert isinstance(given, BreakExtended)
    assert (given.by_ms, given.ends_at_ms) == (10_000, began.ends_at_ms + 10_000)
    assert not play.must(OutageOver(down_from_ms=down, up_at_ms=play.now_ms))


@pytest.mark.parametrize(
    ("breaks", "named"),
    [
        ((Break(3, 1_000),), "breaks come after different levels but the last"),
        ((Break(1, 1_000), Break(1, 1_000)), "breaks come after different levels"),
        ((Break(2, 1_000), Break(1, 1_000)), "in their order"),
        ((Break(1, 0),), "breaks last 1 to"),
    ],
)
def test_breaks_that_make_no_sense_are_refused(breaks, named):
    request = CreateTournament(tournament="trn_2", terms=terms(breaks=breaks))
    refused = DECIDER.decide(DECIDER.initial, request, START_MS)
    assert isinstance(refused, Refused)
    assert named in refused.detail


# --- pauses ------------------------------------------------------------------------------------


def test_paused_no_hand_is_cleared_and_the_level_stands_still():
    play = Play(terms(entries=4, seats=2)).begin()
    ends_ms = dict(timers(play.state))["level"]
    play.now_ms += 10_000
    (paused,) = play.must(PauseTournament(author="ops_1", reason="fire alarm"))
    assert paused == TournamentPaused(
        tournament="trn_0001", author="ops_1", reason="fire alarm", at_ms=play.now_ms
    )
    assert not play.must(PauseTournament(author="ops_1", reason="again"))
    assert not of(HandCleared, play.end_hand(1))
    assert reasons(play.state) == (("tbl_0001_1", "paused"),)
    assert timers(play.state) == ()
    play.now_ms += 600_000
    assert not play.must(TimerFired(name="level"))
    resumed, cleared, *_ = play.must(ResumeTournament(author="ops_1"))
    assert resumed == TournamentResumed(
        tournament="trn_0001", author="ops_1", at_ms=play.now_ms, ends_at_ms=ends_ms + 600_000
    )
    assert isinstance(cleared, HandCleared)
    assert dict(timers(play.state))["level"] == ends_ms + 600_000
    assert not play.must(ResumeTournament(author="ops_1"))


def test_an_outage_within_a_pause_is_given_back_once():
    play = Play(terms(entries=4, seats=2)).begin()
    ends_ms = dict(timers(play.state))["level"]
    play.must(PauseTournament(author="ops_1", reason="x"))
    down = play.now_ms + 1_000
    play.now_ms += 5_000
    (given,) = play.must(OutageOver(down_from_ms=down, up_at_ms=play.now_ms))
    assert isinstance(given, ClockExtended)
    play.now_ms += 5_000
    resumed, *_ = play.must(ResumeTournament(author="ops_1"))
    assert resumed.ends_at_ms == ends_ms + 10_000
    assert not play.must(OutageOver(down_from_ms=down, up_at_ms=play.now_ms))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"start_at_ms": 0, "entries_min": 2}, "need a start_at_ms"),
        ({"start_at_ms": -1}, "start_at_ms is a moment"),
        ({"start_at_ms": 1, "entries_min": 5}, "entries_min is from 0 to 4"),
        ({"start_at_ms": 1, "prizes": winners(5_000, 3_000, 2_000)}, "3 prizes need as many"),
        ({"cancellation_charge": 10_001}, "cancellation_charge is from 0 to 10000"),
        ({"guarantee_cents": -1}, "guarantee_cents is from 0"),
        ({"regulated": True, "commission_cents": 251}, "at least 80 % of the price"),
    ],
)
def test_terms_of_the_schedule_that_contradict_each_other_are_refused(changed, named):
    assert problems(terms()) == ()
    assert any(named in problem for problem in problems(terms(**changed)))


def test_regulated_terms_may_give_exactly_eighty_percent():
    assert problems(terms(regulated=True, fee_cents=1_000, commission_cents=250)) == ()
