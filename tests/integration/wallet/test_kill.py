"""kill -9 in the middle of a payout of a thousand prizes, again and again: each is paid once."""

import asyncio
import json
import random
from collections import Counter
from itertools import islice

import psycopg
import pytest

from shared.contracts.director import EntryRequested, PlayerRegistered, PrizeDue
from shared.contracts.wallet import Deposit, ReadTrialBalance, TrialBalance
from shared.runtime.adapters.database_care import empty_read_model
from shared.runtime.asking import reply_of
from tests.integration.runtime.running import until
from tests.integration.wallet.director import Director, directing
from tests.integration.wallet.journal import (
    WALLET,
    assert_every_prefix_sums_up,
    folded,
    in_tables,
    is_up_to_date,
    log_at,
    postings_in,
)
from tests.integration.wallet.running import Client, WalletProcess, client_at

pytestmark = pytest.mark.timeout(240)

SEEDS = (1, 2)
PLACES = 1_000
KILLS = 6
PRIZE_CENTS = 500
WINNERS = tuple(f"ply_{nth}" for nth in range(20))
RICH, NOBODY = "ply_rich", "ply_nobody"
TOURNAMENT = "trn_1"
PRICE = {"fee_cents": PLACES * PRIZE_CENTS, "commission_cents": 100}
ENTRY = {"tournament": TOURNAMENT, "entry": f"{TOURNAMENT}/{RICH}/1", "player": RICH}
PAID = b'"wallet.prize-paid.v1"'


@pytest.mark.parametrize("seed", SEEDS)
async def test_every_prize_is_paid_once_whenever_the_wallet_is_killed(
    wallet_url, broker, nats_url, seed
):
    dice = random.Random(seed)
    with WalletProcess(wallet_url, nats_url) as wallet:
        async with directing(wallet_url, broker) as director, client_at(nats_url) as client:
            await wallet.ready()
            await fill_the_pool(client, director)
            saying = asyncio.create_task(say_all(director, dice))
            for paid in sorted(dice.sample(range(PLACES), KILLS)):
                await until(lambda paid=paid: paid_in(wallet_url) >= paid, 60)
                wallet.kill()
                wallet.start()
            await saying
            await until(lambda: paid_in(wallet_url) >= PLACES, 60)
            await wallet.ready()
            await until(lambda: is_up_to_date(wallet_url))
            assert_paid_once(wallet_url)
            assert_every_prefix_sums_up(wallet_url)
            balance = reply_of(await client.accepted(ReadTrialBalance()), TrialBalance)
            assert balance.sum_cents == 0
            before = in_tables(wallet_url)
            empty_read_model(wallet_url, WALLET)
            await until(lambda: is_up_to_date(wallet_url))
            assert in_tables(wallet_url) == before


async def fill_the_pool(client: Client, director: Director) -> None:
    """One player pays for all: who wins is not the wallet's business."""
    for player in (RICH, *WINNERS):
        await client.sign_up(player)
    await client.accepted(Deposit(player=RICH, amount_cents=sum(PRICE.values()), reference="all"))
    await director.say(EntryRequested(**ENTRY, **PRICE, deadline_ms=0))
    await director.say(PlayerRegistered(**ENTRY, **PRICE))


async def say_all(director: Director, dice: random.Random) -> None:
    """Tell of the prizes, some in a commit, as fast as the director can."""
    prizes = map(prize, range(1, PLACES + 1))
    while some := list(islice(prizes, dice.randint(1, 9))):
        await director.say(*some)


def prize(place: int) -> PrizeDue:
    player = NOBODY if place % 50 == 0 else WINNERS[place % len(WINNERS)]
    return PrizeDue(tournament=TOURNAMENT, place=place, player=player, amount_cents=PRIZE_CENTS)


def paid_in(dsn: str) -> int:
    """Count the commits that paid a prize."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "SELECT count(*) FROM wallet_0.commits WHERE position(%b::bytea IN state) > 0", (PAID,)
        ).fetchone()
    return row[0]


def assert_paid_once(dsn: str) -> None:
    rows = log_at(dsn)
    events = [event for row in rows for event in json.loads(row.data)["events"]]
    paid = [event for event in events if event["type"] == "wallet.prize-paid.v1"]
    assert Counter(event["place"] for event in paid) == Counter(range(1, PLACES + 1))
    assert all(e["player"] == prize(e["place"]).player for e in paid)
    assert {event["amount_cents"] for event in paid} == {PRIZE_CENTS}
    held = folded(rows)
    won = Counter(prize(place).player for place in range(1, PLACES + 1))
    expected = {f"cash/{player}": won[player] * PRIZE_CENTS for player in WINNERS}
    expected |= {"unclaimed": won[NOBODY] * PRIZE_CENTS, f"pool/{TOURNAMENT}": 0}
    assert held.items() >= expected.items()
    assert sum(held.values()) == 0
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    below = {p["account"] for row in rows for p in postings_in(row) if p["balance_cents"] < 0}
    assert below == {"external"}
