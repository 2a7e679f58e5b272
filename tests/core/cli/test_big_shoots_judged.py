"""A Big Shoot through real tables, dealer and wallet; wrongs between its stages are seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.regulator.messages import sessions_of
from services.cli.verdicts import judge, judge_moment
from services.cli.verdicts.history import history_of
from services.cli.wallet.acts import acts_of
from services.cli.wallet.reconciling import reconcile
from services.wallet.core.ledger import balance_of, cash, pool
from shared.contracts.director import (
    BigShoot,
    EntryDeclined,
    PlayerRegistered,
    PlayersQualified,
    PrizeDue,
    QualifiersNamed,
    QualifyingPrizes,
    Register,
    StagePrizeDue,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
    WinnersPrizes,
    Withdraw,
)
from shared.contracts.wallet import Deposit, PoolCarried, StagePrizePaid
from tests.core.cli.tournament_world import TERMS, World, changed, copies_of

FINAL, FEEDERS = "trn_final", ("trn_one", "trn_two")
PRIZES = QualifyingPrizes(winners=5_000, target=FINAL, withdrawal_cents=700)
FEEDER = replace(TERMS, entries=4, prizes=PRIZES, big_shoot=BigShoot(series=FINAL, stage=1))
LAST = replace(
    TERMS,
    fee_cents=0,
    commission_cents=0,
    prizes=WinnersPrizes((10_000,)),
    start_at_ms=1_800_000_000_001,
    big_shoot=BigShoot(series="", stage=2, fed_by=2),
)


@cache
def world():
    """Two of four qualify, twice; one withdraws and is in again, as is one who was out."""
    found = World(5, FEEDER)
    found.announce(FINAL, LAST)
    for feeder in FEEDERS:
        found.announce(feeder, FEEDER)
    for number in range(1, 5):
        found.enter(FEEDERS[0], f"ply_{number}")
    found.play_on()
    stays, leaves = of(found, QualifiersNamed)[0].players
    out = next(player for player in found.people if player not in (stays, leaves))
    assert not found.tell("director", FINAL, Withdraw(player=out))
    assert found.tell("director", FINAL, Withdraw(player=leaves))
    assert not found.tell("director", FINAL, Withdraw(player=stays))
    found.settle()
    for player in (out, stays, leaves, "ply_5", "ply_6"):
        more = Deposit(player=player, amount_cents=2_000, reference=f"more-{player}")
        found.tell("wallet", "journal", more)
        found.enter(FEEDERS[1], player)
    found.play_on()
    return found


def of(found, kind):
    return [event for commit in found.commits for event in commit.events if isinstance(event, kind)]


def history(found):
    return history_of({line: copy.rows for line, copy in copies_of(found.commits).items()})


def acts(found):
    return [
        act
        for line, copy in copies_of(found.commits).items()
        if line.service in ("director", "wallet")
        for act in acts_of(copy.rows, str(line))
    ]


def false(commits):
    return [verdict.name for verdict in judge(copies_of(commits)) if not verdict.true]


def test_all_verdicts_hold():
    verdicts = judge(copies_of(world().commits))
    assert [verdict for verdict in verdicts if not verdict.true] == []
    (pool,) = [verdict.detail for verdict in verdicts if verdict.name == "prizes = pool"]
    assert pool == "80.00 collected, paid as 1 prizes and 1 parts instead of playing on"
    assert reconcile(history(world())).wrong == ()
    assert len(of(world(), TournamentFinished)) == 3


def test_bh_bigshoot_at_every_moment_what_is_under_way_is_not_held_against_it():
    """BH-BIGSHOOT: a pool that is on its way from stage to stage is nowhere missing."""
    commits = world().commits
    kinds = (TournamentFinished, PoolCarried, PlayersQualified, StagePrizeDue, StagePrizePaid)
    moments = [
        number
        for number, commit in enumerate(commits, 1)
        if any(isinstance(event, kinds) for event in commit.events)
    ]
    for number in moments:
        copies = copies_of(commits[:number])
        verdicts = judge_moment({line: copy.rows for line, copy in copies.items()})
        assert [verdict for verdict in verdicts if not verdict.true] == []


def test_bh_bigshoot_money_in_is_prizes_and_commission():
    """BH-BIGSHOOT: eight prices; the winner has all but what was withdrawn."""
    found = world()
    wallet = found.states["wallet", "journal"]
    assert [carried.amount_cents for carried in of(found, PoolCarried)] == [4_000, 4_000]
    assert [paid.amount_cents for paid in of(found, StagePrizePaid)] == [700]
    assert [due.amount_cents for due in of(found, PrizeDue)] == [8_000 - 700]
    assert not any(balance_of(wallet, pool(one)) for one in (FINAL, *FEEDERS))
    assert balance_of(wallet, "commission") == 8 * 100
    brought = balance_of(wallet, "external") + sum(
        balance_of(wallet, cash(player)) for player in found.people
    )
    assert brought + balance_of(wallet, "promotions") == -8 * 100
    assert of(found, TournamentStarted)[2].players == 3
    assert {named.withdrawal_cents for named in of(found, PlayersQualified)} == {700}


def test_bh_bigshoot_who_is_out_or_has_withdrawn_is_in_again_and_the_other_is_not():
    """BH-BIGSHOOT."""
    found = world()
    (declined,) = of(found, EntryDeclined)
    stays, leaves = of(found, QualifiersNamed)[0].players
    assert (declined.player, declined.reason) == (stays, "still_in_big_shoot")
    registered = of(found, PlayerRegistered)
    assert leaves in {one.player for one in registered if one.tournament == FEEDERS[1]}
    assert found.tell("director", FINAL, Register(player="ply_9")) is False


def test_bp_regulator_ids_each_stage_is_a_session_that_ends():
    """BP-REGULATOR-IDS: rights are sold in stage 1, what is won is told in the final."""
    sessions = {session.tournament: session for session in sessions_of(acts(world()))}
    assert all(session.missing == () for session in sessions.values())
    codes = {name: [one.code for one in session.messages] for name, session in sessions.items()}
    assert codes[FINAL].count(220) == 0
    assert codes[FEEDERS[0]].count(220) == 4
    assert sessions[FINAL].messages[-1].amount_cents == 8_000
    assert all(one.session_id for session in sessions.values() for one in session.messages)
    (went_on,) = [one.players for one in sessions[FEEDERS[1]].messages if one.code == 260]
    assert went_on == of(world(), QualifiersNamed)[1].players
    unpaid = [act for act in acts(world()) if not isinstance(act.event, StagePrizePaid)]
    last = {session.tournament: session.missing for session in sessions_of(unpaid)}
    assert last[FINAL] == ("the session has not ended",)


def alone():
    """One of two goes on to a second stage, and is the only one there, and so in the final."""
    found = World(6, FEEDER)
    on = QualifyingPrizes(winners=5_000, target=FINAL)
    later = replace(LAST, big_shoot=BigShoot(series=FINAL, stage=2, fed_by=1), prizes=on)
    to_middle = replace(PRIZES, target="trn_middle")
    found.announce(FINAL, replace(LAST, big_shoot=BigShoot(series="", stage=3, fed_by=1)))
    found.announce("trn_middle", later)
    found.announce("trn_one", replace(FEEDER, entries=2, prizes=to_middle))
    for player in ("ply_1", "ply_2"):
        found.enter("trn_one", player)
    found.play_on()
    return found


def test_bh_bigshoot_a_bye_is_judged_and_told_as_a_stage_that_was_passed():
    """BH-BIGSHOOT, BP-REGULATOR-IDS: nobody is paid there, nobody has chips; the session ends."""
    found = alone()
    assert [verdict for verdict in judge(copies_of(found.commits)) if not verdict.true] == []
    assert reconcile(history(found)).wrong == ()
    assert [carried.amount_cents for carried in of(found, PoolCarried)] == [2_000, 2_000]
    assert [paid.tournament for paid in of(found, StagePrizePaid)] == [FINAL]
    sessions = {session.tournament: session for session in sessions_of(acts(found))}
    middle = sessions["trn_middle"]
    assert [one.code for one in middle.messages] == [200, 240, 250, 260, 300]
    assert all(session.missing == () for session in sessions.values())


def test_who_is_alone_is_passed_on_from_no_other_tournament():
    def to_a_freeze_out(event):
        is_middle = event.tournament == "trn_middle"
        return replace(event, terms=replace(event.terms, prizes=LAST.prizes)) if is_middle else None

    assert "chips conserved" in false(changed(alone().commits, TournamentCreated, to_a_freeze_out))


def less(event):
    return replace(event, amount_cents=event.amount_cents - 1)


def another(event):
    return replace(event, players=(*event.players[1:], "ply_9"))


def offering_more(event):
    return replace(event, withdrawal_cents=event.withdrawal_cents + 1)


def dearer(event):
    return replace(event, fee_cents=event.fee_cents + 1)


def a_freeze_out(event):
    prizes = WinnersPrizes((5_000, 5_000))
    terms = replace(event.terms, prizes=prizes)
    return None if event.tournament == FINAL else replace(event, terms=terms)


@pytest.mark.parametrize(
    ("verdict", "kind", "change"),
    [
        ("prizes = pool", QualifiersNamed, less),
        ("prizes = pool", QualifiersNamed, another),
        ("prizes = pool", QualifiersNamed, offering_more),
        ("prizes = pool", PoolCarried, offering_more),
        ("prizes = pool", PlayersQualified, offering_more),
        ("prizes = pool", PlayersQualified, dearer),
        ("prizes = pool", PlayersQualified, less),
        ("prizes = pool", PlayersQualified, another),
        ("prizes = pool", StagePrizeDue, less),
        ("prizes = pool", StagePrizePaid, less),
        ("prizes = pool", StagePrizePaid, lambda event: ()),
        ("prizes = pool", PoolCarried, less),
        ("journal sums to zero", PoolCarried, lambda event: ()),
        ("chips conserved", TournamentCreated, a_freeze_out),
    ],
)
def test_a_wrong_is_seen(verdict, kind, change):
    assert verdict in false(changed(world().commits, kind, change))
