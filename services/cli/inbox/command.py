"""`rollforward inbox` lists what is parked; `rollforward inbox retry` feeds it again.

Exit codes: 0 when nothing is parked, 1 when something is, or when an owner does not answer.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import cyclopts
import msgspec

from services.cli.inbox.asking import NoAnswer, parked_at, retried_at
from shared.contracts.edge import ParkedFact, Retried
from shared.contracts.registry import upstreams_of
from shared.runtime import logs
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.ports import Broker, Line
from shared.runtime.service import of_other_services
from shared.runtime.settings import RuntimeSettings, SettingsError, load

CONNECT_SECONDS = 5.0

Found = TypeVar("Found")

app = cyclopts.App(name="inbox", help="Upstream facts that a service could not take in.")


class OperatorSettings(RuntimeSettings, frozen=True, kw_only=True):
    """Where the services are; their database is theirs alone."""

    database_url: str = ""


@app.default
def listed(*, json: bool = False) -> int:
    """List the parked facts of all services.

    Parameters
    ----------
    json
        One object per fact, for programs.
    """
    settings = operator_settings()
    return asyncio.run(list_inboxes(settings.nats_url, lines_of(settings), as_json=json))


@app.command
def retry(line: str = "", /) -> int:
    """Feed parked facts again, in order; a stream stops at its first that still cannot be taken in.

    Parameters
    ----------
    line
        Only this one, such as `wallet-0`.
    """
    settings = operator_settings()
    lines = lines_of(settings)
    if line and line not in map(str, lines):
        known = ", ".join(map(str, lines))
        print(f"no line {line!r} has an inbox; there are {known}", file=sys.stderr)
        return 2
    chosen = [one for one in lines if line in ("", str(one))]
    return asyncio.run(retry_inboxes(settings.nats_url, chosen))


def operator_settings() -> OperatorSettings:
    """Read the environment; what the NATS client has to say is no news to an operator."""
    logs.configure("inbox", "", "error")
    return load(OperatorSettings, os.environ, of_other_services("", os.environ))


def lines_of(settings: RuntimeSettings) -> list[Line]:
    """Return the lines that follow others, and so have an inbox."""
    return [
        Line(service, number)
        for service, count in settings.shards().items()
        if upstreams_of(service)
        for number in range(count)
    ]


async def list_inboxes(nats_url: str, lines: Sequence[Line], *, as_json: bool) -> int:
    """Print what is parked at these lines."""
    found, silent = await from_all(nats_url, lines, parked_at)
    for line, facts in found.items():
        for fact in facts:
            print(row_of(line, fact) if as_json else sentence(line, fact))
    if not as_json:
        count = sum(map(len, found.values()))
        print(f"{count or 'no'} facts are parked at {len(found)} of {len(lines)} lines")
    return 1 if silent or any(found.values()) else 0


async def retry_inboxes(nats_url: str, lines: Sequence[Line]) -> int:
    """Feed what is parked at these lines, and print how far that went."""
    found, silent = await from_all(nats_url, lines, retried_at)
    for line, retried in found.items():
        for outcome in outcomes(line, retried):
            print(outcome)
    return 1 if silent or any(retried.waiting for retried in found.values()) else 0


async def from_all(
    nats_url: str, lines: Sequence[Line], ask: Callable[[Broker, Line], Awaitable[Found]]
) -> tuple[dict[Line, Found], bool]:
    """Ask every line's owner; complain about those that do not answer, and say if there are any."""
    found: dict[Line, Found] = {}
    async with connected(nats_url) as broker:
        for line in lines:
            try:
                found[line] = await ask(broker, line)
            except NoAnswer as silence:
                print(f"{line}: {silence}", file=sys.stderr)
    return found, len(found) < len(lines)


@asynccontextmanager
async def connected(nats_url: str) -> AsyncIterator[Broker]:
    """Connect for one command; raise SettingsError when nobody is there."""
    try:
        client = await asyncio.wait_for(connect(nats_url, "rollforward"), CONNECT_SECONDS)
    except (TimeoutError, OSError):
        raise SettingsError("NATS_URL: no NATS answers there") from None
    try:
        yield NatsBroker(client)
    finally:
        await client.close()


def row_of(line: Line, fact: ParkedFact) -> str:
    return msgspec.json.encode({"line": str(line), **msgspec.structs.asdict(fact)}).decode()


def sentence(line: Line, fact: ParkedFact) -> str:
    return f"{line}  {fact.upstream} {fact.number}  {fact.stream}  since {fact.at}  {fact.reason}"


def outcomes(line: Line, retried: Retried) -> list[str]:
    """Say what a retry has brought, and for each stream that still waits, why."""
    taken = f"{retried.taken} facts taken in"
    if not retried.waiting:
        return [f"{line}: {taken}" if retried.taken else f"{line}: nothing was parked"]
    stopped = [f"  {sentence(line, fact)}" for fact in retried.stopped]
    return [f"{line}: {taken}, {retried.waiting} still wait", *stopped]
