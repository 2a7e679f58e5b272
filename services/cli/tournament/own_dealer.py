"""Draws without a dealer's process: its own core on its own log, where its vault key is at hand.

Ties between players of several tables are drawn, also in a tournament that is given up.
"""

import os

from services.dealer.settings import DealerSettings
from services.dealer.shell.app import compose
from shared.contracts.commit import Actor
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.roles import role_of
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.alone import NoBroker, working_alone
from shared.runtime.asking import Asking
from shared.runtime.ports import Line, NoResponders, Requests
from shared.runtime.service import World, of_other_services
from shared.runtime.settings import load

DEALER = "dealer"
CLOCK = SystemClock()


class OwnDealerSettings(DealerSettings, frozen=True, kw_only=True):
    """The dealer's; there is no NATS."""

    nats_url: str = ""


class OwnDealer:
    """Answers requests to the dealer's lines."""

    def __init__(self, settings: OwnDealerSettings, shards: dict[str, int]) -> None:
        self._settings = settings
        self._shards = shards

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:  # noqa: ARG002
        _, service, shard, verb = subject.split(".")
        if service != DEALER:
            raise NoResponders(subject)
        return await self._answered(Line(DEALER, int(shard)), verb, data)

    async def _answered(self, line: Line, verb: str, data: bytes) -> bytes:
        settings, me = self._settings, Actor("service", DEALER)
        world = World(CLOCK, entropy, Asking(NoBroker(), CLOCK, entropy, self._shards, me))
        threads, used = Threads(), PostgresDecks(settings.database_url, role_of(DEALER))
        store = PostgresStore(settings.database_url, line, threads, role_of(DEALER), patient=True)
        aggregate, count = compose(settings, world, used), self._shards[DEALER]
        try:
            async with working_alone(
                line, aggregate, store, count, CLOCK, entropy, settings.build
            ) as alone:
                return await alone.answer(verb, data)
        finally:
            store.close()
            used.close()
            threads.close()


def own_dealer(shards: dict[str, int]) -> Requests:
    """Be the dealer where a vault key is named, else nobody is."""
    settings = load(OwnDealerSettings, os.environ, of_other_services(DEALER, os.environ))
    if settings.dealer_vault_key_file or settings.dealer_vault_key:
        return OwnDealer(settings, shards)
    return NoBroker()
