"""A cancellation that is open: who may end it, how, and what of it is refused."""

import pytest
from msgspec.structs import replace

from services.director.core import (
    DirectorRules,
    HaltReported,
    HandReported,
    make_decider,
    reasons,
    sheet_in_full,
)
from services.director.core.state import TableContradictionError
from services.director.shell import sheets
from shared.contracts.director import (
    ApproveSheet,
    CancellationOpened,
    CancellationWithdrawn,
    CancelTournament,
    HandCleared,
    HandSetAside,
    LeaveTableOut,
    PauseTournament,
    PayoutDue,
    PlayerEliminated,
    ReadSheet,
    ResumeTournament,
    SheetFinal,
    TableHalting,
    TableReleased,
    TableStopped,
    TournamentCancelled,
    TournamentResumed,
    WithdrawCancellation,
)
from shared.contracts.hand import HandEnded, SeatAtEnd, SeatStack
from shared.contracts.table import HandVoided, TableHalted
from shared.kernel.decider import Refused
from tests.core.director.director_play import Play, of, terms, winners

respond = sheets.LastSheet().respond
OPEN = CancelTournament(author="ops_1", reason="fire")
TERMS = {"rule_set": "peoples_poker", "seats": 2, "prizes": winners(7_000, 3_000)}


def opened(entries=4, **changes):
    play = Play(terms(entries=entries, **TERMS, **changes)).begin()
    play.must(OPEN)
    return play


def halt(play, number, **changes):
    """The table voids its hand and says what it has."""
    table = play.state.tables[f"tbl_0001_{number}"]
    fact = TableHalted(
        tournament="trn_0001",
        table=table.table,
        hand=f"hnd_0001_{number}_{table.hand}" if table.playing else "",
        seats=table.seats,
    )
    line = f"table-{number}"
    return play.must(HaltReported(replace(fact, **changes), line, len(play.events)))


def final(play):
    for table in tuple(play.state.tables.values()):
        halt(play, table.number)
    return play.state.cancelling.sheet_hash


def test_opening_halts_every_table_and_stops_the_level():
    play = Play(terms(entries=4, **TERMS)).begin()
    events = play.must(OPEN)
    assert [event.author for event in of(CancellationOpened, events)] == ["ops_1"]
    assert [halting.table for halting in of(TableHalting, events)] == ["tbl_0001_1", "tbl_0001_2"]
    halt(play, 1)
    assert reasons(play.state) == (("tbl_0001_1", "cancelling"),)


def test_the_sheet_is_final_when_the_last_table_has_halted():
    play = opened()
    assert not of(SheetFinal, halt(play, 1))
    (sheet,) = of(SheetFinal, halt(play, 2))
    assert (sheet.policy, sheet.players) == ("peoples_poker", 4)
    assert sheet.total_cents == 4 * (1_000 + 100)
    assert [(cut.table, cut.upstream) for cut in sheet.cut] == [
        ("tbl_0001_1", "table-1"),
        ("tbl_0001_2", "table-2"),
    ]


def test_a_sheet_is_drawn_up_once_for_all_its_pages(monkeypatch):
    drawn = []

    def draw(tournament):
        drawn.append(tournament)
        return sheet_in_full(tournament)

    monkeypatch.setattr(sheets, "sheet_in_full", draw)
    play, read = opened(), sheets.LastSheet().respond
    pages = [read(play.state, ReadSheet(after=after, limit=2)) for after in (0, 2)]
    assert [len(page.lines) for page in pages] == [2, 2]
    assert len(drawn) == 1
    halt(play, 1)
    assert read(play.state, ReadSheet()).waiting == ("tbl_0001_2",)


def test_a_hand_that_ended_before_the_halt_stands_and_a_voided_one_does_not():
    """The cut."""
    play = opened()
    play.tables["tbl_0001_2"].clear = None
    ended = play.tables["tbl_0001_1"].end_hand({"ply_001": 1_500, "ply_002": 500})
    play.report(ended)
    halt(play, 1)
    halt(play, 2)
    page = respond(play.state, ReadSheet())
    assert [line.chips for line in page.lines] == [1_500, 500, 1_000, 1_000]
    assert page.final


def test_who_busts_in_a_hand_that_ended_before_the_halt_is_ranked_first():
    play = opened()
    ended = play.tables["tbl_0001_1"].end_hand({"ply_001": 2_000, "ply_002": 0})
    events = play.report(ended)
    assert [out.place for out in of(PlayerEliminated, events)] == [4]
    assert not of(HandCleared, events)
    halt(play, 1)
    (sheet,) = of(SheetFinal, halt(play, 2))
    assert sheet.players == 3


def test_a_second_operator_approves_this_very_sheet_and_everybody_is_due_once():
    play = opened()
    assert play.tell(ApproveSheet(author="ops_2", sheet_hash="x")).reason == "sheet_not_final"
    sheet_hash = final(play)
    same = play.tell(ApproveSheet(author="ops_1", sheet_hash=sheet_hash))
    assert same.reason == "same_operator"
    assert play.tell(ApproveSheet(author="ops_2", sheet_hash="0" * 64)).reason == "other_sheet"
    approve = ApproveSheet(author="ops_2", sheet_hash=sheet_hash)
    events = play.must(approve)
    assert [end.sheet_hash for end in of(TournamentCancelled, events)] == [sheet_hash]
    due = of(PayoutDue, events)
    assert [(one.pool_cents, one.commission_cents, one.top_up_cents) for one in due] == [
        (1_000, 100, 0)
    ] * 4
    assert play.must(approve) == (), "the same again changes nothing"
    assert play.tell(ApproveSheet(author="ops_3", sheet_hash="x")).reason == "already_cancelled"
    assert play.tell(OPEN).reason == "already_cancelled"
    assert play.state.phase == "cancelled"


def test_who_opened_may_approve_where_the_rules_need_no_second_operator():
    play = opened()
    approve = ApproveSheet(author="ops_1", sheet_hash=final(play))
    alone = make_decider(DirectorRules(second_operator=False))
    events = alone.decide(play.state, approve, play.now_ms)
    assert len(of(PayoutDue, events)) == 4
    assert play.tell(approve).reason == "same_operator"


def test_the_sheet_says_how_far_it_is_and_stays_when_it_is_paid():
    play = opened()
    page = respond(play.state, ReadSheet())
    assert (page.stage, page.final, page.opened_by) == ("halting", False, "ops_1")
    assert page.waiting == ("tbl_0001_1", "tbl_0001_2")
    halt(play, 1)
    play.must(LeaveTableOut(table="tbl_0001_2", author="ops_1", reason="gone"))
    final_page = respond(play.state, ReadSheet())
    assert (final_page.stage, final_page.waiting) == ("final", ())
    assert final_page.left_out == ("tbl_0001_2",)
    play.must(ApproveSheet(author="ops_2", sheet_hash=final_page.sheet_hash))
    assert play.must(ReadSheet()) == ()
    paid = respond(play.state, ReadSheet())
    assert (paid.stage, paid.final) == ("approved", True)
    assert (paid.sheet_hash, paid.lines) == (final_page.sheet_hash, final_page.lines)


def test_the_operators_own_money_is_due_where_the_pool_cannot_pay():
    """BH-RF1."""
    play = Play(terms(entries=4, seats=2, rule_set="big_holdem", prizes=winners(10_000))).begin()
    play.must(OPEN)
    events = play.must(ApproveSheet(author="ops_2", sheet_hash=final(play)))
    due = of(PayoutDue, events)
    assert sum(one.pool_cents for one in due) == 4_000
    assert sum(one.top_up_cents for one in due) == 400
    assert {one.pool_cents + one.top_up_cents for one in due} == {1_100}


def test_withdrawn_the_tables_go_on_and_the_level_lasts_longer():
    play = Play(terms(entries=4, **TERMS)).begin()
    ends_ms = play.state.level_ends_ms
    play.must(OPEN)
    final(play)
    play.now_ms += 60_000
    for table in play.tables.values():
        table.hand = None
    events = play.must(WithdrawCancellation(author="ops_1", reason="it was a drill"))
    assert len(of(CancellationWithdrawn, events)) == 1
    assert len(of(TableReleased, events)) == 2
    assert [on.ends_at_ms for on in of(TournamentResumed, events)] == [ends_ms + 60_000]
    assert [cleared.number for cleared in of(HandCleared, events)] == [2, 2]


def test_a_table_that_halts_after_the_withdrawal_gets_its_next_hand_then():
    play = opened()
    halt(play, 1)
    for table in play.tables.values():
        table.hand = None
    events = play.must(WithdrawCancellation(author="ops_2", reason="a drill"))
    assert [cleared.table for cleared in of(HandCleared, events)] == ["tbl_0001_1"]
    assert [cleared.table for cleared in of(HandCleared, halt(play, 2))] == ["tbl_0001_2"]


def test_what_a_table_says_of_a_cancellation_withdrawn_is_no_word_on_the_next_one():
    play = opened()
    halt(play, 1)
    play.tables["tbl_0001_1"].hand = None
    play.must(WithdrawCancellation(author="ops_2", reason="a drill"))
    play.must(OPEN)
    halt(play, 1)
    assert not of(SheetFinal, halt(play, 2)), "it has not read that it must halt again"
    assert of(SheetFinal, halt(play, 2))


def test_who_was_told_to_move_after_a_withdrawal_may_still_be_there_when_the_table_halts():
    play = Play(terms(**{**TERMS, "entries": 5, "seats": 3, "rule_set": "tda"})).begin()
    play.must(OPEN)
    play.must(WithdrawCancellation(author="ops_2", reason="a drill"))
    loser = play.state.tables["tbl_0001_2"].seats[0].player
    while not play.state.moves:
        play.end_hand(2, **{loser: 0})
        play.answer_all_draws()
    ((mover, move),) = play.state.moves.items()
    there = SeatStack(1, mover, move.stack_chips)
    halt(play, int(move.from_table[-1]), hand="", seats=(there,))


def test_a_hand_that_an_operator_has_voided_is_followed_by_the_next_one():
    play = Play(terms(entries=4, **TERMS)).begin()
    table = play.state.tables["tbl_0001_1"]
    fact = HandVoided(
        tournament="trn_0001",
        table=table.table,
        hand=f"hnd_0001_1_{table.hand}",
        number=table.hand,
        author="opr_1",
        reason="the key is lost",
    )
    assert play.tell(replace(fact, author="")) == (), "a table that halts says so itself"
    assert play.tell(replace(fact, number=9)) == ()
    play.tables[table.table].hand = None
    aside, cleared = play.must(fact)
    assert (type(aside), aside.author) == (HandSetAside, "opr_1")
    assert (cleared.table, cleared.number) == (table.table, table.hand + 1)
    assert play.tell(fact) == ()


def test_a_pause_of_the_operators_own_outlasts_the_cancellation():
    play = Play(terms(entries=4, **TERMS)).begin()
    play.must(PauseTournament(author="ops_1", reason="rain"))
    play.must(OPEN)
    assert play.tell(ResumeTournament(author="ops_1")).reason == "cancelling"
    final(play)
    events = play.must(WithdrawCancellation(author="ops_1", reason="dry again"))
    assert not of(TournamentResumed, events)
    assert not of(HandCleared, events)
    assert {why for _, why in reasons(play.state)} == {"paused"}


def test_a_table_that_cannot_halt_is_left_out_by_an_operators_word():
    play = opened()
    halt(play, 1)
    left = LeaveTableOut(table="tbl_0001_2", author="ops_1", reason="its disk is gone")
    (_, sheet) = play.must(left)
    assert isinstance(sheet, SheetFinal)
    assert play.must(left) == ()
    late = play.tables["tbl_0001_2"].end_hand({"ply_003": 2_000, "ply_004": 0})
    assert play.report(late) == (), "its last digested hand counts"
    refused = play.tell(WithdrawCancellation(author="ops_1", reason="back"))
    assert refused == Refused("table_left_out", "tbl_0001_2")


def test_a_table_that_halts_with_other_chips_is_set_aside_and_pays_nobody():
    play = opened()
    table = play.state.tables["tbl_0001_1"]
    forged = tuple(replace(held, stack_chips=held.stack_chips + 1) for held in table.seats)
    with pytest.raises(TableContradictionError, match="halted with other"):
        halt(play, 1, seats=forged)


def test_a_report_that_comes_twice_changes_nothing():
    play = opened()
    fact = of(TableStopped, halt(play, 1))[0]
    again = TableHalted(tournament="trn_0001", table=fact.table, hand=fact.hand, seats=())
    assert play.must(HaltReported(again, fact.upstream, fact.upstream_number)) == ()
    ended = HandEnded(
        tournament="trn_0001",
        table=fact.table,
        hand=fact.hand,
        number=1,
        button_seat=1,
        small_blind_seat=1,
        big_blind_seat=2,
        seats=(SeatAtEnd(1, "ply_001", 0, False), SeatAtEnd(2, "ply_002", 2_000, False)),
    )
    assert play.must(HandReported(ended, fact.upstream, fact.upstream_number - 1)) == ()


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ApproveSheet(author="ops_2", sheet_hash="x"), "not_cancelling"),
        (WithdrawCancellation(author="ops_2", reason="x"), "not_cancelling"),
        (LeaveTableOut(table="tbl_0001_1", author="o", reason="x"), "not_cancelling"),
    ],
)
def test_without_an_open_cancellation_there_is_nothing_to_end(request_, reason):
    assert Play(terms(entries=4, **TERMS)).begin().tell(request_).reason == reason


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (LeaveTableOut(table="tbl_9", author="o", reason="x"), "unknown_table"),
        (LeaveTableOut(table="tbl_0001_1", author="o", reason=""), "reason_invalid"),
        (WithdrawCancellation(author="ops_2", reason=""), "reason_invalid"),
    ],
)
def test_an_operators_word_needs_a_table_and_a_reason(request_, reason):
    assert opened().tell(request_).reason == reason


def test_a_cancellation_is_opened_once():
    play = opened()
    assert play.tell(OPEN) == Refused("already_cancelling", "opened by ops_1")
    play.must(ApproveSheet(author="ops_2", sheet_hash=final(play)))
    assert play.tell(OPEN) == Refused("already_cancelled")


def test_the_sheet_that_was_paid_tells_who_opened_and_who_approved_it():
    play = opened()
    play.must(LeaveTableOut(table="tbl_0001_1", author="ops_3", reason="its disk is gone"))
    halt(play, 2)
    before = sheet_in_full(play.state)
    play.must(ApproveSheet(author="ops_2", sheet_hash=before.sheet_hash))
    paid = sheet_in_full(play.state)
    assert paid == replace(before, stage="approved", approved_by="ops_2")
    assert (paid.opened_by, paid.reason, paid.left_out) == ("ops_1", "fire", ("tbl_0001_1",))


def test_once_it_is_paid_out_no_table_waits_for_anything():
    play = opened()
    sheet_hash = final(play)
    assert reasons(play.state) == (("tbl_0001_1", "cancelling"), ("tbl_0001_2", "cancelling"))
    play.must(ApproveSheet(author="ops_2", sheet_hash=sheet_hash))
    assert reasons(play.state) == ()


def test_a_finished_tournament_is_not_cancelled():
    play = Play(terms(entries=2, **TERMS)).begin()
    play.end_hand(1, ply_002=0)
    assert play.tell(OPEN).reason == "already_finished"
    assert play.tell(ReadSheet()).reason == "not_running"


def test_a_preview_shows_the_sheet_as_of_now_and_binds_nobody():
    play = Play(terms(entries=4, **TERMS)).begin()
    before = play.state
    assert play.must(ReadSheet()) == ()
    page = respond(before, ReadSheet(after=1, limit=2))
    assert [line.player for line in page.lines] == ["ply_002", "ply_003"]
    assert (page.players, page.final, play.state) == (4, False, before)


def test_given_up_before_anybody_has_a_seat_all_who_entered_are_still_in():
    play = Play(terms(entries=4, **TERMS)).enter()
    (sheet,) = of(SheetFinal, play.must(OPEN))
    assert sheet.players == 4
    events = play.must(ApproveSheet(author="ops_2", sheet_hash=sheet.sheet_hash))
    assert sum(due.pool_cents for due in of(PayoutDue, events)) == 4_000
