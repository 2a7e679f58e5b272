"""The gateway put together: connection, read models, sessions, and whoever asks the owners."""

from typing import Any

import structlog

from services.gateway.settings import GatewaySettings
from services.gateway.shell.belonging import Belonging
from services.gateway.shell.company import Company, Links
from services.gateway.shell.conduct import Conducts
from services.gateway.shell.following import Following
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.moves import AnyWord, Say, command_of
from services.gateway.shell.names import Names
from services.gateway.shell.news import News
from services.gateway.shell.own_cards import OwnCards
from services.gateway.shell.progress import Progress
from services.gateway.shell.proofs import Owners
from services.gateway.shell.refusals import refusal_of
from services.gateway.shell.requests import GATEWAY
from services.gateway.shell.session_time import SessionTime
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Tables
from services.gateway.shell.tickets import Tickets
from services.gateway.shell.time_limits import TimeLimits
from services.gateway.shell.tokens import Caller, Tokens
from shared.contracts.commit import Actor
from shared.contracts.edge import Accepted, Declined
from shared.kernel.ids import new_id
from shared.runtime.asking import Asking
from shared.runtime.health import Health
from shared.runtime.ports import Broker, Clock, Entropy
from shared.runtime.supervisor import Supervisor

log = structlog.get_logger()


class Gateway:
    """Everything that handlers need; it decides nothing and remembers nothing of its own."""

    def __init__(
        self,
        settings: GatewaySettings,
        broker: Broker,
        clock: Clock,
        entropy: Entropy,
        health: Health,
        links: Links,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.health = health
        self.tokens = Tokens(settings.gateway_token_secret, settings.gateway_operators)
        self.lobby = Lobby()
        self.tables = Tables()
        self.sessions = Sessions()
        self.progress = Progress()
        self.conducts = Conducts()
        self.tickets = Tickets()
        self._entropy = entropy
        self._asking = Asking(broker, clock, entropy, settings.shards(), GATEWAY)
        self.names = Names(self._asking)
        self.owners = Owners(broker, settings.shards())
        self._own_cards = OwnCards(self._asking, entropy, self.sessions, self.tables)
        time_limits = TimeLimits()
        self._session_time = SessionTime(time_limits, self.sessions, self._asking, clock)
        self.news = News(
            self.lobby,
            self.tables,
            self.sessions,
            self._own_cards,
            self.progress,
            time_limits,
            self.conducts,
            self.names,
            self.tickets,
        )
        self.company = Company(
            links, self._asking, clock, health, self.sessions, self.tables, settings
        )
        self._belonging = Belonging(links.platform, settings.shards(), clock, health)
        self._following = Following(broker, clock, health, self.news, self.progress)

    def new_id(self, prefix: str) -> str:
        """Make an id."""
        return new_id(prefix, self.clock.now_ms(), self._entropy(10))

    def enter(self, session: Session) -> None:
        """Let a session in; its player is connected again."""
        self.news.enter(session)
        self.company.opened(session.player)
        self._session_time.opened(session.player)

    def leave(self, session: Session) -> None:
        """Forget a session that has ended."""
        self.sessions.remove(session)
        self.company.closed(session.player)
        self._session_time.closed(session.player)

    async def ask(
        self,
        service: str,
        stream: str,
        command: Any,
        by: Actor,
        command_id: str | None = None,
    ) -> Accepted:
        """Ask an owner; raise its refusal."""
        answer = await self._asking.ask(service, stream, command, by=by, command_id=command_id)
        if isinstance(answer, Declined):
            raise refusal_of(answer)
        return answer

    async def ask_table(
        self, table: str, said: AnyWord, caller: Caller, command_id: str
    ) -> Accepted:
        """Put what a player says to a table; whose chat is suspended is not heard (PP-CONDUCT)."""
        if isinstance(said, Say):
            self.conducts.let_speak(caller.id, self.clock.now_ms())
        command = command_of(said, caller.id)
        return await self.ask("table", table, command, caller.actor, command_id)

    async def work(self, supervisor: Supervisor) -> None:
        """Find the platform, read its lines, and be there; raise StartRefused when we may not."""
        deployment = await self._belonging.found()
        lines = self._following.start(supervisor, self.settings.shards())
        supervisor.start("platform", self._belonging.watch)
        await self._following.catch_up(lines)
        supervisor.start("session time", self._session_time.run)
        await self.company.run(supervisor, deployment)

    async def stop(self) -> None:
        """Leave to the others who is connected here, and tell everybody to go there."""
        await self.company.leave()
        self.sessions.end_all("shutting_down")

    async def close(self) -> None:
        """Tell the wallet the last of the session time, and stop asking."""
        await self._session_time.close()
        await self.company.close()
        await self._own_cards.close()
