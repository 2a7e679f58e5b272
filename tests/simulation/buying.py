"""What players buy while they play: most take the rebuy on offer, some an add-on, some change."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from shared.contracts.director import (
    AddOn,
    DeclineRebuy,
    LevelBegan,
    Rebuy,
    RebuyOffered,
)

if TYPE_CHECKING:
    from tests.simulation.players import Bot, Crowd

AGAIN, NEVER, MORE, TWICE = 0.7, 0.15, 0.4, 0.2


def buy(crowd: "Crowd", stream: str, events: Iterable[Any]) -> None:
    """Let players answer what a tournament offers them."""
    for event in events:
        if type(event) is RebuyOffered:
            crowd.work(decide(crowd.bots[event.player], stream))
        elif type(event) is LevelBegan and crowd.terms[stream].add_on is not None:
            for bot in crowd.bots.values():
                if bot.chance.random() < MORE:
                    crowd.work(ask(bot, stream, AddOn(player=bot.name)))


async def decide(bot: "Bot", stream: str) -> None:
    """Buy again, leave, or let the offer lapse."""
    luck = bot.chance.random()
    await asyncio.sleep(bot.chance.expovariate(5))
    if luck < AGAIN:
        await ask(bot, stream, Rebuy(player=bot.name))
    elif luck < AGAIN + NEVER:
        await ask(bot, stream, DeclineRebuy(player=bot.name))


async def ask(bot: "Bot", stream: str, command: Any) -> None:
    """Ask, sometimes the same command twice: that is done once."""
    command_id = bot.crowd.command_id()
    copies = 2 if bot.chance.random() < TWICE else 1
    asked = [bot.crowd.tell("director", stream, command, bot.me, command_id) for _ in range(copies)]
    await asyncio.gather(*asked)
