"""A tournament directed on the log in PostgreSQL, for a day without any service.

The director's own shard decides, so that whoever comes later finds what a director would have
written. Hands that had ended count: what tables and wallet had committed is taken in first. Who
speaks proves it as at a gateway, by a token of the list that gateways have.
"""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from services.cli.status import reading
from services.cli.tournament.desk import Desk, NotDone
from services.cli.tournament.own_dealer import own_dealer
from services.director.settings import DirectorSettings
from services.director.shell.app import compose
from services.gateway.shell.tokens import Operators
from shared.contracts.commit import Actor
from shared.contracts.edge import Declined
from shared.kernel.ids import is_derived_id
from shared.kernel.sharding import shard_of
from shared.runtime import logs
from shared.runtime.adapters import database_care
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.adapters.roles import role_of
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.alone import Alone, working_alone
from shared.runtime.asking import Asking
from shared.runtime.ownership import upstream_lines
from shared.runtime.ports import BrokerUnavailable, Line, Store
from shared.runtime.service import World, of_other_services
from shared.runtime.settings import load
from shared.runtime.supervisor import LineStopped

DIRECTOR = "director"
ALIVE_MS = 5_000
DRAWN_SECONDS = 3.0
CLOCK = SystemClock()


class OnLogSettings(DirectorSettings, frozen=True, kw_only=True):
    """The director's, and the gateways' operators; NATS only to look whether somebody is there."""

    nats_url: str = ""
    gateway_operators: tuple[str, ...] = ()


def decide_on_log(desk: Desk, tournament: str, commands: Sequence[Any]) -> None:
    """Have requests decided and committed, one after the other; raise NotDone at the first refused.

    Their author is whose token the desk has.
    """
    settings = load(OnLogSettings, os.environ, of_other_services(DIRECTOR, os.environ))
    author = Operators(settings.gateway_operators).named(desk.token())
    if author is None:
        raise NotDone("refused: unauthorized (no such token in ROLLFORWARD_GATEWAY_OPERATORS)")
    if not is_derived_id(tournament, "trn"):
        raise NotDone("refused: unknown_tournament")
    logs.configure("tournament", settings.build, "error")
    spoken = [replace(command, author=author) for command in commands]
    answer = asyncio.run(decided(settings, tournament, spoken, Actor("operator", author)))
    if answer is not None:
        raise NotDone(f"refused: {answer.reason}{answer.detail and f' ({answer.detail})'}")


async def decided(
    settings: OnLogSettings, tournament: str, commands: Sequence[Any], by: Actor
) -> Declined | None:
    """Take in what was committed elsewhere, then decide; return the first refusal, if any."""
    shards = database_care.read(settings.database_url).shards
    line = Line(DIRECTOR, shard_of(tournament, shards[DIRECTOR]))
    if settings.nats_url:
        await refuse_if_answered(settings.nats_url, line)
    threads = Threads()
    store = PostgresStore(settings.database_url, line, threads, role_of(DIRECTOR), patient=True)
    asking = Asking(own_dealer(shards), CLOCK, entropy, shards, Actor("service", DIRECTOR))
    world = World(CLOCK, entropy, asking)
    try:
        await refuse_if_alive(store, line)
        async with working_alone(
            line, compose(settings, world), store, shards[DIRECTOR], CLOCK, entropy, settings.build
        ) as alone:
            await take_all_in(alone, settings.database_url, shards)
            for command in commands:
                answer = await alone.decide(tournament, command, by)
                if isinstance(answer, Declined):
                    return answer
            await alone.questions_answered(DRAWN_SECONDS)
            return None
    finally:
        store.close()
        threads.close()


async def take_all_in(alone: Alone, database_url: str, shards: Mapping[str, int]) -> None:
    """Read every line that the director follows; one that contradicts is left, and said so."""
    upstreams = upstream_lines(DIRECTOR, dict(shards))
    with patient_stores(database_url, upstreams) as stores:
        for upstream in upstreams:
            try:
                await alone.take_in(upstream, stores[upstream])
            except LineStopped as stopped:
                sys.stderr.write(f"rollforward: not read further: {stopped}\n")


async def refuse_if_alive(store: Store, line: Line) -> None:
    """A director writes down every second that its line can be played on."""
    alive = await store.beat(0, 0)
    ago_ms = alive.store_ms - alive.at_ms
    if ago_ms < ALIVE_MS:
        raise NotDone(f"a director worked on {line} {max(ago_ms, 0)} ms ago: ask it, or wait")


async def refuse_if_answered(nats_url: str, line: Line) -> None:
    """One that nobody can play with is silent there, and may still answer."""
    try:
        found = await reading.read(nats_url, [DIRECTOR])
    except BrokerUnavailable:
        return
    for report in found.lines:
        if report.line == str(line) and (report.holder or report.status):
            raise NotDone(f"{report.holder or 'a director'} works on {line}: ask it")
