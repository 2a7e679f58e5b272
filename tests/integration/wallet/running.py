"""The wallet as a process, to be killed, and those who ask it over NATS."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from services.wallet.shell.reactions import JOURNAL
from shared.contracts.edge import Accepted, Answer
from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.asking import Asking, is_unavailable
from tests.integration.runtime.running import RunningService
from tests.integration.wallet.journal import OPERATOR
from tests.people import signing_up

SHARDS = {"wallet": 1, "director": 1}


class WalletProcess(RunningService):
    """`python -m services.wallet`; it works in the database as the wallet's role."""

    def __init__(self, dsn: str, nats_url: str) -> None:
        super().__init__("wallet", dsn, nats_url, wallet_bonus_cents=0, lease_ttl_s=1)


class Client:
    """Asks the wallet with one command id until it has decided."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking

    async def ask(self, command: Any, command_id: str | None = None) -> Answer:
        command_id = command_id or self.asking.command_id()
        while True:
            answer = await self.asking.ask("wallet", JOURNAL, command, command_id=command_id)
            if not is_unavailable(answer):
                return answer

    async def accepted(self, command: Any) -> Accepted:
        answer = await self.ask(command)
        assert isinstance(answer, Accepted), answer
        return answer

    async def sign_up(self, player: str) -> None:
        for command in signing_up(player):
            await self.accepted(command)


@asynccontextmanager
async def client_at(nats_url: str) -> AsyncIterator[Client]:
    """Connect a client for the length of a block."""
    connection = await connect(nats_url, "client")
    yield Client(Asking(NatsBroker(connection), SystemClock(), entropy, SHARDS, OPERATOR))
    await disconnect(connection)
