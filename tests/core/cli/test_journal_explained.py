"""The journal's answers to auditors, on a tournament whose every commit is at hand."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts.history import history_of
from services.cli.wallet.acts import Unreadable, acts_of, as_of, moment_of
from services.cli.wallet.explaining import explain
from services.cli.wallet.funds import balances_of, funds_of
from services.cli.wallet.reconciling import reconcile
from shared.contracts.edge import LogRow
from shared.contracts.wallet import EntryPosted, MoneyDeposited, Posting, PrizePaid
from shared.runtime.ports import Line
from tests.core.cli.tournament_world import TOURNAMENT, World, changed, copies_of

WALLET = Line("wallet", 0)
POOL = f"pool/{TOURNAMENT}"


@cache
def tournament():
    return World(3).play()


@cache
def logs():
    return {line: copy.rows for line, copy in copies_of(tournament().commits).items()}


def acts():
    return list(acts_of(logs()[WALLET]))


def changed_logs(event, change):
    return {
        line: copy.rows
        for line, copy in copies_of(changed(tournament().commits, event, change)).items()
    }


def test_a_balance_is_the_sum_of_its_entries_each_with_the_commit_behind_it():
    found = explain(POOL, acts())
    assert [entry.act for entry in found.entries] == ["entry-posted"] * 6 + ["prize-paid"] * 2
    assert [entry.amount_cents for entry in found.entries[:6]] == [1_000] * 6
    assert [entry.balance_cents for entry in found.entries[:6]] == list(range(1_000, 7_000, 1_000))
    assert (found.balance_cents, found.wrong) == (0, ())
    numbers = {row.number for row in logs()[WALLET]}
    assert all(entry.number in numbers and len(entry.sha256) == 64 for entry in found.entries)
    assert found.entries[0].with_accounts == ("hold/ply_1", "commission")


def test_a_recorded_balance_that_is_not_the_sum_is_named():
    def one_cent_more(event):
        first, *others = event.postings
        return replace(event, postings=(replace(first, balance_cents=1), *others))

    forged = changed_logs(PrizePaid, one_cent_more)
    found = explain(POOL, acts_of(forged[WALLET]))
    assert len(found.wrong) == 1
    assert "records 1 cents" in found.wrong[0]


def test_as_of_a_moment_only_what_had_been_decided_counts():
    last_entry = [act for act in acts() if isinstance(act.event, EntryPosted)][-1]
    then = as_of(logs()[WALLET], last_entry.at)
    assert explain(POOL, acts_of(then)).balance_cents == 6_000
    before = as_of(logs()[WALLET], "2026-01-01T00:00:00.000Z")
    assert balances_of(acts_of(before)) == {}


def test_the_players_funds_are_covered_by_what_came_from_outside():
    found = funds_of(balances_of(acts()))
    assert found.segregated_cents == 6 * 2_000
    assert found.players_cents == found.cash_cents == 6 * 2_000 - 6 * 100
    assert found.surplus_cents == 6 * 100
    assert sum(player.cash_cents for player in found.players) == found.cash_cents


def test_during_the_tournament_its_pool_is_money_in_play():
    last_entry = [act for act in acts() if isinstance(act.event, EntryPosted)][-1]
    found = funds_of(balances_of(acts_of(as_of(logs()[WALLET], last_entry.at))))
    assert found.in_play_cents == 6_000
    assert found.players_cents == 6 * 2_000 - 600


def test_operators_money_that_went_to_players_must_be_paid_into_the_bank():
    gift = {"cash/ply_1": 3_000, "external": -2_500, "promotions": -500}
    found = funds_of(gift)
    assert (found.players_cents, found.segregated_cents, found.surplus_cents) == (
        3_000,
        2_500,
        -500,
    )


def test_the_journal_agrees_with_director_and_tables():
    found = reconcile(history_of(logs(), at_rest=False))
    assert found.wrong == ()
    assert [(line.kind, line.count, line.director_cents) for line in found.lines] == [
        ("entry", 6, 6_600),
        ("prize", 2, 6_000),
    ]
    assert all(line.wallet_cents == line.director_cents for line in found.lines)
    assert "1,800 chips" in found.chips


def test_what_the_wallet_has_not_heard_of_yet_is_under_way_and_not_wrong():
    rows = [row for row in logs()[WALLET] if b"prize-paid" not in row.data]
    found = reconcile(history_of({**logs(), WALLET: rows}, at_rest=False))
    assert found.wrong == ()
    assert {line.kind: line.under_way_cents for line in found.lines} == {"entry": 0, "prize": 6_000}


@pytest.mark.parametrize(
    ("event", "change", "named"),
    [
        pytest.param(
            PrizePaid, lambda e: replace(e, amount_cents=1), "the wallet posted 1", id="less"
        ),
        pytest.param(PrizePaid, lambda e: replace(e, place=9), "no fact of the director", id="9th"),
        pytest.param(
            EntryPosted, lambda e: replace(e, fee_cents=999), "by its entries and prizes", id="fee"
        ),
    ],
)
def test_money_that_nobody_ordered_is_named(event, change, named):
    found = reconcile(history_of(changed_logs(event, change), at_rest=False))
    assert any(named in what for what in found.wrong)


def test_a_row_that_cannot_be_read_is_named():
    rows = [*logs()[WALLET], LogRow(9_999, "journal", 999, "d", b'{"v":1}')]
    with pytest.raises(Unreadable, match="wallet-0 9999"):
        list(acts_of(rows))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30", "2026-11-30T23:59:59.999Z"),
        ("2026-11-30T18:00:00Z", "2026-11-30T18:00:00.999Z"),
        ("2026-11-30T18:00:00.5+01:00", "2026-11-30T17:00:00.500Z"),
        ("2026-11-30 18:00", "2026-11-30T18:00:00.999Z"),
    ],
)
def test_moments_as_people_write_them(text, moment):
    assert moment_of(text) == moment


def test_a_deposit_says_by_whom_it_was_ordered():
    first = next(act for act in acts() if isinstance(act.event, MoneyDeposited))
    assert first.about == "player=ply_1 amount_cents=2000 reference=ply_1"
    assert first.postings[1] == Posting("cash/ply_1", 2_000, 2_000)
