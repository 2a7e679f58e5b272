"""Reading the whole platform's status over NATS: the leases, and a word from every owner."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from shared.contracts.edge import Declined, LineStatus, decode_status
from shared.contracts.registry import SERVICES
from shared.runtime.adapters.leases import Shared, read_shared
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.ports import BrokerUnavailable, Deployment, Line, NoResponders
from shared.runtime.reach import GATEWAY

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 5.0


class LineReport(msgspec.Struct, frozen=True, kw_only=True):
    """One line: who has its lease, and what its owner says, or why it says nothing.

    `behind` is by how many numbers of its log each followed upstream is ahead.
    """

    line: str
    holder: str | None
    status: LineStatus | None = None
    silent: str = ""
    behind: dict[str, int] = {}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The platform at one moment; `members` are the processes of each service."""

    deployment: str
    members: dict[str, tuple[str, ...]]
    lines: tuple[LineReport, ...]


async def read(nats_url: str, services: Sequence[str] = SERVICES) -> Report:
    """Ask every owner; raise BrokerUnavailable when there is nobody to ask through."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            client = await connect(nats_url, "status")
    except TimeoutError as error:
        raise BrokerUnavailable(f"{nats_url} does not answer") from error
    try:
        shared = {service: await read_shared(client, service) for service in services}
        found = the_deployment(shared)
        broker = NatsBroker(client)
        lines = [
            (Line(service, number), shared[service].holders.get(number))
            for service in services
            for number in range(found.shards.get(service, 0))
        ]
        reports = await asyncio.gather(*[ask(broker, line, holder) for line, holder in lines])
    finally:
        await client.close()
    members = {
        service: shared[service].members
        for service in services
        if service in found.shards or service == GATEWAY
    }
    return Report(deployment=found.id, members=members, lines=with_lag(reports))


def the_deployment(shared: Mapping[str, Shared]) -> Deployment:
    """Any service that has ever joined names it, with the shards of all."""
    for one in shared.values():
        if one.deployment is not None:
            return one.deployment
    raise BrokerUnavailable("no service has joined here: is this the platform's NATS?")


async def ask(broker: NatsBroker, line: Line, holder: str | None) -> LineReport:
    """Ask a line's owner how it is."""
    try:
        data = await broker.request(line.request("status"), b"", ANSWER_SECONDS)
        answer = decode_status.decode(data)
    except NoResponders:
        return LineReport(line=str(line), holder=holder, silent="nobody answers for it")
    except (BrokerUnavailable, msgspec.MsgspecError) as error:
        return LineReport(line=str(line), holder=holder, silent=str(error))
    if isinstance(answer, Declined):
        return LineReport(line=str(line), holder=holder, silent=f"{answer.reason} {answer.detail}")
    return LineReport(line=str(line), holder=holder, status=answer)


def with_lag(reports: list[LineReport]) -> tuple[LineReport, ...]:
    """Say of each line how far it is behind those it follows."""
    ends = {report.line: report.status.last_m for report in reports if report.status}
    return tuple(
        msgspec.structs.replace(report, behind=behind(report.status, ends))
        if report.status
        else report
        for report in reports
    )


def behind(status: LineStatus, ends: Mapping[str, int]) -> dict[str, int]:
    """Compare its positions with the ends of the lines that it follows."""
    return {
        read.upstream: max(ends[read.upstream] - read.position, 0)
        for read in status.following
        if read.upstream in ends
    }
