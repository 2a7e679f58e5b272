"""A bell wakes the one who waits, at once or never, and not for longer than asked."""

import asyncio

import pytest

from shared.runtime.bell import Bell


async def test_who_waits_goes_on_when_it_rings():
    bell = Bell()
    waiting = asyncio.create_task(bell.wait(60))
    await asyncio.sleep(0)
    bell.set()
    bell.set()
    assert await waiting
    assert bell.is_set()


async def test_it_stays_rung_until_it_is_cleared():
    bell = Bell()
    bell.set()
    assert await bell.wait()
    bell.clear()
    assert not await bell.wait(0)


async def test_who_waits_without_a_limit_waits_on():
    bell = Bell()
    waiting = asyncio.create_task(bell.wait())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    bell.set()
    assert await waiting


async def test_who_was_cancelled_waits_no_more_and_another_may():
    bell = Bell()
    waiting = asyncio.create_task(bell.wait(60))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="waits already"):
        await bell.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert not await bell.wait(0)
