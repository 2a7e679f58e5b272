"""Scheduled and cancelled tournaments are judged truly: left alone all is true, a wrong is seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge, judge_moment
from shared.contracts.director import (
    ApproveSheet,
    Break,
    BreakBegan,
    CancelTournament,
    GuaranteeDue,
    PlayerUnregistered,
    TournamentCancelled,
    TournamentFinished,
    TournamentStarted,
    Unregister,
    WinnersPrizes,
)
from shared.contracts.table import HandVoided
from shared.contracts.wallet import EntryRefunded, GuaranteePosted, PayoutPaid
from tests.core.cli.tournament_world import TERMS, TOURNAMENT, World, changed, copies_of

CHIPS, JOURNAL, PRIZES = "chips conserved", "journal sums to zero", "prizes = pool"
CANCELLED, TOO_FEW, SHARED = "trn_cancelled", "trn_too_few", "trn_shared"
START_MS = 1_800_000_100_000
SCHEDULED = replace(
    TERMS,
    start_at_ms=START_MS,
    entries=9,
    entries_min=3,
    guarantee_cents=5_000,
    cancellation_charge=1_000,
    prizes=WinnersPrizes((7_000, 3_000)),
    breaks=(Break(1, 60_000),),
)
CHEAP = replace(SCHEDULED, fee_cents=200, commission_cents=20, guarantee_cents=0)
PLAYERS = [f"ply_{number}" for number in range(1, 5)]


@cache
def world():
    """One is played below its maximum, one cancelled, one has too few, one is shared out."""
    found = World(5)
    for tournament, terms in ((CANCELLED, CHEAP), (TOO_FEW, CHEAP), (TOURNAMENT, SCHEDULED)):
        found.announce(tournament, terms)
    for player in PLAYERS:
        found.enter(TOURNAMENT, player)
    for tournament, players in ((CANCELLED, PLAYERS[:3]), (TOO_FEW, PLAYERS[:2])):
        for player in players:
            found.enter(tournament, player)
    assert found.tell("director", CANCELLED, Unregister(player=PLAYERS[0]))
    found.settle()
    assert found.tell("director", CANCELLED, CancelTournament(author="ann", reason="fire"))
    found.settle()
    found.play_on()
    shared_out(found)
    return found


def shared_out(found):
    """A Sit & Go is given up in the middle of a hand."""
    found.announce(SHARED, replace(CHEAP, start_at_ms=0, entries_min=0, entries=4, breaks=()))
    for player in PLAYERS:
        found.enter(SHARED, player)
    for _ in range(40):
        if not found.act():
            found.fire_timers()
        found.settle()
    assert found.tell("director", SHARED, CancelTournament(author="ann", reason="a fault"))
    found.settle()
    sheet = found.states["director", SHARED].cancelling.sheet_hash
    assert found.tell("director", SHARED, ApproveSheet(author="bea", sheet_hash=sheet))
    found.settle()


def events():
    return [event for commit in world().commits for event in commit.events]


def verdicts_of(commits):
    return judge(copies_of(commits))


def false_in(commits):
    return {verdict.name for verdict in verdicts_of(commits) if not verdict.true}


def test_left_alone_all_is_true():
    found = verdicts_of(world().commits)
    assert all(verdict.true for verdict in found), found


def test_there_is_everything_that_is_tampered_with_below():
    kinds = {type(event) for event in events()}
    assert {BreakBegan, GuaranteePosted, TournamentFinished, HandVoided, PayoutPaid} <= kinds
    ends = [event for event in events() if isinstance(event, TournamentCancelled)]
    assert [(end.tournament, end.author, bool(end.sheet_hash)) for end in ends] == [
        (CANCELLED, "ann", False),
        (TOO_FEW, "", False),
        (SHARED, "bea", True),
    ]


def test_a_world_in_which_all_were_cancelled_has_no_money_to_complain_about():
    alone = World(6)
    alone.announce(TOO_FEW, CHEAP)
    alone.enter(TOO_FEW, PLAYERS[0])
    alone.play_on()
    found = {verdict.name: verdict for verdict in verdicts_of(alone.commits)}
    assert found[PRIZES].true, found[PRIZES]
    assert found[JOURNAL].true


@pytest.mark.parametrize("cancelled", [CANCELLED, TOO_FEW, SHARED])
def test_while_refunds_and_shares_are_under_way_they_are_not_held_against_it(cancelled):
    commits = world().commits
    end = next(
        number
        for number, commit in enumerate(commits, 1)
        for event in commit.events
        if isinstance(event, TournamentCancelled) and event.tournament == cancelled
    )
    found = judge_moment({line: copy.rows for line, copy in copies_of(commits[:end]).items()})
    assert all(verdict.true for verdict in found), found


def only(tournament, change):
    return lambda event: change(event) if event.tournament == tournament else None


def more(field, by=1):
    return lambda event: replace(event, **{field: getattr(event, field) + by})


def dropped(_event):
    return ()


def by_cancelling(change):
    return lambda event: change(event) if event.tournament_cancelled else None


def to_another(event):
    moved = [
        replace(posting, account=f"cash/{PLAYERS[3]}")
        if posting.account.startswith("cash/")
        else posting
        for posting in event.postings
    ]
    return replace(event, postings=tuple(moved))


def one_player_less(event):
    return replace(event, players=event.players - 1)


ROWS = [
    # case, events of, change, what must turn false
    ("a player less announced at the start", TournamentStarted, one_player_less, {CHIPS, PRIZES}),
    ("a guarantee never due", GuaranteeDue, dropped, {PRIZES}),
    ("a guarantee never posted", GuaranteePosted, dropped, {JOURNAL, PRIZES}),
    (
        "a pool without the guarantee",
        TournamentStarted,
        only(TOURNAMENT, more("pool_cents", -1_000)),
        {PRIZES},
    ),
    ("less came back than was paid", PlayerUnregistered, more("refund_cents", -1), {PRIZES}),
    ("an entry kept", PlayerUnregistered, by_cancelling(dropped), {PRIZES}),
    ("a refund never paid", EntryRefunded, dropped, {JOURNAL, PRIZES}),
    ("a refund of less", EntryRefunded, more("refund_cents", -1), {PRIZES}),
    ("a refund into another's cash", EntryRefunded, to_another, {JOURNAL, PRIZES}),
    (
        "shared out without a sheet",
        TournamentCancelled,
        only(SHARED, lambda event: replace(event, sheet_hash="")),
        {PRIZES},
    ),
    (
        "finished, and cancelled",
        TournamentCancelled,
        only(TOO_FEW, lambda event: replace(event, tournament=TOURNAMENT)),
        {PRIZES},
    ),
    ("a share never paid", PayoutPaid, dropped, {JOURNAL, PRIZES}),
]


@pytest.mark.parametrize(
    ("kind", "change", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_one_thing_wrong_is_seen(kind, change, expected):
    assert false_in(changed(world().commits, kind, change)) == expected


def test_a_cancelled_tournament_that_keeps_a_part_of_the_price_is_seen():
    """PP-CRASH-REG: director and wallet agree on a refund that is less than the price."""
    commits = changed(world().commits, PlayerUnregistered, by_cancelling(more("refund_cents", -20)))
    entry = next(event.entry for event in events() if is_by_cancelling(event))

    def less(event):
        if event.entry != entry:
            return None
        kept = [
            replace(posting, amount_cents=posting.amount_cents + shift.get(posting.account, 0))
            for posting in event.postings
        ]
        return replace(event, refund_cents=event.refund_cents - 20, postings=tuple(kept))

    shift = {"commission": 20, f"cash/{entry.split('/')[1]}": -20}
    assert PRIZES in false_in(changed(commits, EntryRefunded, less))


def is_by_cancelling(event):
    return isinstance(event, PlayerUnregistered) and event.tournament_cancelled
