"""Standings and feed from the director's facts alone: the same as of any commit."""

from random import Random

from msgspec.structs import replace

from services.gateway.shell.api.standings import NextBreak, next_break
from services.gateway.shell.standings import Standings
from services.gateway.shell.tournament import CurrentBreak, CurrentLevel, Tournament
from shared.contracts.director import (
    BountyDue,
    Break,
    DeclineRebuy,
    Level,
    MoveDecided,
    PlayerEliminated,
    PrizeDue,
    Rebuy,
    Register,
    Stage,
    TableFormed,
)
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.director.director_play import TOURNAMENT, Play, of, terms
from tests.core.gateway.facts import DIRECTOR, TABLES, Lines
from tests.rulebook.buying import REBUY, buys, late

PLAYERS = 23


def played():
    """Let a tournament be played, and fold each of its commits."""
    lines, standings = Lines(), Standings()

    def fold(play):
        standings.fold(lines.commit(DIRECTOR, TOURNAMENT, *play.commits[-1]))
        standing = standings.get(TOURNAMENT)
        if play.state.in_play and play.state.phase == "running":
            stacks = {p: c for t in play.tables.values() for p, c in t.stacks.items()}
            stacks |= {fact.player: fact.stack_chips for fact in play.vacated}
            assert {p: held.stack_chips for p, held in standing.holdings.items()} == stacks
            ranked = [held.stack_chips for _, held in standing.ranked()]
            assert ranked == sorted(stacks.values(), reverse=True)
            assert sum(ranked) == PLAYERS * play.terms.starting_chips

    play = Play(terms(entries=PLAYERS, seats=5), fold)
    play.enter()
    chance = Random(3)
    while play.state.phase == "running":
        play.happen(chance)
    return play, standings.get(TOURNAMENT)


def test_stacks_are_the_tables_own_and_the_feed_tells_who_went_and_won():
    play, standing = played()
    assert not standing.holdings
    told = [(happened.what, happened.player, happened.place) for happened in standing.feed]
    assert told[0] == ("announced", "", 0)
    assert told[-1] == ("finished", "", 0)
    for kind, what in ((PlayerEliminated, "eliminated"), (PrizeDue, "prize")):
        wanted = [(what, event.player, event.place) for event in of(kind, play.events)]
        assert [entry for entry in told if entry[0] == what] == wanted
    numbers = [happened.number for happened in standing.feed]
    assert numbers == sorted(numbers)
    assert standing.number == len(play.commits)


def test_stages_and_bounties_are_told_and_who_goes_on_keeps_a_stack():
    lines, standings = Lines(), Standings()

    def fold(play):
        standings.fold(lines.commit(DIRECTOR, TOURNAMENT, *play.commits[-1]))

    stages = (Stage(seats=4, go_on=2), Stage(seats=4, stacks_chips=(5_000, 2_000)))
    chosen = terms(entries=8, seats=4, stages=stages, bounty_cents=100, progressive=True)
    play = Play(chosen, fold).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    play.end_hand(2, ply_005=0, ply_006=0)
    standing = standings.get(TOURNAMENT)
    assert sorted((h.seat, h.stack_chips) for h in standing.holdings.values()) == [
        (None, 2_000),
        (None, 2_000),
        (None, 5_000),
        (None, 5_000),
    ]
    told = [(happened.what, happened.knocked_out, happened.stage) for happened in standing.feed]
    assert ("stage_ended", "", 1) in told
    assert [knocked_out for what, knocked_out, _ in told if what == "bounty"] == [
        event.knocked_out for event in of(BountyDue, play.events)
    ]
    play.answer_all_draws()
    assert {held.table for held in standing.holdings.values()} == {"tbl_0001_3"}
    assert all(held.seat for held in standing.holdings.values())


def test_bounties_are_told_as_they_are_to_be_won_now():
    """BH-REBUY: half of a progressive one is added; a rebuy brings a new one."""
    lines, standings = Lines(), Standings()

    def fold(play):
        standings.fold(lines.commit(DIRECTOR, TOURNAMENT, *play.commits[-1]))

    play = late(4, rebuy=REBUY, bounty_cents=300, progressive=True, after_commit=fold)
    play.end_hand(1, by=("ply_002",), ply_001=0)
    standing = standings.get(TOURNAMENT)
    assert standing.bounties == {"ply_002": 450, "ply_003": 300, "ply_004": 300}
    (told,) = [one for one in standing.feed if one.what == "bounty"]
    assert (told.amount_cents, told.added_cents) == (150, 150)
    buys(play, Rebuy(player="ply_001"))
    assert standing.bounties["ply_001"] == 300


def test_who_comes_late_or_again_is_seated_and_who_changes_tables_has_moved():
    lines, standings = Lines(), Standings()

    def fold(play):
        standings.fold(lines.commit(DIRECTOR, TOURNAMENT, *play.commits[-1]))

    play = late(6, rebuy=REBUY, after_commit=fold)
    play.end_hand(2, ply_006=0)
    buys(play, Rebuy(player="ply_006"))
    buys(play, Register(player="ply_007"))
    play.answer_all_draws()
    for player in ("ply_001", "ply_002", "ply_003"):
        play.end_hand(1, **{player: 0})
        play.must(DeclineRebuy(player=player))
    play.end_hand(2)
    play.answer_all_draws()
    play.arrive()
    told = [(one.what, one.player) for one in standings.get(TOURNAMENT).feed]
    assert [who for what, who in told if what == "seated"] == ["ply_006", "ply_007"]
    moving = [event.player for event in of(MoveDecided, play.events)]
    assert moving
    assert [who for what, who in told if what == "moved"] == moving


def test_who_opens_a_new_table_late_is_seated_there():
    """PP-ENTRY: all chairs are taken; nobody else of the first tables or a new stage is told."""
    lines, standings = Lines(), Standings()

    def fold(play):
        standings.fold(lines.commit(DIRECTOR, TOURNAMENT, *play.commits[-1]))

    play = late(4, after_commit=fold)
    buys(play, Register(player="ply_005"))
    told = [(one.what, one.player, one.table) for one in standings.get(TOURNAMENT).feed]
    assert [line for line in told if line[0] == "seated"] == [("seated", "ply_005", "tbl_0001_2")]
    stages = (Stage(seats=4, go_on=2), Stage(seats=4, go_on=1))
    play = Play(terms(entries=8, seats=4, stages=stages), fold).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    play.end_hand(2, ply_005=0, ply_006=0)
    play.answer_all_draws()
    assert of(TableFormed, play.events)[-1].number == 3
    assert [one.what for one in standings.get(TOURNAMENT).feed].count("seated") == 1


def test_commits_of_other_lines_are_none_of_its_facts():
    standings = Standings()
    standings.fold(Lines().commit(TABLES, "tbl_1_1"))
    assert standings.get("tbl_1_1") is None


def test_the_next_break_is_told_with_its_moment_where_levels_end_by_time():
    levels = (Level(10, 20), Level(20, 40), Level(40, 80), Level(80, 160))
    known = Tournament(
        tournament=TOURNAMENT,
        terms=terms(levels=levels, level_ms=1_000, breaks=(Break(1, 50), Break(3, 70))),
        rule_set=BIG_HOLDEM,
        status="running",
        level=CurrentLevel(1, levels[0], 5_000),
    )
    assert next_break(known) == NextBreak(1, 50, 5_000)
    second = replace(known, level=CurrentLevel(2, levels[1], 6_000))
    assert next_break(second) == NextBreak(3, 70, 7_000)
    resting = replace(known, on_break=CurrentBreak(1, 5_050))
    assert next_break(resting) == NextBreak(3, 70, None)
    by_hands = replace(known, level=CurrentLevel(1, levels[0], None))
    assert next_break(by_hands) == NextBreak(1, 50, None)
    assert next_break(replace(known, level=CurrentLevel(4, levels[3], None))) is None
    assert next_break(replace(known, status="finished")) is None
