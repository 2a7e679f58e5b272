"""A log that was restored from an older backup, while its stream and its readers were not.

Log and stream contradict each other, so the line must stop: whatever it decided now might
contradict what others have read. It answers what is asked of its log and how it is, and nothing
else; its readers take nothing in; all other lines go on. An operator deletes the stream, and then
the log alone is the truth.
"""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from shared.contracts.edge import (
    Declined,
    ReadLog,
    RetryInbox,
    decode_answer,
    decode_page,
    decode_retried,
    decode_status,
    encode,
)
from shared.contracts.table import GoOut
from shared.kernel.sharding import shard_of
from shared.runtime.ports import Line
from tests.simulation import loop as loops, shortcuts
from tests.simulation.faults import NONE, Weather
from tests.simulation.hearing import heard
from tests.simulation.players import OPERATOR
from tests.simulation.trouble import DECIDING
from tests.simulation.world import World

LEASED = pytest.mark.parametrize("leased", [False, True])
AT_ONCE_SECONDS = 0.1
KEPT = 8


def lived(scenario: Callable[[World], Coroutine[Any, Any, None]], *, leased: bool) -> None:
    """Let all services play in calm weather until the scenario is over."""
    weather = Weather(faults=NONE, accidents=(), pause_s=1, skew_ms=0, shuffle=False, leased=leased)
    world = World(1, "whole", weather)

    async def begun() -> None:
        for service in DECIDING:
            world.spawn(service)
        world.gateways.open()
        world.crowd.begin()
        await scenario(world)

    with heard(world.loop, {"line_stopped"}), shortcuts.taken():
        loops.run(world.loop, begun())


async def until(world: World, true: Callable[[], bool]) -> None:
    give_up_at = world.loop.now + 20
    while not true():
        assert world.loop.now < give_up_at
        await world.loop.pause(0.05)


async def restored(world: World) -> tuple[Line, str]:
    """Have a table's line restored, under a new process; return it and its table."""
    line = Line("table", shard_of("tbl_sim_1", world.shards["table"]))
    disk = world.disks[line]
    await until(world, lambda: len(disk.rows) > KEPT + 5)
    for node in world.living("table"):
        world.kill(node)
    await world.loop.pause(3)
    world.committed = world.arrived = lambda *_: None  # What the laws have seen is true no more.
    del disk.rows[KEPT:]
    for stream, rows in disk.streams.items():
        disk.streams[stream] = [row for row in rows if row.number <= KEPT]
    world.spawn("table")
    return line, "tbl_sim_1"


async def ask(world: World, line: Line, verb: str, what: Any) -> bytes:
    return await world.desk.broker.request(line.request(verb), encode(what), AT_ONCE_SECONDS)


def reasons(world: World, service: str) -> dict[str, str]:
    (node,) = world.living(service)
    return node.health.reasons()


@LEASED
def test_a_line_whose_log_was_restored_decides_nothing_and_says_so_at_once(leased):
    async def scenario(world: World) -> None:
        line, table = await restored(world)
        await until(world, lambda: "ahead of the log" in reasons(world, "table").get(what, ""))
        now = world.loop.now
        command = GoOut(player="ply_1")
        answer = await world.desk.asking.ask("table", table, command, by=OPERATOR)
        retried = decode_retried.decode(await ask(world, line, "inbox-retry", RetryInbox()))
        assert world.loop.now - now < AT_ONCE_SECONDS
        for declined in (answer, retried):
            assert isinstance(declined, Declined)
            assert declined.reason == "line_stopped"
            assert "EVT-table" in declined.detail
        await world.loop.pause(20)
        assert len(world.disks[line].rows) == KEPT
        assert world.disks[line].alive_ms < world.true_ms - 20_000

    what = "relay table-0" if shard_of("tbl_sim_1", 2) == 0 else "relay table-1"
    lived(scenario, leased=leased)


@LEASED
def test_it_still_answers_what_is_asked_of_its_log_and_how_it_is(leased):
    async def scenario(world: World) -> None:
        line, _ = await restored(world)
        await world.loop.pause(5)
        page = decode_page.decode(await ask(world, line, "log", ReadLog(after=KEPT - 1)))
        assert [row.number for row in page.rows] == [KEPT]
        status = decode_status.decode(await ask(world, line, "status", None))
        assert "ahead of the log" in status.reasons[f"relay {line}"]
        assert status.questions == ()

    lived(scenario, leased=leased)


def test_another_line_of_the_same_process_goes_on():
    async def scenario(world: World) -> None:
        line, _ = await restored(world)
        other = Line("table", 1 - line.shard)
        await world.loop.pause(5)
        reply = await ask(world, other, "go-out", "no request")
        assert decode_answer.decode(reply).reason == "malformed"
        assert world.disks[other].alive_ms > world.true_ms - 2_500

    lived(scenario, leased=False)


def test_once_its_stream_is_deleted_and_the_process_restarted_the_line_goes_on():
    async def scenario(world: World) -> None:
        line, _ = await restored(world)
        await world.loop.pause(5)
        world.streams.delete(line)
        (stopped,) = world.living("table")
        world.kill(stopped)
        world.spawn("table")
        await until(world, lambda: len(world.disks[line].rows) > KEPT)
        assert len(world.streams.by_line[line].kept) >= KEPT

    lived(scenario, leased=False)
