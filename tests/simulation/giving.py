"""Player entropy: what players do when a table invites seeds; some forget, some mean no good."""

import asyncio
from typing import TYPE_CHECKING

from shared.contracts.edge import Accepted
from shared.contracts.table import GiveSeed

if TYPE_CHECKING:
    from tests.simulation.players import Bot

SILENT, WRONG, TWICE = 0.15, 0.1, 0.15
SEED_BYTES = 32


async def give_seed(bot: "Bot", table: str, hand: str) -> None:
    """Give one seed, or none; late ones and wrong ones are refused and change nothing."""
    chance = bot.chance
    if chance.random() < SILENT:
        return
    await asyncio.sleep(chance.expovariate(20))
    if chance.random() < WRONG:
        wrong = GiveSeed(hand=hand, player=bot.name, seed=chance.randbytes(SEED_BYTES - 1))
        await refused(bot, table, wrong)
    seed = GiveSeed(hand=hand, player=bot.name, seed=chance.randbytes(SEED_BYTES))
    command_id = bot.crowd.command_id()
    copies = 2 if chance.random() < TWICE else 1
    answers = await asyncio.gather(*[bot.send(table, seed, command_id) for _ in range(copies)])
    if any(isinstance(answer, Accepted) for answer in answers) and chance.random() < TWICE:
        other = GiveSeed(hand=hand, player=bot.name, seed=chance.randbytes(SEED_BYTES))
        await refused(bot, table, other)


async def refused(bot: "Bot", table: str, seed: GiveSeed) -> None:
    answer = await bot.send(table, seed)
    if isinstance(answer, Accepted):
        bot.crowd.broken("a wrong seed is refused", f"{table} {seed.hand}: {seed}")
