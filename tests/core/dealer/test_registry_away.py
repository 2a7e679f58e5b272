"""While the registry of used decks does not answer, nothing is dealt and all else is answered."""

import asyncio
from random import Random

from shared.contracts.commit import Cause
from shared.contracts.dealer import AskSeatKey, DealBoard, DeckCommitted, Draw
from shared.contracts.edge import Accepted, Declined
from shared.runtime.ports import StoreUnavailable
from tests.core.dealer.dealer_lives import BY, DEALER_LINE, Crossing, Durable, Life
from tests.core.dealer.dealer_play import deal
from tests.used_decks import DecksInMemory


class Away(DecksInMemory):
    """Says nothing while it is away, or says it too late: then the decks are entered."""

    def __init__(self):
        super().__init__()
        self.away = ""

    async def enter(self, decks):
        if self.away == "before":
            raise StoreUnavailable("away")
        news = await super().enter(decks)
        if self.away == "after":
            raise StoreUnavailable("went away before the answer")
        return news


async def answers(dealer, *requests):
    """Have all of these decided in one group."""
    asking = [
        asyncio.create_task(
            dealer.submit(
                getattr(request, "hand", "drw_1"), request, BY, Cause(command=f"cmd_{number}")
            )
        )
        for number, request in enumerate(requests)
    ]
    await asyncio.sleep(0)
    running = asyncio.create_task(dealer.run())
    found = await asyncio.gather(*asking)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return found


def life_of(durable, seed=1):
    return Life(durable, seed, Crossing())


async def test_only_new_hands_wait_for_the_registry():
    durable = Durable()
    durable.used = Away()
    (before,) = await answers(life_of(durable).dealer, deal())
    root = durable.events("dealer", DeckCommitted)[0].root
    key = b"\x09" + bytes(31)
    for durable.used.away in ("before", "after"):
        found = await answers(
            life_of(durable).dealer,
            deal(hand="hnd_2"),
            deal(),
            DealBoard(hand="hnd_1", root=root, street="flop"),
            AskSeatKey(hand="hnd_1", seat=1, player="ply_1", to_key=key),
            Draw(draw="drw_1", purpose="seats", count=5),
        )
        assert isinstance(found[0], Declined)
        assert found[0].reason == "unavailable"
        assert [type(answer) for answer in found[1:]] == [Accepted] * 4
        assert found[1].reply == before.reply
    durable.used.away = ""
    (dealt,) = await answers(life_of(durable, seed=2).dealer, deal(hand="hnd_2"))
    assert isinstance(dealt, Accepted)
    assert len(durable.events("dealer", DeckCommitted)) == 2


async def test_two_of_one_group_with_the_same_deck_are_an_alarm(monkeypatch):
    """Both decks come from the same bytes: one is dealt, the other hand gets another."""
    durable = Durable()
    life = life_of(durable)
    buffers = [bytes(range(52)) + bytes(204)] * 2 + [Random(n).randbytes(256) for n in range(40)]
    shuffles = life.dealer.aggregate.prepare.__self__
    monkeypatch.setattr(shuffles, "buffers", lambda: iter([buffers.pop(0)]))
    buffers[2:] = [buffer for buffer in buffers[2:] if holds_all(buffer)]
    found = await answers(life.dealer, deal(hand="hnd_1"), deal(hand="hnd_2"))
    assert [type(answer) for answer in found] == [Accepted] * 2
    committed = durable.logs[DEALER_LINE].disk.rows
    assert sum(b"dealer.deck-repeated" in row.data for row in committed) == 1


def holds_all(buffer):
    return {byte % 52 for byte in buffer if byte <= 207} == set(range(52))
