"""A fact that contradicts the journal waits, and no cent moves for it; all other money does."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from services.cli.verdicts.history import history_of
from services.cli.verdicts.journal import final_balances, journal_sums_to_zero
from services.wallet.core import DECIDER
from services.wallet.settings import WalletSettings
from services.wallet.shell.app import compose
from services.wallet.shell.outside import Outside
from services.wallet.shell.reactions import JOURNAL
from shared.contracts.commit import Actor, Cause
from shared.contracts.director import EntryRequested, PlayerRegistered, PrizeDue
from shared.contracts.edge import Accepted, encode
from shared.contracts.wallet import Deposit
from shared.kernel.decider import Decider
from shared.runtime.adapters.schema import migrate
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.aggregate import Aggregate
from shared.runtime.follow import Fact
from shared.runtime.parking import BEHIND
from shared.runtime.ports import Line
from shared.runtime.service import World
from tests.integration.runtime.audit import facts_of, log_of
from tests.integration.runtime.feeding import Fed, commit_of, fed
from tests.people import signing_up
from tests.person_keys import KeysInMemory

WALLET = Line("wallet", 0)
DIRECTOR = Line("director", 0)
OPERATOR = Actor("operator", "opr")
PLAYERS = ("ply_1", "ply_2", "ply_3")


def wallet() -> Aggregate:
    nobody: Any = None
    world = World(SystemClock(), entropy, nobody)
    settings = WalletSettings(database_url="", nats_url="", wallet_bonus_cents=0)
    return compose(settings, world, Outside(KeysInMemory()))


def overruled() -> Aggregate:
    """A newer build, in which a person has decided that trn_a's first prize is void."""

    def step(state: Any, command: Any, at_ms: int) -> Any:
        if isinstance(command, PrizeDue) and (command.tournament, command.place) == ("trn_a", 1):
            return (), state
        return DECIDER.step(state, command, at_ms)

    decider = Decider(initial=DECIDER.initial, step=step, evolve=DECIDER.evolve)
    return replace(wallet(), decider=decider)


def entered(tournament: str, player: str) -> tuple[Any, Any]:
    entry = {"tournament": tournament, "entry": f"{tournament}/{player}/1", "player": player}
    price = {"fee_cents": 1_000, "commission_cents": 100}
    return EntryRequested(**entry, **price, deadline_ms=0), PlayerRegistered(**entry, **price)


def prize(tournament: str, place: int, player: str, amount_cents: int) -> PrizeDue:
    return PrizeDue(tournament=tournament, place=place, player=player, amount_cents=amount_cents)


FACTS = (
    *entered("trn_a", "ply_1"),
    *entered("trn_a", "ply_2"),
    *entered("trn_b", "ply_2"),
    prize("trn_a", 1, "ply_1", 5_000),  # 7: the pool holds 2,000
    *entered("trn_b", "ply_3"),
    prize("trn_a", 2, "ply_2", 600),  # 10: right, but behind the first
    prize("trn_b", 1, "ply_3", 1_400),
    prize("trn_b", 2, "ply_2", 600),
)
OVER, BEHIND_IT = 7, 10


def in_log() -> list[Fact]:
    return [
        Fact(number, commit_of(DIRECTOR, fact.tournament, number, encode(fact)))
        for number, fact in enumerate(FACTS, 1)
    ]


@pytest.fixture
def wallet_url(dsn: str) -> str:
    migrate(dsn, [WALLET])
    return dsn


@asynccontextmanager
async def working(dsn: str, aggregate: Aggregate) -> AsyncIterator[Fed]:
    """A wallet that takes requests, too."""
    async with fed(dsn, WALLET, aggregate) as one:
        deciding = asyncio.create_task(one.shard.run())
        yield one
        deciding.cancel()


async def test_a_prize_over_the_pool_waits_and_the_journal_stays_right(wallet_url):
    async with working(wallet_url, wallet()) as one:
        await open_accounts(one)
        await one.take(DIRECTOR, in_log())
        parked = await one.parked(DIRECTOR)
        assert parked.keys() == {OVER, BEHIND_IT}
        assert "JournalContradicted" in parked[OVER]
        assert "pool/trn_a would hold -3000 cents" in parked[OVER]
        assert parked[BEHIND_IT] == BEHIND
        assert "parked: 2 facts of director-0" in " ".join(one.health.reasons().values())
        balances = await right_journal(one)
        assert balances["pool/trn_a"] == 2_000
        assert balances["pool/trn_b"] == 0
        assert balances["cash/ply_3"] == 10_000 - 1_100 + 1_400
        # Feeding it again to the same build changes nothing, not even for others.
        retried = await one.retry()
        assert (retried.taken, retried.waiting) == (0, 2)
        assert await one.parked(DIRECTOR) == parked
        assert await right_journal(one) == balances
        # The wallet goes on for players.
        assert isinstance(await decided(one, deposit("ply_1", "later")), Accepted)
    async with working(wallet_url, overruled()) as one:
        assert (await one.retry()).waiting == 0
        balances = await right_journal(one)
        assert balances["pool/trn_a"] == 2_000 - 600
        assert balances["cash/ply_2"] == 10_000 - 2_200 + 600 + 600
        assert one.health.ready
    taken = facts_of(log_of(wallet_url, WALLET))
    assert taken == {("director-0", n): 1 for n in range(1, len(FACTS) + 1) if n != OVER}


async def open_accounts(one: Fed) -> None:
    for player in PLAYERS:
        for command in (
            *signing_up(player),
            deposit(player, "first"),
        ):
            assert isinstance(await decided(one, command), Accepted)


def deposit(player: str, what: str) -> Deposit:
    return Deposit(player=player, amount_cents=10_000, reference=f"{player}-{what}")


async def decided(one: Fed, command: Any) -> Any:
    return await one.shard.submit(JOURNAL, command, OPERATOR, Cause(timer="test"))


async def right_journal(one: Fed) -> Counter[str]:
    """Add the journal up from its postings, and return what every account holds."""
    history = history_of({WALLET: await one.store.read_log(0, 1_000)})
    verdict = journal_sums_to_zero(history)
    assert verdict.true, verdict.detail
    return final_balances(history)
