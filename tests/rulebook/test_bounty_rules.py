"""Bounties (decisions of the director's README): who wins them, shared, progressive, given back."""

import pytest
from msgspec.structs import replace

from services.director.core import (
    DECIDER,
    HaltReported,
    HandReported,
    TableContradictionError,
)
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.terms import problems
from shared.contracts.director import (
    ApproveSheet,
    BountyDue,
    CancelTournament,
    PayoutDue,
    PrizeDue,
    TournamentFinished,
    TournamentStarted,
    Unregister,
)
from shared.contracts.table import TableHalted
from tests.core.director.director_play import Play, of, terms, winners


def bounty(entries=4, **changes):
    """A fee of 10 euros, 3 of them the bounty."""
    chosen = {"bounty_cents": 300, "seats": max(entries, 2), "prizes": winners(10_000), **changes}
    return Play(terms(entries=entries, **chosen)).begin()


def won(events):
    return [
        (due.knocked_out, due.player, due.amount_cents, due.added_cents)
        for due in of(BountyDue, events)
    ]


def test_the_bounty_is_a_part_of_the_fee_that_the_places_do_not_share():
    play = bounty()
    (started,) = of(TournamentStarted, play.events)
    assert (started.pool_cents, started.prizes_cents) == (4_000, (2_800,))


def test_who_knocks_a_player_out_wins_the_bounty_and_the_winner_keeps_the_own():
    play = bounty()
    assert won(play.end_hand(1, by=("ply_003",), ply_001=0)) == [("ply_001", "ply_003", 300, 0)]
    assert won(play.end_hand(1, ply_002=0)) == [("ply_002", "ply_003", 300, 0)]
    events = play.end_hand(1, ply_003=0)
    assert won(events) == [("ply_003", "ply_004", 300, 0), ("ply_004", "ply_004", 300, 0)]
    (finished,) = of(TournamentFinished, events)
    prizes = sum(placing.prize_cents for placing in finished.places)
    assert prizes + sum(due.amount_cents for due in of(BountyDue, play.events)) == 4_000


def test_a_shared_last_pot_shares_the_bounty_odd_cents_to_who_was_paid_first():
    play = bounty(bounty_cents=301)
    events = play.end_hand(1, by=("ply_004", "ply_002"), ply_001=0)
    assert won(events) == [("ply_001", "ply_004", 151, 0), ("ply_001", "ply_002", 150, 0)]


def test_half_of_a_progressive_bounty_is_added_to_the_winners_own():
    play = bounty(progressive=True, bounty_cents=301)
    events = play.end_hand(1, by=("ply_002",), ply_001=0)
    assert won(events) == [("ply_001", "ply_002", 151, 150)]
    events = play.end_hand(1, by=("ply_003",), ply_002=0)
    assert won(events) == [("ply_002", "ply_003", 226, 225)]
    events = play.end_hand(1, by=("ply_004",), ply_003=0)
    assert won(events) == [("ply_003", "ply_004", 263, 263), ("ply_004", "ply_004", 564, 0)]
    assert sum(due.amount_cents for due in of(BountyDue, play.events)) == 4 * 301


def test_who_leaves_before_the_start_takes_the_bounty_along():
    play = Play(terms(bounty_cents=300)).enter("ply_a")
    assert dict(play.state.bounties.items()) == {"ply_a": 300}
    play.must(Unregister(player="ply_a"))
    assert dict(play.state.bounties.items()) == {}


def test_a_report_that_does_not_say_by_whom_stops_the_line():
    play = bounty()
    fact = play.tables["tbl_0001_1"].end_hand(
        {"ply_001": 0, "ply_002": 2_000, "ply_003": 1_000, "ply_004": 1_000}
    )
    silent = HandReported(replace(fact, knock_outs=()), "table-1", 9)
    with pytest.raises(TableContradictionError):
        DECIDER.step(play.state, silent, play.now_ms)


def test_a_cancelled_tournament_gives_open_bounties_back_to_their_owners():
    """BH-RF1: the rest of the price by the sheet, the bounty beside it, also one that has grown."""
    play = bounty(progressive=True)
    play.end_hand(1, by=("ply_002",), ply_001=0)
    play.must(CancelTournament(author="ope_1", reason="a fault"))
    table = play.state.tables["tbl_0001_1"]
    halted = TableHalted(
        tournament="trn_0001", table=table.table, hand="hnd_0001_1_2", seats=table.seats
    )
    play.must(HaltReported(halted, "table-1", 99))
    sheet = sheet_now(play.state)
    assert sheet.warnings == ("besides, 3 players get their own bounties: 1050 cents",)
    assert {line.certain_cents for line in sheet.players} == {800}
    approved = play.must(ApproveSheet(author="ope_2", sheet_hash=play.state.cancelling.sheet_hash))
    assert won(approved) == [
        ("ply_002", "ply_002", 450, 0),
        ("ply_003", "ply_003", 300, 0),
        ("ply_004", "ply_004", 300, 0),
    ]
    from_pool = sum(due.pool_cents for due in of(PayoutDue, approved))
    all_bounties = sum(due.amount_cents for due in of(BountyDue, play.events))
    assert from_pool + all_bounties == 4_000
    assert not of(PrizeDue, play.events)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"bounty_cents": 1_000}, "leave some of it for the places"),
        ({"bounty_cents": -1}, "a part of the fee"),
        ({"progressive": True}, "there is no bounty_cents"),
    ],
)
def test_terms_that_contradict_themselves_are_refused(changes, problem):
    """PP-LOBBY."""
    assert any(problem in found for found in problems(terms(**changes)))
