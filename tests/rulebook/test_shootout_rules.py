"""BH-SHOOTOUT: autonomous tables, who goes on with what, byes, brackets; places and shares."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from services.director.core import awaiting, chips_in_play, reasons
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.stages import sizes_by_stage
from services.director.core.terms import problems
from shared.contracts.director import (
    Break,
    CancelTournament,
    HandCleared,
    HandForHandBegan,
    LevelBegan,
    MoveDecided,
    SatellitePrizes,
    Stage,
    StageEnded,
    TableFormed,
    TournamentFinished,
    WithdrawCancellation,
)
from shared.contracts.message import TimerFired
from tests.core.director.director_play import START_MS, Play, cleared, of, places, terms, winners
from tests.rulebook.buying import ADD_ON, REBUY

EXAMPLE = (
    Stage(seats=10),
    Stage(seats=9, go_on=5, stacks_chips=(5_000,)),
    Stage(seats=10, stacks_chips=(9_000, 7_000, 6_000, 5_000, 5_000)),
)
HEADS_UP = (
    Stage(seats=2),
    Stage(seats=2, stacks_chips=(1_000,)),
    Stage(seats=2, stacks_chips=(1_000,)),
)
TWO_OF_FOUR = (Stage(seats=4, go_on=2), Stage(seats=4))


def shootout(stages, entries, **changes):
    return terms(seats=stages[0].seats, entries=entries, stages=stages, **changes)


def begin(stages, entries, **changes):
    return Play(shootout(stages, entries, **changes)).begin()


def new_stage(stacks=(), **changes):
    """Two of four go on, twice; they begin the final so."""
    return TWO_OF_FOUR[0], Stage(seats=4, stacks_chips=stacks, **changes)


def dealt_at(play, table):
    return [seat.player for seat in play.tables[f"tbl_0001_{table}"].hand.roster]


def leave(play, table, *left):
    """Bust everybody at a table but these, in one hand."""
    out = {player: 0 for player in dealt_at(play, table) if player not in left}
    return play.end_hand(table, **out)


def stacks(play):
    return {
        player: chips for table in play.tables.values() for player, chips in table.stacks.items()
    }


def test_bh_shootout_the_originals_example():
    """BH-SHOOTOUT: 180 → 18 × 10, the winner goes on → 2 × 9, the first 5 → 10."""
    play = begin(EXAMPLE, 180)
    assert [table.size for table in play.state.tables.open] == [10] * 18
    for table in range(1, 19):
        assert play.state.stage == 1
        leave(play, table, dealt_at(play, table)[0])
    play.answer_all_draws()
    assert [table.size for table in play.state.tables.open] == [9, 9]
    assert {*stacks(play).values()} == {5_000}
    for table in (19, 20):
        leave(play, table, *dealt_at(play, table)[:5])
    play.answer_all_draws()
    assert [table.size for table in play.state.tables.open] == [10]
    assert sorted(stacks(play).values()) == sorted(EXAMPLE[2].stacks_chips * 2)
    events = leave(play, 21, dealt_at(play, 21)[0])
    (finished,) = of(TournamentFinished, events)
    assert len(finished.places) == 180
    assert not of(MoveDecided, play.events)
    assert not of(HandForHandBegan, play.events)


@pytest.mark.parametrize(
    ("entries", "sizes"),
    [
        (180, ((10,) * 18, (9, 9), (10,))),
        (124, ((10,) * 7 + (9,) * 6, (7, 6), (10,))),
        (30, ((10,) * 3, (3,), (3,))),
    ],
)
def test_bh_shootout_sizes_are_within_one_at_every_stage(entries, sizes):
    """BH-SHOOTOUT: uneven fields."""
    assert sizes_by_stage(EXAMPLE, entries) == sizes


def test_bh_shootout_tables_are_autonomous():
    """BH-SHOOTOUT: nobody moves, no table waits for another, and one that is done rests."""
    play = begin(TWO_OF_FOUR, 8)
    events = play.end_hand(1, ply_001=0, ply_002=0)
    assert cleared(events) == []
    assert play.state.tables["tbl_0001_1"].size == 2
    assert reasons(play.state) == (("tbl_0001_1", "stage_over"),)
    assert cleared(play.end_hand(2, ply_005=0)) == ["2"]
    events = play.end_hand(2, ply_006=0)
    assert [ended.number for ended in of(StageEnded, events)] == [1]
    assert awaiting(play.state).purpose == "seats"
    assert sorted(awaiting(play.state).candidates) == ["ply_003", "ply_004", "ply_007", "ply_008"]


def test_bh_shootout_chips_carried_over():
    """BH-SHOOTOUT: no chip comes or goes between such stages."""
    play = begin(TWO_OF_FOUR, 8)
    play.end_hand(1, ply_001=0, ply_002=0)
    play.end_hand(2, ply_005=0, ply_006=0)
    before = {s.player: s.stack_chips for s in play.state.going_on}
    assert chips_in_play(play.state) == 8_000
    play.answer_all_draws()
    assert stacks(play) == before
    assert before == {"ply_003": 3_000, "ply_004": 1_000, "ply_007": 3_000, "ply_008": 1_000}


def test_bh_shootout_stacks_by_rank_depend_on_chips_at_the_table_before():
    """BH-SHOOTOUT: the k left are ranked by chips; equal ones nearest to the dealer first."""
    play = begin(new_stage((5_000, 2_000)), 8)
    play.end_hand(1, ply_001=0, ply_002=0, ply_003=1_500)
    (ended,) = of(StageEnded, play.end_hand(2, ply_005=0, ply_006=0, ply_007=2_000))
    assert [(s.player, s.rank, s.stack_chips) for s in ended.standings[:2]] == [
        ("ply_004", 1, 5_000),
        ("ply_003", 2, 2_000),
    ]
    button = of(TableFormed, play.events)[1].button_seat
    assert button == 1
    assert [(s.player, s.rank) for s in ended.standings[2:]] == [("ply_008", 1), ("ply_007", 2)]
    assert chips_in_play(play.state) == 14_000


def test_bh_shootout_more_busts_than_had_to_go_are_ranked_by_pp_ties():
    """PP-TIES: three of four out at once where two go on to new stacks: the best of them does."""
    play = begin(new_stage((1_000,)), 8)
    play.end_hand(1, ply_001=900, ply_002=1_100, ply_003=1_050)
    events = play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    assert places(events) == {"ply_001": 8, "ply_003": 7}
    assert chips_in_play(play.state) == 8_000
    (ended,) = of(StageEnded, play.end_hand(2, ply_005=0, ply_006=0))
    assert [(s.player, s.rank) for s in ended.standings[:2]] == [("ply_004", 1), ("ply_002", 2)]
    play.answer_all_draws()
    assert sorted(stacks(play).values()) == [1_000] * 4


def test_bh_ranking_without_chips_to_carry_over_a_player_is_out():
    """BH-RANKING: 0 chips = out; fewer go on."""
    play = begin(TWO_OF_FOUR, 8)
    play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    (ended,) = of(StageEnded, play.end_hand(2, ply_005=0, ply_006=0))
    assert [s.player for s in ended.standings] == ["ply_004", "ply_007", "ply_008"]


def test_bh_ranking_within_a_stage_by_time():
    """BH-RANKING: wherever they sit; whoever falls in a later stage is placed above."""
    play = begin(TWO_OF_FOUR, 8, prizes=winners(6_000, 2_000, 1_000, 1_000))
    assert places(play.end_hand(2, ply_005=0)) == {"ply_005": 8}
    assert places(play.end_hand(1, ply_001=0)) == {"ply_001": 7}
    play.end_hand(1, ply_002=0)
    play.end_hand(2, ply_006=0)
    play.answer_all_draws()
    table = play.state.tables["tbl_0001_3"]
    first = table.seats[0].player
    assert places(play.end_hand(3, **{first: 0})) == {first: 4}


def test_bh_shootout_heads_up_brackets_with_a_bye():
    """BH-SHOOTOUT: five players: 2 + 2 + 1, then 2 + 1, then two."""
    play = begin(HEADS_UP, 5)
    assert [table.size for table in play.state.tables.open] == [2, 2, 1]
    assert cleared(play.events) == ["1", "2"]
    assert reasons(play.state) == (("tbl_0001_3", "stage_over"),)
    for table in (1, 2):
        leave(play, table, dealt_at(play, table)[0])
    play.answer_all_draws()
    assert [table.size for table in play.state.tables.open] == [2, 1]
    leave(play, 4, dealt_at(play, 4)[0])
    play.answer_all_draws()
    events = leave(play, 6, dealt_at(play, 6)[1])
    assert isinstance(events[-1], TournamentFinished)
    assert [placing.place for placing in events[-1].places] == [1, 2, 3, 4, 5]
    assert {*stacks(play)} == set()


def test_bh_shootout_so_few_that_one_table_plays_to_its_winner():
    """BH-SHOOTOUT, BH-MTT: no further stage is needed."""
    play = Play(shootout(EXAMPLE, 180, start_at_ms=START_MS + 10, prizes=winners(10_000)))
    play.enter("ply_a", "ply_b", "ply_c")
    play.now_ms += 10
    play.must(TimerFired(name="start"))
    play.answer_all_draws()
    events = leave(play, 1, "ply_a")
    assert isinstance(events[-1], TournamentFinished)
    assert not of(StageEnded, play.events)


def test_bh_shootout_a_stage_begins_in_its_own_level():
    """BH-SHOOTOUT: the lobby tells the level; without one the levels go on."""
    play = begin(new_stage((1_000,), first_level=1), 8)
    play.now_ms += 61_000
    assert [began.number for began in of(LevelBegan, play.end_hand(1, ply_001=0))] == [2]
    play.end_hand(1, ply_002=0)
    play.end_hand(2, ply_005=0, ply_006=0)
    seats = len(play.events)
    play.answer_all_draws()
    (began,) = of(LevelBegan, play.events[seats:])
    assert (began.number, began.ends_at_ms) == (1, play.now_ms + 60_000)
    assert {hand.level_number for hand in of(HandCleared, play.events[seats:])} == {1}


def test_bh_shootout_a_break_ends_before_the_next_stage_begins():
    """A stage that ends in a break; its own level begins when the break is over."""
    play = begin(new_stage((1_000,), first_level=1), 8, breaks=(Break(1, 30_000),))
    play.end_hand(1, ply_001=0, ply_002=0)
    play.now_ms += 61_000
    play.end_hand(2, ply_005=0, ply_006=0)
    play.answer_all_draws()
    assert (play.state.resting, play.state.level_due) == (True, 1)
    assert play.state.stage == 2


def test_bh_shootout_a_draw_between_stages_survives_a_cancellation_that_is_withdrawn():
    """PP-ROLLFORWARD: the sheet is of those who go on, with the chips that they go on with."""
    play = begin(new_stage((5_000, 2_000)), 8)
    play.end_hand(1, ply_001=0, ply_002=0)
    play.end_hand(2, ply_005=0, ply_006=0)
    play.must(CancelTournament(author="ope_1", reason="a fault"))
    sheet = sheet_now(play.state)
    assert sorted(line.chips for line in sheet.players) == [2_000, 2_000, 5_000, 5_000]
    assert sum(line.total_cents for line in sheet.players) == 8_000 + sheet.operator_top_up_cents
    play.must(WithdrawCancellation(author="ope_1", reason="it was none"))
    play.answer_all_draws()
    assert len(stacks(play)) == 4


def test_bh_rf1_who_goes_on_without_chips_is_still_in():
    """BH-RF1: the entry comes back to them as well; of chips they are counted one."""
    play = begin(new_stage((1_000,)), 8)
    play.end_hand(1, ply_003=1_200)
    play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    play.must(CancelTournament(author="ope_1", reason="a fault"))
    lines = {line.player: line for line in sheet_now(play.state).players}
    assert lines["ply_003"].chips == 1
    assert lines["ply_003"].certain_cents == 1_100


@pytest.mark.parametrize(
    ("case", "stages", "changes", "problem"),
    [
        ("one", EXAMPLE[:1], {}, "2 to 12; one alone is a freeze-out"),
        ("all go on", (Stage(seats=10, go_on=10), EXAMPLE[1]), {}, "stage 1: at least one goes on"),
        ("none go on", (Stage(seats=10, go_on=0), EXAMPLE[1]), {}, "stage 1: at least one goes on"),
        (
            "two winners",
            (*EXAMPLE[:2], Stage(seats=10, go_on=2)),
            {},
            "the last one has one winner",
        ),
        (
            "too many",
            (EXAMPLE[0], Stage(seats=9)),
            {},
            "180 players come to 2 tables in the last stage",
        ),
        (
            "seats",
            EXAMPLE,
            {"seats": 9},
            "stage 1: seats and starting_chips are those of the terms",
        ),
        ("level", (EXAMPLE[0], Stage(seats=10, first_level=4)), {}, "first_level is one of the"),
        (
            "ranks",
            (TWO_OF_FOUR[0], Stage(seats=4, stacks_chips=(3, 2, 1))),
            {},
            "2, one for each",
        ),
        ("rising", (TWO_OF_FOUR[0], Stage(seats=4, stacks_chips=(1, 2))), {}, "never rise"),
        ("nothing", (EXAMPLE[0], Stage(seats=9, stacks_chips=(0,))), {}, "stacks are from 1"),
        ("chairs", (EXAMPLE[0], Stage(seats=11)), {}, "stage 2: 2 to 10 seats"),
        ("satellite", EXAMPLE, {"prizes": SatellitePrizes(winners=1_000)}, "a satellite has none"),
        (
            "tda",
            EXAMPLE,
            {"rule_set": "tda", "final_table_players": 10},
            "final_table_players is 0",
        ),
    ],
)
def test_bh_shootout_terms_that_contradict_themselves_are_refused(case, stages, changes, problem):
    """PP-LOBBY: for any number of players that may come."""
    chosen = shootout(stages, 180, prizes=winners(10_000))
    found = problems(replace(chosen, **changes))
    assert any(problem in one for one in found), (case, found)


@pytest.mark.parametrize(
    "sold",
    [{"start_at_ms": 1, "late_levels": 1}, {"rebuy": REBUY}, {"add_on": ADD_ON}],
)
def test_bh_shootout_sells_nothing_after_the_start(sold):
    """BH-SHOOTOUT: tables are autonomous, and each plays with the chips that it began with."""
    chosen = shootout(EXAMPLE, 180, prizes=winners(10_000))
    found = "nothing is sold after the start of a shoot-out: its tables are autonomous"
    assert problems(replace(chosen, **sold)) == (found,)


def test_bh_shootout_terms_hold_for_every_number_of_players():
    """BH-SHOOTOUT: fewer than the most may come, and one table is left for the last stage."""
    assert problems(shootout(EXAMPLE, 180, start_at_ms=1, prizes=winners(10_000))) == ()
    for entries in range(2, 181):
        by_stage = sizes_by_stage(EXAMPLE, entries)
        assert len(by_stage[-1]) == 1
        assert all(sum(after) <= sum(before) for before, after in pairwise(by_stage))
