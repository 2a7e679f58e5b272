"""Ten thousand enter one tournament on real engines, and it starts."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.cli.verdicts.draws import draws_follow_from_bytes
from services.cli.verdicts.history import history_of
from services.director.core.terms import ENTRIES_MAX
from shared.contracts.commit import COMMIT_BYTES_MAX, Actor
from shared.contracts.director import (
    CancelTournament,
    CreateTournament,
    DrawAwaited,
    HandCleared,
    Register,
    TableFormed,
)
from shared.contracts.edge import ANSWER_BYTES_MAX, Accepted, encode
from shared.contracts.message import tag_of
from shared.contracts.wallet import EntryHeld
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.nats import NatsBroker
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.asking import Asking
from shared.runtime.ports import Line
from tests.core.director.director_play import terms
from tests.core.director.large_field import TOURNAMENT, name_of
from tests.integration.emptied import emptied
from tests.integration.runtime.running import RunningService, until
from tests.integration.speaking import Speaker, speaking

SHARDS = {"table": 4, "director": 1, "dealer": 1, "wallet": 1, "ranking": 1}
LINES = [Line(service, number) for service, count in SHARDS.items() for number in range(count)]
DIRECTOR, DEALER, WALLET = Line("director", 0), Line("dealer", 0), Line("wallet", 0)
OPERATOR = Actor("operator", "ops_1")
TOGETHER = 250
SEATS = 10
CLEARED = tag_of(HandCleared).encode()


class Desk:
    """Who asks the director, and a wallet that holds the price of everybody who enters."""

    def __init__(self, broker: NatsBroker, wallet: Speaker) -> None:
        self._asking = Asking(broker, SystemClock(), entropy, SHARDS, OPERATOR)
        self._wallet = wallet

    async def ask(self, command: Any) -> Accepted:
        answer = await self._asking.ask("director", TOURNAMENT, command)
        assert isinstance(answer, Accepted), answer
        return answer

    async def enter(self, players: list[str]) -> None:
        """Some players ask at once, and are told before their entries expire."""
        await asyncio.gather(*[self.ask(Register(player=player)) for player in players])
        await self._wallet.say("journal", *[held(player) for player in players])


def held(player: str) -> EntryHeld:
    entry = f"{TOURNAMENT}/{player}/1"
    return EntryHeld(
        tournament=TOURNAMENT, entry=entry, player=player, price_cents=1_100, postings=()
    )


@pytest.fixture
async def broker(dsn: str, nats_url: str) -> AsyncIterator[NatsBroker]:
    migrate(dsn, LINES)
    async with emptied(nats_url, LINES) as broker:
        yield broker


async def test_ten_thousand_enter_and_are_seated_and_every_table_has_its_first_hand(
    dsn, nats_url, broker
):
    cleared = 0

    async def hear(message: Any) -> None:
        nonlocal cleared
        cleared += message.data.count(CLEARED)

    heard = await broker._client.subscribe("evt.director.>", cb=hear)
    with (
        RunningService("director", dsn, nats_url) as director,
        RunningService("dealer", dsn, nats_url, dealer_vault_key="5e" * 32) as dealer,
    ):
        async with speaking(WALLET, dsn, broker) as wallet:
            await director.ready()
            await dealer.ready()
            desk = Desk(broker, wallet)
            await desk.ask(
                CreateTournament(
                    tournament=TOURNAMENT, terms=terms(entries=ENTRIES_MAX, seats=SEATS)
                )
            )
            names = [name_of(number) for number in range(ENTRIES_MAX)]
            for first in range(0, ENTRIES_MAX, TOGETHER):
                await desk.enter(names[first : first + TOGETHER])
            await until(lambda: cleared == ENTRIES_MAX // SEATS, 60)
            given_up = await desk.ask(CancelTournament(author="ops_1", reason="it was enough"))
            assert len(encode(given_up)) <= ANSWER_BYTES_MAX
    await heard.unsubscribe()
    logs = read_logs(dsn, [DIRECTOR, DEALER])
    assert max(len(row.data) for rows in logs.values() for row in rows) <= COMMIT_BYTES_MAX
    history = history_of(logs)
    events = [fact.event for fact in history.of("director")]
    formed = [event for event in events if isinstance(event, TableFormed)]
    assert sorted(seat.player for event in formed for seat in event.seats) == names
    seats = next(event for event in events if isinstance(event, DrawAwaited))
    assert (seats.purpose, seats.count, seats.candidates) == ("seats", ENTRIES_MAX, ())
    assert draws_follow_from_bytes(history).true
