"""What players do in a Big Shoot beside playing: who has qualified may withdraw instead."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from shared.contracts.director import LeftBigShoot, PlayersQualified, QualifiersNamed, Withdraw
from tests.simulation.buying import ask

if TYPE_CHECKING:
    from tests.simulation.players import Bot, Crowd

WITHDRAWS, STUBBORN = 0.3, 0.05
ENTRIES = {PlayersQualified: "registered", QualifiersNamed: "gone on", LeftBigShoot: "out"}
"""What a commit says of several players' entries."""

STILL_IN = {"pending", "registered"}


def qualify(crowd: "Crowd", stream: str, events: Iterable[Any]) -> None:
    """Let some of those who have qualified leave with a part payment, or try to."""
    for event in events:
        if type(event) is PlayersQualified:
            for player in event.players:
                if crowd.bots[player].chance.random() < WITHDRAWS:
                    crowd.work(withdraw(crowd.bots[player], stream))


async def withdraw(bot: "Bot", stream: str) -> None:
    await asyncio.sleep(bot.chance.expovariate(2))
    await ask(bot, stream, Withdraw(player=bot.name))


def is_kept_from(bot: "Bot", tournament: str) -> bool:
    """Tell whether a player, being in another one of the series, does not even try this one."""
    if bot.crowd.terms[tournament].big_shoot is None:
        return False
    elsewhere = (entry for name, entry in bot.entries.items() if name != tournament)
    return not STILL_IN.isdisjoint(elsewhere) and bot.chance.random() >= STUBBORN
