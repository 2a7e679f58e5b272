"""The gateway put together: connection, read models, sessions, and whoever asks the owners."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog

from services.gateway.settings import GatewaySettings
from services.gateway.shell.following import Following
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.news import News
from services.gateway.shell.own_cards import OwnCards
from services.gateway.shell.presence import GATEWAY, Presence
from services.gateway.shell.progress import Progress
from services.gateway.shell.refusals import refusal_of
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Tables
from services.gateway.shell.tokens import Tokens
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
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.health = health
        self.tokens = Tokens(settings.gateway_token_secret, settings.gateway_operators)
        self.lobby = Lobby()
        self.tables = Tables()
        self.sessions = Sessions()
        self.progress = Progress()
        self._entropy = entropy
        self._asking = Asking(broker, clock, entropy, settings.shards(), GATEWAY)
        self._own_cards = OwnCards(self._asking, entropy, self.sessions, self.tables)
        self.news = News(self.lobby, self.tables, self.sessions, self._own_cards, self.progress)
        self.presence = Presence(
            self._asking, clock, self.sessions, self.tables, settings.gateway_absent_ms
        )
        self._following = Following(broker, clock, health, self.news, self.progress)

    def new_id(self, prefix: str) -> str:
        """Make an id."""
        return new_id(prefix, self.clock.now_ms(), self._entropy(10))

    def enter(self, session: Session) -> None:
        """Let a session in; its player is connected again."""
        self.news.enter(session)
        self.presence.returned(session.player)

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

    @asynccontextmanager
    async def running(self, supervisor: Supervisor) -> AsyncIterator[None]:
        """Follow, and watch who is connected, while the block runs."""
        lines = self._following.start(supervisor, self.settings.shards())

        async def watch() -> None:
            await self._following.catch_up(lines)
            await self.presence.run()

        supervisor.start("presence", watch)
        try:
            yield
        finally:
            self.sessions.end_all("shutting_down")
            await self.presence.close()
            await self._own_cards.close()
