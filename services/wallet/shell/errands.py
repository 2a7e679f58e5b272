"""Runs the batches of errands that the journal has recorded (law 2)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from services.wallet.core import Outcome, ParticipationIssued, SessionIssued, TakeOutcomes
from services.wallet.shell.outside import Outside
from shared.contracts.wallet import Errand, ErrandsAwaited, IssueParticipationId, IssueSessionId
from shared.runtime.aggregate import Asked
from shared.runtime.ports import BrokerUnavailable

log = structlog.get_logger()


class Errands:
    """Runs the errands of a batch side by side; what fails is left for a later batch."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._runs: dict[type[Any], Callable[[Any], Awaitable[Outcome]]] = {
            IssueSessionId: self._issue_session_id,
            IssueParticipationId: self._issue_participation_id,
        }

    async def ask(self, asked: Asked) -> TakeOutcomes:
        """Run a batch; raise BrokerUnavailable when nothing of it could be done."""
        batch: ErrandsAwaited = asked.question
        came = await asyncio.gather(*[self._run(errand) for errand in batch.errands])
        left = tuple(errand for errand, out in zip(batch.errands, came, strict=True) if out is None)
        outcomes = tuple(out for out in came if out is not None)
        if not outcomes:
            raise BrokerUnavailable("none of the errands could be run")
        return TakeOutcomes(number=batch.number, outcomes=outcomes, left=left)

    async def _run(self, errand: Errand) -> Outcome | None:
        try:
            return await self._runs[type(errand)](errand)
        except Exception:
            log.exception("errand_failed", errand=type(errand).__name__)
            return None

    async def _issue_session_id(self, errand: IssueSessionId) -> Outcome:
        issued = await self._outside.issuer.session_id(errand.tournament)
        return SessionIssued(errand.tournament, issued)

    async def _issue_participation_id(self, errand: IssueParticipationId) -> Outcome:
        issued = await self._outside.issuer.participation_id(errand.entry)
        return ParticipationIssued(errand.tournament, errand.entry, errand.player, issued)
