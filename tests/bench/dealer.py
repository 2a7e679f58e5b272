"""The dealer: decks committed with and without the registry of used decks, views, openings.

Decks go the owner's whole way, into a durable embedded PostgreSQL (fsync on), the registry beside
the log as in production, turn about with a registry in memory. All else is one core's work: what
it takes to make a deck for nine, to answer a look at a seat, to open one; and of all that a whole
small tournament takes in one thread, without logs and networks, the dealer's share.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from statistics import median
from typing import Any

from services.dealer.core import DECIDER, Dealings
from services.dealer.settings import DealerSettings
from services.dealer.shell.app import compose
from services.dealer.shell.dealing import make_decider, make_respond
from services.dealer.shell.vault import vault_of
from shared.contracts.commit import Actor, Cause
from shared.contracts.dealer import CommitRef, DealHands, DealtIn, OpenSeats, ViewSeat
from shared.contracts.edge import Accepted
from shared.contracts.hand import HandEnded
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import postgres
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.asking import Asking
from shared.runtime.decks import UsedDecks
from shared.runtime.health import Health
from shared.runtime.ports import Line
from shared.runtime.sealed import new_reply_key
from shared.runtime.service import World
from shared.runtime.shard import Shard
from tests.core.cli.tournament_world import World as Tournament
from tests.used_decks import DecksInMemory, finished, shuffles_of

ROUNDS = 3
HANDS = 4_096
TOGETHER = 512
PLAYERS = 9
DECKS_ALONE = 2_000
SEEDS = range(1, 4)
LINE = Line("dealer", 0)
BY = Actor("service", "table")
VAULT_KEY = os.urandom(32)
VAULT = vault_of([VAULT_KEY])

Figures = dict[str, dict[str, object]]
numbers = count(1)


def run() -> Figures:
    """Return decks, views and openings a second, and the dealer's share of a hand."""
    with postgres() as database_url:
        migrate(database_url, [LINE])
        found = asyncio.run(committed(database_url))
    return found | alone() | share()


# --- decks on the owner's whole way -----------------------------------------------------------


class Counted:
    """The registry, counting groups; `used` is where the decks go."""

    def __init__(self, used: Any) -> None:
        self.used = used
        self.groups = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.used, name)

    async def enter(self, decks: Sequence[bytes]) -> set[bytes]:
        self.groups += 1
        found: set[bytes] = await self.used.enter(decks)
        return found


async def committed(database_url: str) -> Figures:
    """Deal hands with either registry, turn about."""
    threads, used = Threads(), PostgresDecks(database_url)
    store = PostgresStore(database_url, LINE, threads)
    registries = {"with": Counted(used), "without": Counted(DecksInMemory())}
    took: dict[str, list[float]] = {name: [] for name in registries}
    try:
        for _ in range(ROUNDS):
            for name, registry in registries.items():
                took[name].append(await seconds_to_deal(store, registry))
    finally:
        used.close()
        store.close()
        threads.close()
    rates = {name: HANDS / median(seconds) for name, seconds in took.items()}
    group = HANDS * ROUNDS / registries["with"].groups
    return {
        f"decks committed, registered in groups of {group:.0f}": {
            "value": round(rates["with"]),
            "unit": "decks/s",
            "peer": "without the registry",
            "peer_value": round(rates["without"]),
            "ratio": round(rates["with"] / rates["without"], 2),
        }
    }


async def seconds_to_deal(store: PostgresStore, used: UsedDecks) -> float:
    """Deal so many hands, as many tables ask at once."""
    clock = SystemClock()
    asking: Asking = None  # type: ignore[assignment]  # The dealer asks nobody.
    settings = DealerSettings(database_url="", nats_url="", dealer_vault_key=VAULT_KEY.hex())
    aggregate = compose(settings, World(clock, entropy, asking), used)
    await aggregate.open()
    shard = Shard(LINE, aggregate, store, clock, Health(clock), "bench")
    running = asyncio.create_task(shard.run())
    began = time.perf_counter()
    for _ in range(0, HANDS, TOGETHER):
        answers = await asyncio.gather(*[dealt(shard, next(numbers)) for _ in range(TOGETHER)])
        assert all(isinstance(answer, Accepted) for answer in answers)
    took = time.perf_counter() - began
    running.cancel()
    await shard.close()
    return took


async def dealt(shard: Shard, number: int) -> object:
    deal = deal_of(f"hnd_{number}")
    return await shard.submit(deal.hand, deal, BY, Cause(command=f"cmd_{number}"))


def deal_of(hand: str) -> DealHands:
    roster = tuple(DealtIn(seat, f"ply_{seat}") for seat in range(1, PLAYERS + 1))
    return DealHands(hand=hand, table="tbl_1", roster=roster)


# --- one core's work --------------------------------------------------------------------------


def alone() -> Figures:
    """Make decks, and then look at and open one seat of each."""
    shuffles = shuffles_of(VAULT, entropy)
    decider, respond = make_decider(VAULT, entropy, shuffles), make_respond(VAULT, entropy)
    deals = [deal_of(f"hnd_{number}") for number in range(DECKS_ALONE)]
    hands: list[Dealings] = []

    def make() -> None:
        finished(shuffles.prepare([(DECIDER.initial, deal) for deal in deals]))
        hands.extend(decided(decider.step(DECIDER.initial, deal, 0)) for deal in deals)

    def answer(requests: Iterable[Any]) -> None:
        for dealings, request in zip(hands, requests, strict=True):
            after = decided(decider.step(dealings, request, 0))
            assert respond(after, request) is not None

    made = cpu_seconds(make)
    viewed = cpu_seconds(lambda: answer([view_in(dealings) for dealings in hands]))
    opened = cpu_seconds(lambda: answer([opening_in(dealings) for dealings in hands]))
    return {
        f"a deck for {PLAYERS} made, committed to and sealed, one core": rate(made, "decks/s"),
        "looks at a seat answered, one core": rate(viewed, "views/s"),
        "seats opened, one core": rate(opened, "openings/s"),
    }


def decided(stepped: Any) -> Dealings:
    events, dealings = stepped
    assert events
    after: Dealings = dealings
    return after


def view_in(dealings: Dealings) -> ViewSeat:
    deck, key = dealings.deck, new_reply_key(entropy)
    assert deck is not None
    return ViewSeat(
        hand=deck.hand,
        root=deck.root,
        seat=5,
        reason="showdown",
        stated=CommitRef(deck.table, 9),
        to_key=key.public,
    )


def opening_in(dealings: Dealings) -> OpenSeats:
    deck = dealings.deck
    assert deck is not None
    stated = CommitRef(deck.table, 9)
    return OpenSeats(hand=deck.hand, root=deck.root, seats=(5,), stated=stated)


def rate(seconds: float, unit: str) -> dict[str, object]:
    return {"value": round(DECKS_ALONE / seconds), "unit": unit}


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


# --- the share of a hand ----------------------------------------------------------------------


class TimedTournament(Tournament):
    """Adds up the time that the dealer's answers take."""

    dealer_seconds = 0.0

    async def ask(self, service: str, stream: str, command: Any, **more: Any) -> Accepted:
        began = time.process_time()
        answer = await super().ask(service, stream, command, **more)
        self.dealer_seconds += time.process_time() - began
        return answer


def share() -> Figures:
    """Play small tournaments in one thread, and see how much of it is the dealer's."""
    worlds = [TimedTournament(seed) for seed in SEEDS]
    seconds = cpu_seconds(lambda: [world.play() for world in worlds])
    hands = sum(
        isinstance(event, HandEnded)
        for world in worlds
        for commit in world.commits
        for event in commit.events
    )
    dealer = sum(world.dealer_seconds for world in worlds)
    return {
        "the dealer's work for a hand, deal to showdown": {
            "value": round(1000 * dealer / hands, 2),
            "unit": "ms",
            "peer": "all deciding of a hand, no log, no network",
            "peer_value": round(1000 * seconds / hands, 2),
            "ratio": round(dealer / seconds, 2),
        }
    }
