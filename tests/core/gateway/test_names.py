"""Names at the gateway: asked for once, bounded in number and in time, and gone with the person."""

import asyncio

import pytest

from services.gateway.shell import names as module
from services.gateway.shell.names import Names
from shared.contracts.commit import raw
from shared.contracts.edge import Accepted, Declined
from shared.contracts.wallet import NAMES_MAX, ErasureOrdered, NamesView, ReadNames
from tests.core.gateway.facts import WALLET, Lines

ANN, BOB = "ply_ann", "ply_bob"


class Wallet:
    """Knows everybody by the end of the id; answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.away = False
        self.lets = asyncio.Event()
        self.lets.set()
        self.erased: set[str] = set()

    async def ask(self, service: str, stream: str, command: ReadNames) -> Accepted | Declined:
        assert (service, stream) == ("wallet", "journal")
        self.asked.append(command.players)
        found = {player: self.name_of(player) for player in command.players}
        await self.lets.wait()
        if self.away:
            return Declined(reason="unavailable")
        return Accepted(stream=stream, n=1, reply=raw(NamesView(names=found)))

    def name_of(self, player: str) -> str:
        return "" if player in self.erased else player.removeprefix("ply_").title()


@pytest.fixture
def wallet():
    return Wallet()


@pytest.fixture
def names(wallet):
    return Names(wallet)


def erase(names):
    names.fold(Lines().commit(WALLET, "journal", ErasureOrdered(player=ANN, author="opr_1")))


async def test_a_name_is_asked_for_once(names, wallet):
    assert await names.of([ANN, BOB, ANN]) == {ANN: "Ann", BOB: "Bob"}
    assert await names.of([BOB, ANN]) == {BOB: "Bob", ANN: "Ann"}
    assert wallet.asked == [(ANN, BOB)]


async def test_many_who_look_at_once_ask_once(names, wallet):
    wallet.lets.clear()
    looking = [asyncio.create_task(names.of([ANN, BOB])) for _ in range(5)]
    await asyncio.sleep(0)
    wallet.lets.set()
    assert await asyncio.gather(*looking) == [{ANN: "Ann", BOB: "Bob"}] * 5
    assert len(wallet.asked) == 1


async def test_more_than_one_read_may_tell_are_asked_for_in_turn(names, wallet):
    players = [f"ply_{number}" for number in range(NAMES_MAX + 1)]
    assert len(await names.of(players)) == NAMES_MAX + 1
    assert [len(asked) for asked in wallet.asked] == [NAMES_MAX, 1]


async def test_where_the_wallet_does_not_answer_ids_are_shown_and_it_is_asked_again(names, wallet):
    wallet.away = True
    assert await names.of([ANN]) == {ANN: ANN}
    wallet.away = False
    assert await names.of([ANN]) == {ANN: "Ann"}


async def test_nobody_waits_for_long(names, wallet, monkeypatch):
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.01)
    wallet.lets.clear()
    assert await asyncio.gather(names.of([ANN]), names.of([BOB])) == [{ANN: ANN}, {BOB: BOB}]


async def test_who_is_erased_has_no_name_any_more_and_is_not_asked_about(names, wallet):
    assert await names.of([ANN]) == {ANN: "Ann"}
    erase(names)
    assert await names.of([ANN]) == {ANN: ""}
    assert len(wallet.asked) == 1


async def test_an_answer_from_before_an_erasure_does_not_bring_the_name_back(names, wallet):
    wallet.lets.clear()
    looking = asyncio.create_task(names.of([ANN, BOB]))
    await asyncio.sleep(0)
    erase(names)
    wallet.lets.set()
    assert await looking == {ANN: "", BOB: "Bob"}
    assert "Ann" not in names._known.values()


async def test_no_more_names_are_kept_than_fit(names, wallet, monkeypatch):
    monkeypatch.setattr(module, "KEPT_MAX", 1)
    assert await names.of([ANN]) == {ANN: "Ann"}
    assert await names.of([BOB]) == {BOB: "Bob"}
    assert list(names._known) == [BOB]
