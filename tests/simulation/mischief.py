"""What players do that they should not: each of it must be refused, or change nothing."""

import asyncio
from typing import TYPE_CHECKING, Any

from shared.contracts.dealer import AskSeatKey
from shared.contracts.edge import Accepted, decode_answer
from shared.contracts.table import Fold, RaiseTo
from shared.kernel.sharding import shard_of
from shared.runtime.ports import BrokerUnavailable, Line
from shared.runtime.sealed import new_reply_key
from tests.simulation.turns import OpenTurn

if TYPE_CHECKING:
    from tests.simulation.players import Bot


async def mischief(bot: "Bot", table: str, opened: OpenTurn) -> None:
    """Do one of them, by chance."""
    doing = bot.chance.choice(
        (for_another, out_of_turn, too_much, again, twice_paid, foreign_key, garbage, away)
    )
    await doing(bot, table, opened)


async def for_another(bot: "Bot", table: str, opened: OpenTurn) -> None:
    """Another player's decision is none of this one's, whatever number it names."""
    others = [name for name in bot.crowd.bots if name != bot.name]
    other = bot.chance.choice(others)
    turn = opened.turn
    await refused(bot, table, Fold(hand=opened.hand, player=other, decision=turn.decision))


async def out_of_turn(bot: "Bot", table: str, opened: OpenTurn) -> None:
    """A number that is over, or so far off that no request is late enough to be right by then."""
    decision = opened.turn.decision + bot.chance.choice((-1, 1_000))
    await refused(bot, table, Fold(hand=opened.hand, player=bot.name, decision=decision))


async def too_much(bot: "Bot", table: str, opened: OpenTurn) -> None:
    base = {"hand": opened.hand, "player": bot.name, "decision": opened.turn.decision}
    beyond = opened.turn.max_raise_to + bot.chance.choice((1, 1_000_000))
    await refused(bot, table, RaiseTo(to_chips=beyond, **base))


async def refused(bot: "Bot", table: str, command: Any) -> None:
    if isinstance(await bot.send(table, command), Accepted):
        bot.crowd.broken("what is not allowed is refused", repr(command))


async def again(bot: "Bot", _table: str, _opened: OpenTurn) -> None:
    """An old command again, under its old id: the laws on repeats know the answer."""
    if bot.sent:
        await bot.send(*bot.chance.choice(bot.sent))


async def twice_paid(bot: "Bot", _table: str, _opened: OpenTurn) -> None:
    """A payment has a reference, once for ever."""
    answer = await bot.crowd.tell("wallet", "journal", bot.deposit(), bot.me)
    if isinstance(answer, Accepted) and answer.events:
        bot.crowd.broken("what is not allowed is refused", repr(answer))


async def foreign_key(bot: "Bot", _table: str, opened: OpenTurn) -> None:
    """The key of a seat is its player's alone."""
    key = new_reply_key(bot.chance.randbytes)
    seat = opened.turn.seat % 10 + 1
    ask = AskSeatKey(hand=opened.hand, seat=seat, player=bot.name, to_key=key.public)
    if isinstance(await bot.crowd.tell("dealer", opened.hand, ask, bot.me), Accepted):
        bot.crowd.broken("what is not allowed is refused", repr(ask))


async def garbage(bot: "Bot", table: str, _opened: OpenTurn) -> None:
    """Bytes that are no request get a typed refusal."""
    line = Line("table", shard_of(table, bot.crowd.world.shards["table"]))
    data = bot.chance.choice((b"", b"{}", b"[" * 2_000, b"\xff\x00", b'{"id": 1}'))
    try:
        reply = await bot.crowd.world.desk.broker.request(line.request("fold"), data, 1.0)
    except BrokerUnavailable:
        return
    if isinstance(decode_answer.decode(reply), Accepted):
        bot.crowd.broken("what is not allowed is refused", repr(data))


async def away(bot: "Bot", table: str, _opened: OpenTurn) -> None:
    """Out for a while, which is allowed."""
    bot.crowd.work(bot.go_out_for_a_while(table))
    await asyncio.sleep(0)
