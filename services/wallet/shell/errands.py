"""Runs the batches of errands that the journal has recorded (law 2)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog

from services.wallet.core import (
    KeyErased,
    Outcome,
    ParticipationIssued,
    SessionIssued,
    TakeOutcomes,
)
from services.wallet.shell.mailing import Mailing
from services.wallet.shell.outside import Outside
from services.wallet.shell.payments import Paying
from services.wallet.shell.persons import Persons
from shared.contracts.wallet import (
    EraseKey,
    Errand,
    ErrandsAwaited,
    IssueParticipationId,
    IssueSessionId,
    MailWarning,
    SendDeposit,
    SendWithdrawal,
)
from shared.runtime.aggregate import Asked

PAUSE_SECONDS: Final = 5.0

Sleep = Callable[[float], Awaitable[None]]

log = structlog.get_logger()


class Errands:
    """Runs the errands of a batch side by side; what fails is left for a later batch."""

    def __init__(self, outside: Outside, persons: Persons, sleep: Sleep = asyncio.sleep) -> None:
        self._outside = outside
        self._persons = persons
        self._sleep = sleep
        paying = Paying(outside.provider)
        self._runs: dict[type[Any], Callable[[Any], Awaitable[Outcome]]] = {
            SendDeposit: paying.deposit,
            SendWithdrawal: paying.withdrawal,
            MailWarning: Mailing(persons, outside.post).warn,
            EraseKey: self._erase_key,
            IssueSessionId: self._issue_session_id,
            IssueParticipationId: self._issue_participation_id,
        }

    async def ask(self, asked: Asked) -> TakeOutcomes:
        """Run a batch; one of which nothing could be done is given back, but not at once.

        So whoever does not answer is asked again every few seconds, and holds nobody else up.
        """
        batch: ErrandsAwaited = asked.question
        came = await asyncio.gather(*[self._run(errand) for errand in batch.errands])
        left = tuple(errand for errand, out in zip(batch.errands, came, strict=True) if out is None)
        outcomes = tuple(out for out in came if out is not None)
        if not outcomes:
            await self._sleep(PAUSE_SECONDS)
        return TakeOutcomes(number=batch.number, outcomes=outcomes, left=left)

    async def _run(self, errand: Errand) -> Outcome | None:
        try:
            return await self._runs[type(errand)](errand)
        except Exception:
            log.exception("errand_failed", errand=type(errand).__name__)
            return None

    async def _erase_key(self, errand: EraseKey) -> Outcome:
        await self._persons.destroy(errand.player)
        return KeyErased(errand.player)

    async def _issue_session_id(self, errand: IssueSessionId) -> Outcome:
        issued = await self._outside.issuer.session_id(errand.tournament)
        return SessionIssued(errand.tournament, issued)

    async def _issue_participation_id(self, errand: IssueParticipationId) -> Outcome:
        issued = await self._outside.issuer.participation_id(errand.entry)
        return ParticipationIssued(errand.tournament, errand.entry, errand.player, issued)
