"""Whatever ends, or stands still, between a question and its answer: the deck stays the same one.

A hand of three who check and call, with its deal, three boards and a showdown, is played by the
real owners of a table and of the dealer. Their life ends at each of its awaits in turn, and a
successor plays on; or it stands still there until a second owner has played the hand to its end.
"""

import asyncio
from random import Random

import pytest

from shared.contracts.dealer import BoardOpened, DeckCommitted, SeatsOpened, SeatViewed
from tests.core.dealer.dealer_lives import Crossing, Durable, Life

CROSSINGS_A_HAND = 80
SEEDS = range(12)


async def played(durable, *, stop_at=0, wakes=False):
    """Play a hand whose first life stops at a crossing; say whether it came so far."""
    first = Crossing(stop_at)
    life = asyncio.create_task(Life(durable, 1, first).play())
    stopped = asyncio.create_task(first.stopped.wait())
    await asyncio.wait({life, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if first.stopped.is_set():
        await Life(durable, 2, Crossing()).play()
        if wakes:
            first.go.set()
            await life
    for task in (life, stopped):
        task.cancel()
    await asyncio.gather(life, stopped, return_exceptions=True)
    return first.stopped.is_set()


def one_deck_was_dealt(durable):
    (committed,) = durable.events("dealer", DeckCommitted)
    assert {*durable.decks()} == {committed.root}
    assert durable.verdict().true, durable.verdict()
    assert [board.street for board in durable.events("dealer", BoardOpened)] == [
        "flop",
        "turn",
        "river",
    ]


async def test_a_hand_left_alone_asks_every_kind_of_question():
    kinds = set()
    for seed in SEEDS:
        durable = Durable()
        await Life(durable, seed, Crossing()).play()
        one_deck_was_dealt(durable)
        kinds |= {type(fact.event) for fact in durable.history.of("dealer")}
    assert kinds == {DeckCommitted, BoardOpened, SeatViewed, SeatsOpened}


@pytest.mark.parametrize("wakes", [False, True], ids=["ends", "stands still and wakes"])
async def test_a_life_that_stops_at_any_await_leaves_the_same_deck(wakes):
    stop_at = 1
    while True:
        durable = Durable()
        came_so_far = await played(durable, stop_at=stop_at, wakes=wakes)
        one_deck_was_dealt(durable)
        if not came_so_far:
            break
        stop_at += 1
    assert stop_at > CROSSINGS_A_HAND


@pytest.mark.parametrize("seed", range(20))
async def test_two_owners_at_once_get_the_same_answers(seed):
    durable = Durable()
    lives = [Life(durable, life, Crossing(jitter=Random(f"{seed} {life}"))) for life in (1, 2)]
    await asyncio.gather(*[life.play() for life in lives])
    one_deck_was_dealt(durable)
    assert len(durable.decks()) >= 3


async def test_what_a_second_owner_would_have_dealt_is_not_dealt():
    """The two know that they differ: each alone makes another deck."""
    roots = set()
    for seed in (1, 2):
        durable = Durable()
        await Life(durable, seed, Crossing()).play()
        roots |= {*durable.decks()}
    assert len(roots) == 2
