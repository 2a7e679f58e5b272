"""Two operators give a tournament up in some worlds, at a moment that nothing has chosen.

One opens it, reads the sheet until it is final, and another approves it; or it is withdrawn, and
all play on. Now and then a table that halts too slowly is left out, the one who opened it tries
to approve it too, or somebody approves another sheet. After a restore they begin anew: what they
had done may be undone.
"""

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from shared.contracts.commit import Actor
from shared.contracts.director import (
    ApproveSheet,
    CancelTournament,
    LeaveTableOut,
    ReadSheet,
    SheetPage,
    WithdrawCancellation,
)
from shared.contracts.edge import Accepted, Answer, Declined
from shared.runtime.asking import reply_of

if TYPE_CHECKING:
    from tests.simulation.players import Crowd

IN_WORLDS, IN_SERIES = 0.2, 0.6
FIRST, SECOND = Actor("operator", "operator"), Actor("operator", "second")
ANY_MOMENT, MOMENT_SECONDS = 0.15, 4.0
AFTER_THE_START_SECONDS = 1.0
LOOK_SECONDS = 0.2
LEAVES_OUT, WITHDRAWS, TRIES_MORE = 0.05, 0.35, 0.3
REASON = "the power is gone"
TOO_LATE = {"unknown_tournament", "already_finished", "already_cancelled", "already_cancelling"}


class Operators:
    """Who gives up what, and whether at all: drawn apart, so that other worlds stay as they are."""

    def __init__(self, crowd: "Crowd", chance: Random) -> None:
        self._crowd = crowd
        self._chance = chance
        often = IN_SERIES if crowd.world.size == "series" else IN_WORLDS
        self.wanted = chance.random() < often
        self._tournament = chance.choice(list(crowd.terms))

    async def give_up(self) -> None:
        """Open it, and go one way or the other."""
        await self._moment()
        opened = await self._tell(CancelTournament(author=FIRST.id, reason=REASON), FIRST)
        if isinstance(opened, Declined):
            if opened.reason not in TOO_LATE:
                self._crowd.broken("a tournament can be given up", str(opened))
        elif self._chance.random() < WITHDRAWS:
            await asyncio.sleep(self._chance.expovariate(2))
            await self._tell(WithdrawCancellation(author=FIRST.id, reason=REASON), FIRST)
            if self._chance.random() < TRIES_MORE:
                await self.give_up()
        else:
            await self._pay_out()

    async def _moment(self) -> None:
        """Mostly while it runs, sometimes before, or when it is over."""
        if self._chance.random() < ANY_MOMENT:
            await asyncio.sleep(self._chance.uniform(0, MOMENT_SECONDS))
            return
        while self._tournament not in self._crowd.closed:
            await self._crowd.world.loop.pause(LOOK_SECONDS)
        await asyncio.sleep(self._chance.expovariate(1 / AFTER_THE_START_SECONDS))

    async def _pay_out(self) -> None:
        """Read until it is final, or there is nothing to read: it was not running."""
        while isinstance(answer := await self._tell(ReadSheet(), SECOND), Accepted):
            page: SheetPage = reply_of(answer, SheetPage)
            if page.stage == "approved":
                return
            if page.final:
                await self._approve(page.sheet_hash)
            for table in page.waiting if self._chance.random() < LEAVES_OUT else ():
                await self._tell(LeaveTableOut(table=table, author=FIRST.id, reason=REASON), FIRST)
            await asyncio.sleep(LOOK_SECONDS)

    async def _approve(self, sheet_hash: str) -> None:
        if self._chance.random() < TRIES_MORE:
            await self._refused(ApproveSheet(author=FIRST.id, sheet_hash=sheet_hash), FIRST)
            await self._refused(ApproveSheet(author=SECOND.id, sheet_hash="0" * 64), SECOND)
        approval = ApproveSheet(author=SECOND.id, sheet_hash=sheet_hash)
        copies = 2 if self._chance.random() < TRIES_MORE else 1
        answers = await asyncio.gather(*[self._tell(approval, SECOND) for _ in range(copies)])
        for answer in answers:
            if isinstance(answer, Declined):
                self._crowd.broken("the final sheet can be approved", str(answer))

    async def _refused(self, approval: ApproveSheet, by: Actor) -> None:
        if isinstance(await self._tell(approval, by), Accepted):
            self._crowd.broken("what is not allowed is refused", repr(approval))

    async def _tell(self, command: Any, by: Actor) -> Answer:
        return await self._crowd.tell("director", self._tournament, command, by)
