"""What the last players share: one offers a deal, and all must agree, or it is played on."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from shared.contracts.director import (
    AnswerDeal,
    DealAgreed,
    DealFailed,
    DealProposed,
    OfferDeal,
    PlayerEliminated,
    TableBroken,
    TournamentCancelled,
)
from tests.simulation.buying import ask

if TYPE_CHECKING:
    from tests.simulation.players import Bot, Crowd

OFFERS, DECLINES = 0.5, 0.1
ONE_LESS = {PlayerEliminated, TableBroken}
ENDS_A_DEAL = {DealAgreed, DealFailed, TournamentCancelled}


class Deals:
    """The deals that wait for answers, by tournament."""

    def __init__(self, crowd: "Crowd") -> None:
        self._crowd = crowd
        self._open: dict[str, DealProposed] = {}

    def see(self, stream: str, events: Iterable[Any]) -> None:
        for event in events:
            kind = type(event)
            if kind is DealProposed:
                self._open[stream] = event
            elif kind in ENDS_A_DEAL:
                self._open.pop(stream, None)

    def act(self, stream: str, events: Iterable[Any]) -> None:
        """Offer whenever fewer players or tables are left, often still too many; answer."""
        for event in events:
            kind = type(event)
            if kind in ONE_LESS and self._crowd.terms[stream].deals:
                for bot in self._crowd.bots.values():
                    if bot.chance.random() < OFFERS:
                        self._crowd.work(offer(bot, stream))
            elif kind is DealProposed:
                self._answer(stream)

    def forget(self) -> None:
        self._open.clear()

    def answer_again(self) -> None:
        """Nobody may have heard what was answered before."""
        for stream in self._open:
            self._answer(stream)

    def _answer(self, stream: str) -> None:
        for share in self._open[stream].shares:
            self._crowd.work(answer(self._crowd.bots[share.player], stream))


async def offer(bot: "Bot", stream: str) -> None:
    await ask(bot, stream, OfferDeal(player=bot.name, method=bot.chance.choice(("icm", "chips"))))


async def answer(bot: "Bot", stream: str) -> None:
    """Think, and agree most often."""
    await asyncio.sleep(bot.chance.expovariate(20))
    agree = bot.chance.random() >= DECLINES
    await ask(bot, stream, AnswerDeal(player=bot.name, agree=agree))
