"""The journal in tables: as the log says, exactly once, and never below zero."""

import asyncio
from typing import Any

import psycopg
import pytest
from psycopg import errors

from services.cli.wallet.rebuilding import rebuild
from services.wallet.core.ledger import OWING
from services.wallet.shell.projections import rows_of
from services.wallet.shell.reactions import JOURNAL
from shared.contracts.commit import encode
from shared.contracts.edge import Accepted, Declined
from shared.contracts.wallet import (
    BalancesPage,
    Deposit,
    MoneyDeposited,
    Posting,
    PostingsPage,
    Purpose,
    ReadBalancesAt,
    ReadPostings,
    ReadTrialBalance,
    TrialBalance,
)
from shared.runtime.adapters.deployment import migrate
from shared.runtime.read_models import MAY_OWE, READ_MODELS
from tests.integration.runtime.feeding import commit_of
from tests.integration.runtime.running import until
from tests.integration.wallet.journal import (
    WALLET,
    accepted,
    ask,
    assert_every_prefix_sums_up,
    folded,
    in_tables,
    is_up_to_date,
    log_at,
    reply,
    sign_up,
    wallet_here,
)

PLAYERS = ("ply_1", "ply_2", "ply_3")


def deposit(player: str, cents: int, nth: int = 0) -> Deposit:
    return Deposit(player=player, amount_cents=cents, reference=f"{player}/{cents}/{nth}")


@pytest.fixture
async def here(wallet_url, broker):
    async with wallet_here(wallet_url, broker) as one:
        await sign_up(one, PLAYERS)
        yield one


async def test_who_was_just_answered_reads_what_was_done(here):
    for cents in range(100, 120):
        await accepted(here, deposit("ply_1", cents))
        page = await reply(here, ReadPostings(account="cash/ply_1", limit=1), PostingsPage)
        assert page.postings[0].amount_cents == cents
        balance = await reply(here, ReadTrialBalance(), TrialBalance)
        total = sum(range(100, cents + 1))
        assert balance.purposes == {"cash": Purpose(1, total), "external": Purpose(1, -total)}
        assert balance.sum_cents == 0


async def test_a_page_names_where_the_next_begins(here):
    for player in PLAYERS:
        await accepted(here, deposit(player, 100))
    found, asked = [], ReadBalancesAt(limit=2)
    while True:
        page = await reply(here, asked, BalancesPage)
        found += [(balance.account, balance.balance_cents) for balance in page.balances]
        if not page.next_account:
            break
        asked = ReadBalancesAt(limit=2, after=page.next_account, number=page.number)
    assert found == [*[(f"cash/{player}", 100) for player in PLAYERS], ("external", -300)]
    cash = await reply(here, ReadBalancesAt(prefix="cash/"), BalancesPage)
    assert [balance.account for balance in cash.balances] == [f"cash/{p}" for p in PLAYERS]


async def test_all_pages_tell_of_one_state(here):
    await accepted(here, deposit("ply_1", 100))
    first = await reply(here, ReadBalancesAt(limit=1), BalancesPage)
    await accepted(here, deposit("ply_2", 100))
    asked = ReadBalancesAt(after=first.next_account, number=first.number)
    rest = await reply(here, asked, BalancesPage)
    assert [(b.account, b.balance_cents) for b in rest.balances] == [("external", -100)]


async def test_postings_come_newest_first_and_whole_commits(here):
    for nth in range(5):
        await accepted(here, deposit("ply_1", 100, nth))
    page = await reply(here, ReadPostings(account="external", limit=2), PostingsPage)
    assert [posted.balance_cents for posted in page.postings] == [-500, -400]
    asked = ReadPostings(account="external", before_number=page.next_number)
    rest = await reply(here, asked, PostingsPage)
    assert [posted.balance_cents for posted in rest.postings] == [-300, -200, -100]
    assert rest.next_number is None
    assert {posted.event for posted in rest.postings} == {"wallet.money-deposited.v1"}


async def test_balances_are_read_as_of_any_commit_and_moment(here, wallet_url):
    for nth in range(4):
        await accepted(here, deposit(PLAYERS[nth % 3], 100, nth))
        await asyncio.sleep(0.002)
    rows = log_at(wallet_url)
    postings = (await reply(here, ReadPostings(account="external"), PostingsPage)).postings
    moments = {posted.number: posted.at_ms for posted in postings}
    for number in range(len(rows) + 1):
        page = await reply(here, ReadBalancesAt(number=number), BalancesPage)
        assert {b.account: b.balance_cents for b in page.balances} == folded(rows[:number])
        if number in moments:
            then = await reply(here, ReadBalancesAt(at_ms=moments[number]), BalancesPage)
            assert then == page
            asked = ReadPostings(account="external", at_ms=moments[number] - 1)
            before = await reply(here, asked, PostingsPage)
            assert all(posted.number < number for posted in before.postings)
    for at_ms in (-1, 0):
        nothing = await reply(here, ReadBalancesAt(at_ms=at_ms), BalancesPage)
        assert (nothing.number, nothing.balances) == (0, ())
    beyond = await reply(here, ReadBalancesAt(at_ms=2**63, number=None), BalancesPage)
    assert beyond.number == len(rows)


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (ReadPostings(account=""), "account_invalid"),
        (ReadPostings(account="cash/\0"), "account_invalid"),
        (ReadPostings(account="x" * 257), "account_invalid"),
        (ReadBalancesAt(prefix="\n"), "prefix_invalid"),
        (ReadBalancesAt(after="\0"), "prefix_invalid"),
    ],
)
async def test_what_cannot_be_an_account_is_refused(here, read, reason):
    answer = await ask(here, read)
    assert isinstance(answer, Declined)
    assert answer.reason == reason


async def test_numbers_beyond_all_reason_are_taken_for_the_nearest(here):
    await accepted(here, deposit("ply_1", 100))
    for number in (-(2**70), -1, 2**63, 2**70):
        read = ReadBalancesAt(number=number, limit=number)
        await reply(here, read, BalancesPage)
        await reply(
            here, ReadPostings(account="external", before_number=number, limit=number), PostingsPage
        )


async def test_the_tables_hold_each_posting_once_also_with_two_owners(wallet_url, broker):
    async with wallet_here(wallet_url, broker) as one, wallet_here(wallet_url, broker) as other:
        await sign_up(one, PLAYERS)
        await asyncio.gather(
            *[
                accepted(owner, deposit(PLAYERS[nth % 3], 100, nth))
                for nth in range(60)
                for owner in (one, other)[nth % 2 :][:1]
            ]
        )
        await until(lambda: is_up_to_date(wallet_url))
    assert in_tables(wallet_url)["postings"] == expected_postings(wallet_url)


async def test_emptied_under_its_owner_it_comes_back_the_same(here, wallet_url, monkeypatch):
    for nth in range(30):
        await accepted(here, deposit(PLAYERS[nth % 3], 100 + nth, nth))
    await until(lambda: is_up_to_date(wallet_url))
    before = in_tables(wallet_url)
    monkeypatch.setenv("DATABASE_URL", wallet_url)
    assert rebuild() == 0
    answer = await ask(here, ReadTrialBalance())
    assert answer == Declined(reason="unavailable", detail="the read model is behind")
    await until(lambda: is_up_to_date(wallet_url))
    assert in_tables(wallet_url) == before
    await accepted(here, deposit("ply_1", 1))
    assert (await reply(here, ReadTrialBalance(), TrialBalance)).sum_cents == 0


FORGED = {
    "below zero": ("cash/ply_1", -101, -1),
    "a balance that does not follow": ("cash/ply_1", 50, 500),
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
async def test_a_forged_commit_stops_the_projection_for_all_to_see(here, wallet_url, forged):
    await accepted(here, deposit("ply_1", 100))
    await until(lambda: is_up_to_date(wallet_url))
    before = in_tables(wallet_url)
    forge(wallet_url, Posting(*forged))
    here.shard.to_project.set()
    reason = await until(lambda: here.health.reasons().get(f"projection {WALLET}"))
    number = len(log_at(wallet_url))
    assert f"stopped: commit {number}: " in reason
    assert "check constraint" in reason
    assert "cash/ply_1" in reason
    assert in_tables(wallet_url)["postings"] == before["postings"]
    # Reports are not given any more; money goes on.
    assert isinstance(await ask(here, deposit("ply_2", 100)), Accepted)
    assert (await ask(here, ReadTrialBalance())).reason == "unavailable"


def forge(dsn: str, posting: Posting) -> None:
    """Write a commit that no wallet would, as a hand in the database could."""
    event = MoneyDeposited(player="ply_1", amount_cents=0, reference="forged", postings=(posting,))
    with psycopg.connect(dsn) as connection:
        last = connection.execute(
            "SELECT max(originator_version), max(notification_id) FROM wallet_0.commits"
        ).fetchone()
        data = commit_of(WALLET, JOURNAL, last[0] + 1, encode(event))
        connection.execute(
            "INSERT INTO wallet_0.commits VALUES (%s, %s, 'd', %s, %s)",
            (JOURNAL, last[0] + 1, data, last[1] + 1),
        )


@pytest.mark.parametrize("table", ["balances", "postings"])
def test_no_row_below_zero_can_be_written_but_where_it_is_meant(wallet_url, table):
    values = {"account": "", "balance_cents": -1, "posted_cents": -1, "amount_cents": -1}
    with psycopg.connect(wallet_url, autocommit=True) as connection:
        for account in (*sorted(OWING), "cash/ply_1", "pool/trn_1", "unclaimed", "commission"):
            row = {name: values.get(name, 1) for name in columns(table)} | {"account": account}
            insert = (
                f"INSERT INTO wallet_0.{table} ({', '.join(row)}) VALUES"
                f" ({', '.join(f'%({name})s' for name in row)})"
            )
            given = {name: str(v) if name == "event" else v for name, v in row.items()}
            if account in OWING:
                connection.execute(insert, given)
            else:
                with pytest.raises(errors.CheckViolation):
                    connection.execute(insert, given)


def columns(table: str) -> list[str]:
    (found,) = [t for t in READ_MODELS["wallet"].tables if t.name == table]
    return list(found.columns)


def test_the_tables_let_owe_whom_the_core_lets_owe():
    assert set(MAY_OWE.split("'")[1::2]) == OWING


async def test_tables_of_another_build_are_made_anew_by_the_migrate_step(here, wallet_url):
    await accepted(here, deposit("ply_1", 100))
    await until(lambda: is_up_to_date(wallet_url))
    before = in_tables(wallet_url)
    with psycopg.connect(wallet_url) as connection:
        connection.execute("UPDATE wallet_0.read_model SET version = 'other'")
        connection.execute("ALTER TABLE wallet_0.balances ADD COLUMN more int")
    await accepted(here, deposit("ply_1", 1))
    await until(
        lambda: "made for another build" in here.health.reasons().get(f"projection {WALLET}", "")
    )
    assert (await ask(here, ReadTrialBalance())).reason == "unavailable"
    migrate(wallet_url, [WALLET])
    await until(lambda: is_up_to_date(wallet_url) and here.health.ready)
    assert in_tables(wallet_url)["postings"][: len(before["postings"])] != []
    assert (await reply(here, ReadTrialBalance(), TrialBalance)).sum_cents == 0
    assert in_tables(wallet_url)["postings"] == expected_postings(wallet_url)


def expected_postings(dsn: str) -> list[Any]:
    """Every posting of the log as a row."""
    return sorted([row for commit in log_at(dsn) for row in rows_of(commit)["postings"]])


async def test_every_prefix_of_the_log_sums_up_to_the_stored_balances(here, wallet_url):
    for nth in range(20):
        await accepted(here, deposit(PLAYERS[nth % 3], 100 + nth, nth))
    await until(lambda: is_up_to_date(wallet_url))
    assert_every_prefix_sums_up(wallet_url)
