"""What holds after every commit of whole shoot-outs and satellites, from 2 to 200 players."""

from collections import Counter
from random import Random

import msgspec
import pytest

from services.director.core import DECIDER, awaiting, chips_in_play, is_live, reasons
from services.director.core.stages import sizes_by_stage
from services.director.core.terms import problems
from shared.contracts.director import (
    ApproveSheet,
    BountyDue,
    CancelTournament,
    DirectorEvent,
    MoveDecided,
    PayoutDue,
    PlayerEliminated,
    PrizeDue,
    SatellitePrizes,
    Stage,
    StageEnded,
    StandardPrizes,
    TournamentFinished,
)
from shared.kernel.pmap import dec_hook, enc_hook
from shared.poker.rule_sets import PRESETS
from tests.core.director.director_play import Play, equal_winners, of, terms
from tests.core.director.test_interrupted_laws import halt_all

COMMITS_MAX = 40_000
FEE_CENTS = 997


def stages_for(entries, chance):
    """Draw stages that leave one table of so many players."""
    stages, players, least = [], entries, chance.randint(1, 3)
    while players > 10 or len(stages) < least:
        seats = chance.randint(2, 10) if len(stages) < 4 else 10
        go_on = chance.choice((1, chance.randint(1, seats - 1))) if len(stages) < 4 else 1
        stages.append(stage(seats, go_on, stages, chance))
        players = after(stages, entries)
    return (*stages, stage(chance.randint(max(players, 2), 10), 1, stages, chance))


def after(stages, entries):
    sizes = sizes_by_stage(tuple(stages), entries)[-1]
    return sum(min(size, stages[-1].go_on) for size in sizes)


def stage(seats, go_on, before, chance):
    if not before:
        return Stage(seats=seats, go_on=go_on)
    by_rank = tuple(sorted(chance.randint(1, 5_000) for _ in range(before[-1].go_on))[::-1])
    return Stage(
        seats=seats,
        go_on=go_on,
        stacks_chips=chance.choice(((), (chance.randint(1, 5_000),), by_rank)),
        first_level=chance.choice((0, 1, 3)),
    )


def shootout(entries, chance):
    stages = stages_for(entries, chance)
    return terms(
        rule_set=chance.choice(sorted(PRESETS)),
        entries=entries,
        seats=stages[0].seats,
        stages=stages,
        fee_cents=FEE_CENTS,
        prizes=chance.choice((StandardPrizes(), equal_winners(chance.randint(1, entries)))),
        **bounty(chance),
    )


def bounty(chance):
    cents = chance.choice((0, chance.randint(1, FEE_CENTS - 1)))
    return {"bounty_cents": cents, "progressive": cents > 0 and chance.random() < 0.5}


def satellite(entries, chance):
    fixed = SatellitePrizes(prize_cents=chance.randint(FEE_CENTS + 1, 20 * FEE_CENTS))
    share = SatellitePrizes(winners=chance.randint(1, 9_999), target="trn_final")
    return terms(
        rule_set=chance.choice(sorted(PRESETS)),
        entries=entries,
        seats=chance.randint(2, 10),
        fee_cents=FEE_CENTS,
        prizes=chance.choice((fixed, share)),
        **bounty(chance),
    )


def check(play):
    """Chips are constant within a stage, one seat a player, and a reason for every rest."""
    state = play.state
    ends = of(StageEnded, play.events)
    whole = play.terms.entries * play.terms.starting_chips
    if ends:
        whole = sum(standing.stack_chips for standing in ends[-1].standings)
    if state.seating or state.tables or state.places or state.going_on:
        assert chips_in_play(state) == whole
    if state.tables:
        at_tables = sum(sum(table.stacks.values()) for table in play.tables.values())
        assert at_tables + sum(fact.stack_chips for fact in play.vacated) == whole
        check_seats(state)


def check_seats(state):
    held = [
        (table.table, seat)
        for table in state.tables.values()
        for seat in table.seats + table.arriving
    ]
    assert set(Counter(seat.player for _, seat in held).values()) == {1}
    assert set(Counter((table, seat.seat) for table, seat in held).values()) == {1}
    assert state.left == len(held) + sum(map(len, state.unranked))
    running = state.phase == "running"
    at_rest = [table.table for table in state.tables.values() if running and not table.playing]
    assert [table for table, _ in reasons(state)] == at_rest


def play_out(chosen, seed):
    assert problems(chosen) == ()
    play, chance = Play(chosen, check).enter(), Random(seed)
    while is_live(play.state):
        assert len(play.commits) < COMMITS_MAX
        play.happen(chance)
    return play


def check_ended(play):
    """Everybody is ranked once; what was paid in is what is won; nothing is left to do."""
    entries, finished = play.terms.entries, play.events[-1]
    assert isinstance(finished, TournamentFinished)
    assert [placing.place for placing in finished.places] == list(range(1, entries + 1))
    assert len({placing.player for placing in finished.places}) == entries
    prizes = [placing.prize_cents for placing in finished.places]
    bounties = [event.amount_cents for event in of(BountyDue, play.events)]
    assert sum(bounties) == entries * play.terms.bounty_cents
    assert sum(prizes) + sum(bounties) == entries * FEE_CENTS
    assert dict(play.state.bounties.items()) == {}
    assert prizes == sorted(prizes, reverse=True)
    due = {event.place: event.amount_cents for event in of(PrizeDue, play.events)}
    assert due == {p.place: p.prize_cents for p in finished.places if p.prize_cents}
    out = [event.place for event in of(PlayerEliminated, play.events)]
    assert sorted(out) == list(range(entries - len(out) + 1, entries + 1))
    assert play.outstanding() == []
    assert awaiting(play.state) is None
    assert play.state == DECIDER.fold(play.events)


@pytest.mark.parametrize("seed", range(60))
def test_shootouts_end_and_keep_the_laws(seed):
    """BH-SHOOTOUT: as many stages as planned, or fewer when one table was enough."""
    chance = Random(seed)
    play = play_out(
        shootout(chance.choice((2, 3, 5, chance.randint(6, 60), chance.randint(30, 60))), chance),
        seed,
    )
    check_ended(play)
    assert not of(MoveDecided, play.events)
    numbers = [ended.number for ended in of(StageEnded, play.events)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) < len(play.terms.stages)


@pytest.mark.parametrize("seed", range(60))
def test_satellites_end_and_keep_the_laws(seed):
    """BH-SATELLITE: all prizes are equal but the rest, and only whole ones are tickets."""
    chance = Random(seed)
    play = play_out(satellite(chance.choice((2, 3, chance.randint(4, 60))), chance), seed)
    check_ended(play)
    prizes = [event.amount_cents for event in of(PrizeDue, play.events)]
    whole = {event.amount_cents for event in of(PrizeDue, play.events) if event.ticket_for}
    assert whole <= {max(prizes)}


@pytest.mark.parametrize("kind", [shootout, satellite])
@pytest.mark.parametrize("seed", range(40))
def test_given_up_at_any_moment_every_cent_goes_somewhere(kind, seed):
    """BH-RF1, BH-RF2, PP-ROLLFORWARD: the pool is paid out as prizes, bounties and shares."""
    chance = Random(seed)
    play = Play(kind(chance.randint(3, 40), chance), check).enter()
    for _ in range(chance.randint(0, 150)):
        if is_live(play.state):
            play.happen(chance)
    if not is_live(play.state):
        return
    play.must(CancelTournament(author="ops_1", reason="fire"))
    halt_all(play, chance)
    sheet_hash = play.state.cancelling.sheet_hash
    play.must(ApproveSheet(author="ops_2", sheet_hash=sheet_hash))
    paid = (
        sum(due.amount_cents for due in of(PrizeDue, play.events))
        + sum(due.amount_cents for due in of(BountyDue, play.events))
        + sum(due.pool_cents for due in of(PayoutDue, play.events))
    )
    assert paid == play.terms.entries * FEE_CENTS
    assert dict(play.state.bounties.items()) == {}
    out = {event.player for event in of(PlayerEliminated, play.events)}
    assert out.isdisjoint(due.player for due in of(PayoutDue, play.events))


@pytest.mark.parametrize("kind", [shootout, satellite])
def test_two_hundred_players(kind):
    """BH-SHOOTOUT, BH-SATELLITE: the same chance comes to the same end."""
    found = [play_out(kind(200, Random(7)), 7) for _ in range(2)]
    for play in found:
        check_ended(play)
    assert found[0].events == found[1].events


@pytest.mark.parametrize("kind", [shootout, satellite])
def test_events_and_state_survive_the_wire(kind):
    play = play_out(kind(20, Random(3)), 3)
    wire = msgspec.json.encode(play.events)
    assert msgspec.json.decode(wire, type=list[DirectorEvent]) == play.events
    half = DECIDER.fold(play.events[: len(play.events) // 2])
    kept = msgspec.json.encode(half, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=type(half), dec_hook=dec_hook) == half
