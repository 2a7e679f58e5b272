"""One gateway among others: there while it serves, its players listed, lost ones helped."""

from typing import NamedTuple

from services.gateway.settings import GatewaySettings
from services.gateway.shell.attending import Attending
from services.gateway.shell.belonging import Read
from services.gateway.shell.membership import Members, Membership
from services.gateway.shell.presence import Presence
from services.gateway.shell.reconnecting import Reconnecting
from services.gateway.shell.requests import Requests
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.tables import Tables
from shared.runtime.asking import Asking
from shared.runtime.health import Health
from shared.runtime.ports import Attendance, Clock, Deployment
from shared.runtime.supervisor import Supervisor


class Links(NamedTuple):
    """What joins this life of a gateway with the other gateways and with the platform."""

    life: str
    members: Members
    attendance: Attendance
    platform: Read


class Company:
    """Membership, the list of who is connected where, and what follows from both for players."""

    def __init__(
        self,
        links: Links,
        asking: Asking,
        clock: Clock,
        health: Health,
        sessions: Sessions,
        tables: Tables,
        settings: GatewaySettings,
    ) -> None:
        self._sessions = sessions
        self._membership = Membership(
            links.life, links.members, links.attendance, clock, health, settings.lease_ttl_s
        )
        self._attending = Attending(links.life, links.attendance, sessions, clock)
        self._requests = Requests(asking)
        self._presence = Presence(
            self._membership,
            self._attending,
            sessions,
            tables,
            self._requests,
            clock,
            settings.gateway_absent_ms,
        )
        self._reconnecting = Reconnecting(
            self._membership,
            self._attending,
            links.attendance,
            tables,
            self._requests,
            clock,
            settings.gateway_reconnect_ms,
        )

    def opened(self, player: str) -> None:
        """A session has opened; its player is connected again."""
        if self._sessions.count(player) == 1:
            self._attending.changed(player)
        self._presence.returned(player)

    def closed(self, player: str) -> None:
        """A session has closed."""
        if not self._sessions.present(player):
            self._attending.changed(player)

    async def run(self, supervisor: Supervisor, deployment: Deployment) -> None:
        """Be there for ever; raise StartRefused when we may not."""
        supervisor.start("attendance read", self._attending.read)
        supervisor.start("attendance write", self._attending.write)
        supervisor.start("beat", self._membership.beat)
        supervisor.start("presence", self._presence.run)
        supervisor.start("reconnecting", self._reconnecting.run)
        await self._membership.run(deployment)

    async def leave(self) -> None:
        """Leave our list of players to the others, and go."""
        self._attending.close()
        await self._membership.leave()

    async def close(self) -> None:
        """Stop asking."""
        await self._requests.close()
