"""64 clients move money in opposite directions at once; every cent is where their answers say."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import msgspec
import pytest

from shared.contracts.director import (
    EntryDeclined,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
)
from shared.contracts.edge import Accepted, Declined
from shared.contracts.wallet import (
    BalancesPage,
    CorrectionLine,
    Deposit,
    PostCorrection,
    ReadBalancesAt,
    ReadTrialBalance,
    TrialBalance,
)
from shared.runtime.asking import reply_of
from tests.integration.runtime.running import until
from tests.integration.wallet.director import Director, directing
from tests.integration.wallet.journal import (
    assert_every_prefix_sums_up,
    folded,
    is_up_to_date,
    log_at,
    postings_in,
)
from tests.integration.wallet.running import Client, WalletProcess, client_at

CLIENTS = 64
CONNECTIONS = 8
ROUNDS = 10
POOR = tuple(f"ply_poor{nth}" for nth in range(6))
RICH = tuple(f"ply_rich{nth}" for nth in range(4))
POOR_CENTS, RICH_CENTS = 1_000, 1_000_000
TOURNAMENT = "trn_1"
FEE, COMMISSION, CHARGE = 270, 30, 20


@pytest.fixture
async def clients(nats_url) -> AsyncIterator[list[Client]]:
    """As many as there are connections, each used by several."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(client_at(nats_url)) for _ in range(CONNECTIONS)]


async def test_money_moves_both_ways_and_none_is_made_or_lost(
    wallet_url, broker, nats_url, clients
):
    with WalletProcess(wallet_url, nats_url) as wallet:
        async with directing(wallet_url, broker) as director:
            await wallet.ready()
            await fund(clients[0])
            books: Counter[str] = Counter()
            workers = [
                work(clients[nth % CONNECTIONS], director, books, nth) for nth in range(CLIENTS)
            ]
            await asyncio.gather(*workers)
            await until(lambda: all_refunded(wallet_url), 60)
            await until(lambda: is_up_to_date(wallet_url))
            await right(clients[0], wallet_url, books)


async def fund(client: Client) -> None:
    for player in (*POOR, *RICH):
        await client.sign_up(player)
        cents = POOR_CENTS if player in POOR else RICH_CENTS
        await client.accepted(Deposit(player=player, amount_cents=cents, reference=player))


async def work(client: Client, director: Director, books: Counter[str], nth: int) -> None:
    """What one client does, some of it through the director; all of them at once."""
    dice = random.Random(nth)
    for turn in range(ROUNDS):
        await transfer(client, books, dice, f"cor_{nth:03}{turn:03}")
        if turn % 4 == 0:
            await enter_and_be_declined(director, dice.choice(POOR), f"{nth}.{turn}")
    await enter_and_leave(director, RICH[nth % len(RICH)], nth)


async def transfer(client: Client, books: Counter[str], dice: random.Random, name: str) -> None:
    """Move money between two of the poor, and keep a book of what was accepted."""
    giver, taker = dice.sample(POOR, 2)
    cents = dice.randint(1, POOR_CENTS)
    command = PostCorrection(
        correction=name,
        corrects=1,
        lines=(CorrectionLine(f"cash/{giver}", -cents), CorrectionLine(f"cash/{taker}", cents)),
        author="ops_1",
        reason="a transfer",
    )
    answer = await client.ask(command)
    if isinstance(answer, Accepted):
        books[f"cash/{giver}"] -= cents
        books[f"cash/{taker}"] += cents
    else:
        assert answer == Declined(reason="would_go_below_zero", detail=answer.detail)


async def enter_and_be_declined(director: Director, player: str, name: str) -> None:
    """Money is held if there is enough, and given back in any case."""
    entry = {"tournament": TOURNAMENT, "entry": f"{TOURNAMENT}/{player}/{name}", "player": player}
    price = {"fee_cents": FEE, "commission_cents": COMMISSION}
    await director.say(EntryRequested(**entry, **price, deadline_ms=0))
    await director.say(EntryDeclined(**entry, reason="full"))


async def enter_and_leave(director: Director, player: str, nth: int) -> None:
    """Money goes through the hold into the pool and back, less a charge."""
    entry = {"tournament": TOURNAMENT, "entry": entry_of(nth), "player": player}
    price = {"fee_cents": FEE, "commission_cents": COMMISSION}
    await director.say(EntryRequested(**entry, **price, deadline_ms=0))
    await director.say(PlayerRegistered(**entry, **price))
    left = PlayerUnregistered(**entry, refund_cents=FEE + COMMISSION - CHARGE)
    await director.say(left)


def entry_of(nth: int) -> str:
    return f"{TOURNAMENT}/{RICH[nth % len(RICH)]}/{nth}"


def all_refunded(dsn: str) -> bool:
    """Tell whether the wallet has heard the last that was said of every entry."""
    events = [event for row in log_at(dsn) for event in msgspec.json.decode(row.data)["events"]]
    refunds = {one["entry"] for one in events if one["type"] == "wallet.entry-refunded.v1"}
    return refunds == {entry_of(nth) for nth in range(CLIENTS)}


async def right(client: Client, dsn: str, books: Counter[str]) -> None:
    """What the answers say, what the log says, and what the tables say is the same."""
    rows = log_at(dsn)
    expected = {f"cash/{player}": POOR_CENTS + books[f"cash/{player}"] for player in POOR}
    for nth, player in enumerate(RICH):
        entries = len(range(nth, CLIENTS, len(RICH)))
        expected[f"cash/{player}"] = RICH_CENTS - entries * CHARGE
    expected["commission"] = CLIENTS * CHARGE
    expected["external"] = -POOR_CENTS * len(POOR) - RICH_CENTS * len(RICH)
    nothing = dict.fromkeys([*[f"hold/{player}" for player in (*POOR, *RICH)]], 0)
    held = folded(rows)
    assert held.items() >= expected.items()
    assert held.keys() - expected.keys() <= {*nothing, f"pool/{TOURNAMENT}"}
    assert all(held[account] == 0 for account in held.keys() - expected.keys())
    below = [p for row in rows for p in postings_in(row) if p["balance_cents"] < 0]
    assert {posting["account"] for posting in below} == {"external"}
    page = reply_of(await client.accepted(ReadBalancesAt()), BalancesPage)
    assert {balance.account: balance.balance_cents for balance in page.balances} == held
    balance = reply_of(await client.accepted(ReadTrialBalance()), TrialBalance)
    assert balance.sum_cents == 0 == sum(held.values())
    assert_every_prefix_sums_up(dsn)


async def test_what_is_there_once_is_spent_once(wallet_url, broker, nats_url, clients):
    with WalletProcess(wallet_url, nats_url) as wallet:
        await wallet.ready()
        giver, taker = POOR[:2]
        for player in (giver, taker):
            await clients[0].sign_up(player)
        await clients[0].accepted(Deposit(player=giver, amount_cents=1_000, reference="all"))

        async def spend(nth: int) -> bool:
            lines = (CorrectionLine(f"cash/{giver}", -100), CorrectionLine(f"cash/{taker}", 100))
            command = PostCorrection(
                correction=f"cor_{nth}",
                corrects=1,
                lines=lines,
                author="ops_1",
                reason="one of ten",
            )
            answer = await clients[nth % CONNECTIONS].ask(command)
            return isinstance(answer, Accepted)

        spent = await asyncio.gather(*[spend(nth) for nth in range(CLIENTS)])
        assert sum(spent) == 10
        held = folded(log_at(wallet_url))
        assert (held[f"cash/{giver}"], held[f"cash/{taker}"]) == (0, 1_000)
