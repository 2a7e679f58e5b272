"""Bought after the start: BH-REBUY; and BH-OVERLAP."""

import pytest
from msgspec.structs import replace

from services.director.core import chips_in_play, reasons, timers
from services.director.core.terms import problems
from shared.contracts.director import (
    AddOn,
    Break,
    CancelTournament,
    ChipsAssigned,
    DeclineRebuy,
    EntriesClosed,
    HandCleared,
    Level,
    PlayerBusted,
    PlayerEliminated,
    PriceHeld,
    PrizeDue,
    Rebuy,
    RebuyGranted,
    RebuyLapsed,
    RebuyOffered,
    RebuyOfferExtended,
    SeatAssigned,
    TournamentFinished,
    TournamentStarted,
    Unregister,
)
from shared.contracts.hand import HandEnded
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.table import GoOut
from shared.contracts.wallet import EntryRefunded
from shared.kernel.decider import Refused
from tests.core.cli.tournament_world import TERMS, TOURNAMENT as TOURNAMENT_OF_WORLD, World
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    held,
    of,
    places,
    players_named,
    refusal,
    terms,
)
from tests.rulebook.buying import (
    ADD_ON,
    AT,
    REBUY,
    A,
    B,
    C,
    D,
    buys,
    chips_of,
    rebuys,
    to_level,
)

# --- rebuys ------------------------------------------------------------------------------------


def test_bh_rebuy_is_offered_right_after_the_elimination_and_keeps_the_chair():
    """BH-REBUY: a new entry right after being eliminated; chips may differ from the start."""
    play = rebuys()
    events = play.end_hand(1, ply_002=0)
    (offered,) = of(RebuyOffered, events)
    assert (offered.player, offered.deadline_ms) == (B, play.now_ms + 30_000)
    assert not of(PlayerEliminated, events)
    assert [dealt.player for dealt in of(HandCleared, events)[0].roster] == [A, C, D]
    assert timers(play.state)[0] == (f"offer {B}", offered.deadline_ms)
    (granted, seated) = buys(play, Rebuy(player=B))[1:]
    assert isinstance(granted, RebuyGranted)
    assert (granted.kind, granted.fee_cents, granted.chips) == ("rebuy", 800, 1_500)
    assert (seated.player, seated.seat, seated.stack_chips) == (B, offered.seat, 1_500)
    assert chips_in_play(play.state) == 5_500
    (cleared,) = of(HandCleared, play.end_hand(1))
    assert B in [dealt.player for dealt in cleared.roster]


def test_bh_rebuy_the_request_keeps_the_offer_open_past_its_deadline():
    """BH-REBUY: a rebuy offer lapses after a set time, but not while the wallet is asked."""
    play = rebuys()
    play.end_hand(1, ply_002=0)
    play.now_ms += 29_999
    (asked,) = play.must(Rebuy(player=B))
    play.now_ms += 5_000
    assert play.must(TimerFired(name=f"offer {B}")) == ()
    assert f"offer {B}" not in dict(timers(play.state))
    assert of(SeatAssigned, play.must(held(asked)))


def test_bh_rebuy_when_the_offer_lapses_the_player_is_out():
    """BH-REBUY: eliminated once the offer is refused or lapsed."""
    play = rebuys()
    play.end_hand(1, ply_002=0)
    play.now_ms += 29_999
    assert play.must(TimerFired(name=f"offer {B}")) == ()
    play.now_ms += 1
    (out,) = play.must(TimerFired(name=f"offer {B}"))
    assert out == PlayerBusted(
        tournament=TOURNAMENT, player=B, table="tbl_0001_1", hand="hnd_0001_1_1"
    )
    assert play.tell(Rebuy(player=B)) == Refused("offer_lapsed")


def test_bh_rebuy_one_who_declines_is_out_at_once():
    """BH-REBUY."""
    play = rebuys()
    play.end_hand(1, ply_002=0)
    assert len(of(PlayerBusted, play.must(DeclineRebuy(player=B)))) == 1
    assert play.tell(DeclineRebuy(player=B)) == Refused("no_offer")


def test_bh_rebuy_without_money_the_offer_stays_until_its_deadline():
    """BH-REBUY: the wallet's reason is told, and there is time to try again."""
    play = rebuys()
    play.end_hand(1, ply_002=0)
    (asked,) = play.must(Rebuy(player=B))
    (lapsed,) = play.must(refusal(asked))
    assert (lapsed.entry, lapsed.reason) == (asked.entry, "insufficient_funds")
    play.asked.clear()
    assert of(RebuyGranted, buys(play, Rebuy(player=B)))


def test_bh_rebuy_an_unanswered_one_expires():
    """BH-REBUY."""
    play = rebuys(rebuy_offer_ms=1_000)
    play.end_hand(1, ply_002=0)
    (asked,) = play.must(Rebuy(player=B))
    play.now_ms = asked.deadline_ms
    lapsed, out = play.must(TimerFired(name=f"entry {asked.entry}"))
    assert isinstance(lapsed, RebuyLapsed)
    assert isinstance(out, PlayerBusted)
    assert play.must(held(asked)) == ()


def test_bh_rebuy_in_the_hand_that_began_in_the_period():
    """BH-REBUY: the hand counts by the level that it began in, and entries wait for it."""
    play = rebuys(add_on=None)
    to_level(play, 2)
    assert play.state.selling
    assert of(RebuyOffered, play.end_hand(1, ply_002=0))
    assert of(EntriesClosed, play.must(DeclineRebuy(player=B)))
    assert not of(RebuyOffered, play.end_hand(1, ply_003=0))


def test_bh_rebuy_places_are_in_the_order_of_the_hands_whoever_decides_first():
    """BH-REBUY: a place waits while an earlier offer is open."""
    play = rebuys(add_on=None)
    play.end_hand(1, ply_002=0)
    play.end_hand(1, ply_003=0)
    play.must(DeclineRebuy(player=C))
    assert not places(play.events)
    play.must(DeclineRebuy(player=B))
    to_level(play, 2)
    play.end_hand(1)
    assert places(play.events) == {B: 4, C: 3}


def test_bh_rebuy_raises_the_pool_and_not_the_paid_places():
    """BH-REBUY: then it is a freeze-out, and prizes are due only when nothing can be bought."""
    play = rebuys(add_on=None)
    (started,) = of(TournamentStarted, play.events)
    assert started.prizes_cents == ()
    for _ in range(2):
        play.end_hand(1, ply_002=0)
        play.tell(Rebuy(player=B))
        while play.asked:
            play.must(held(play.asked.pop()))
        play.end_hand(1)
    assert not of(PrizeDue, play.events)
    to_level(play, 2)
    (closed,) = of(EntriesClosed, play.end_hand(1))
    assert (closed.entries, closed.players) == (4, 4)
    assert (closed.pool_cents, closed.prizes_cents) == (4_800, (2_880, 1_920))
    assert play.tell(Rebuy(player=B)) == Refused("rebuys_over", "they end with level 1")


def test_bh_rebuy_closes_at_once_when_one_player_has_all_the_chips():
    """BH-REBUY: nobody waits for a period in which nothing can be bought any more."""
    play = rebuys()
    play.end_hand(1, ply_002=0, ply_003=0, ply_004=0)
    assert reasons(play.state) == (("tbl_0001_1", "rebuy_on_offer"),)
    for player in (B, C, D):
        play.must(DeclineRebuy(player=player))
    kinds = [type(event) for event in play.commits[-1]]
    assert kinds.index(EntriesClosed) < kinds.index(TournamentFinished)
    assert set(places(play.events).values()) == {2, 3, 4}


@pytest.mark.parametrize(
    ("case", "prepare", "request_", "reason"),
    [
        ("still has chips", lambda p: None, Rebuy(player=A), "still_has_chips"),
        ("never entered", lambda p: None, Rebuy(player="ply_x"), "not_registered"),
        (
            "a second while one is pending",
            lambda p: (p.end_hand(1, ply_002=0), p.must(Rebuy(player=B))),
            Rebuy(player=B),
            "purchase_pending",
        ),
        (
            "declines what was asked for",
            lambda p: (p.end_hand(1, ply_002=0), p.must(Rebuy(player=B))),
            DeclineRebuy(player=B),
            "purchase_pending",
        ),
        (
            "more than the largest number",
            lambda p: (
                p.end_hand(1, ply_002=0),
                buys(p, Rebuy(player=B)),
                p.end_hand(1),
                p.end_hand(1, ply_002=0),
            ),
            Rebuy(player=B),
            "rebuy_limit_reached",
        ),
        (
            "after the period",
            lambda p: (to_level(p, 2), p.end_hand(1), p.end_hand(1, ply_002=0)),
            Rebuy(player=B),
            "rebuys_over",
        ),
        ("add-on without chips", lambda p: p.end_hand(1, ply_002=0), AddOn(player=B), "no_chips"),
        (
            "a second add-on while one is pending",
            lambda p: p.must(AddOn(player=A)),
            AddOn(player=A),
            "purchase_pending",
        ),
        (
            "more add-ons than the largest number",
            lambda p: (buys(p, AddOn(player=A)), p.end_hand(1)),
            AddOn(player=A),
            "add_on_limit_reached",
        ),
        ("add-on after the period", lambda p: to_level(p, 3), AddOn(player=A), "add_ons_over"),
        (
            "while it is being cancelled",
            lambda p: p.must(CancelTournament(author="ops", reason="fire")),
            AddOn(player=A),
            "cancelling",
        ),
    ],
)
def test_bh_rebuy_is_refused_for_a_reason_and_changes_nothing(case, prepare, request_, reason):
    """BH-REBUY."""
    play = rebuys()
    prepare(play)
    before = play.state
    refused = play.tell(request_)
    assert isinstance(refused, Refused), case
    assert refused.reason == reason
    assert play.state == before


def test_bh_rebuy_where_nothing_is_sold_nothing_is_bought():
    """BH-REBUY."""
    play = rebuys(rebuy=None, add_on=None)
    assert play.tell(Rebuy(player=A)) == Refused("not_sold_here")
    assert play.tell(AddOn(player=A)) == Refused("not_sold_here")
    assert Play(terms()).tell(AddOn(player=A)) == Refused("not_running")


# --- add-ons -----------------------------------------------------------------------------------


def test_bh_rebuy_an_add_on_in_a_hand_comes_with_the_next_one():
    """BH-REBUY: an add-on in any other state, never into a hand."""
    play = rebuys()
    (only,) = buys(play, AddOn(player=A))
    assert isinstance(only, PriceHeld)
    assert chips_in_play(play.state) == 4_000
    events = play.end_hand(1)
    kinds = [type(event) for event in events]
    assert kinds.index(RebuyGranted) < kinds.index(ChipsAssigned) < kinds.index(HandCleared)
    assert chips_of(play, A) == 3_000
    assert chips_in_play(play.state) == 6_000


def test_bh_rebuy_paid_chips_save_a_player_who_loses_the_others():
    """BH-REBUY: who has bought an add-on before the hand ended is not out."""
    play = rebuys()
    buys(play, AddOn(player=B))
    events = play.end_hand(1, ply_002=0)
    assert not of(PlayerBusted, events)
    assert chips_of(play, B) == 2_000
    assert B in [dealt.player for dealt in of(HandCleared, events)[-1].roster]


def test_bh_rebuy_a_break_belongs_to_the_period_before_it():
    """BH-REBUY: the add-on is taken in the break, and not after it."""
    play = rebuys(breaks=(Break(2, 60_000),))
    to_level(play, 2)
    play.now_ms = play.state.level_ends_ms
    play.must(TimerFired(name="level"))
    play.end_hand(1)
    assert play.state.resting
    assert of(ChipsAssigned, buys(play, AddOn(player=A)))
    play.now_ms = play.state.level_ends_ms
    assert play.tell(AddOn(player=B)) == Refused("add_ons_over", "they end with level 2")
    assert of(EntriesClosed, play.must(TimerFired(name="level")))


def test_bh_rebuy_an_outage_is_given_back_to_an_offer_once():
    """BH-REBUY: players never pay for downtime."""
    play = rebuys()
    play.end_hand(1, ply_002=0)
    play.now_ms += 20_000
    outage = OutageOver(down_from_ms=play.now_ms - 5_000, up_at_ms=play.now_ms)
    (extended,) = of(RebuyOfferExtended, play.must(outage))
    assert (extended.by_ms, extended.deadline_ms) == (5_000, START_MS + 35_000)
    assert not of(RebuyOfferExtended, play.must(outage))


# --- overlaps, terms ------------------------------------------------------------------


def test_bh_overlap_one_of_two_running_entries_plays_on_as_out():
    """BH-OVERLAP: overlapping entries are not refunded; the seat plays on as Out."""
    world, small = World(5), replace(TERMS, entries=3, fee_cents=500, commission_cents=50)
    for name in ("trn_v", TOURNAMENT_OF_WORLD):
        world.announce(name, small)
        for player in players_named(3):
            world.enter(name, player)
        assert not world.tell("director", name, Unregister(player=A))
    assert world.tell("table", "tbl_v_1", GoOut(player=A))
    world.play_on()
    events = [event for commit in world.commits for event in commit.events]
    assert not of(EntryRefunded, events)
    ended = [end for end in of(HandEnded, events) if end.table == "tbl_v_1"]
    mine = [seat for end in ended for seat in end.seats if seat.player == A]
    assert mine
    assert all(seat.out for seat in mine)
    finished = {one.tournament: one.places for one in of(TournamentFinished, events)}
    assert set(finished) == {"trn_v", TOURNAMENT_OF_WORLD}
    assert all(A in [placing.player for placing in places] for places in finished.values())


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (
            {"late_levels": 1},
            "late_levels need a start_at_ms: a Sit & Go starts when all entries are sold",
        ),
        ({"start_at_ms": AT, "late_levels": 3}, "late_levels is from 0 to 2"),
        (
            {"reentries": 1},
            "reentries need late_levels: they are possible as long as late entries are",
        ),
        ({"rebuy": replace(REBUY, chips=0)}, "rebuy: chips is from 1 to 1000000000"),
        ({"rebuy": replace(REBUY, until_level=3)}, "rebuy: until_level is from 1 to 2"),
        (
            {"rebuy": REBUY, "levels": (Level(10, 20),)},
            "levels: nothing is sold in the last one, so what is sold after the start needs two",
        ),
        (
            {"start_at_ms": AT, "late_levels": 1, "levels": (Level(10, 20),)},
            "levels: nothing is sold in the last one, so what is sold after the start needs two",
        ),
        ({"add_on": replace(ADD_ON, most=0)}, "add_on: most is from 1 to 100"),
        ({"add_on": replace(ADD_ON, fee_cents=-1)}, "add_on: fee_cents is from 0 to 100000000"),
        ({"rebuy_offer_ms": 0}, "rebuy_offer_ms is from 1 to 600000"),
        (
            {"regulated": True, "rebuy": replace(REBUY, commission_cents=800)},
            "rebuy: regulated: at least 80 % of the price go to the pool",
        ),
    ],
)
def test_bh_rebuy_terms_that_contradict_each_other_are_explained(changed, problem):
    """PP-LOBBY."""
    assert problems(terms(**changed)) == (problem,)
