"""The owners of lines, asked for their inboxes over NATS: no database is needed for that."""

from typing import TypeVar

import msgspec

from shared.contracts.edge import (
    Declined,
    InboxPage,
    ParkedFact,
    ReadInbox,
    Retried,
    RetryInbox,
    decode_inbox,
    decode_retried,
    encode,
)
from shared.runtime.ports import Broker, BrokerUnavailable, Line, NoResponders

Answered = TypeVar("Answered", InboxPage, Retried)

READ_SECONDS = 5.0
RETRY_SECONDS = 120.0


class NoAnswer(Exception):
    """A line's owner did not answer, or not with what was asked for."""


async def parked_at(broker: Broker, line: Line) -> tuple[ParkedFact, ...]:
    """Return all that is parked at a line."""
    facts: list[ParkedFact] = []
    page = InboxPage(facts=(), total=1)
    while len(facts) < page.total:
        after = facts[-1] if facts else ParkedFact("", 0, "", "", "")
        read = ReadInbox(upstream=after.upstream, after=after.number)
        data = await asked(broker, line.request("inbox"), encode(read), READ_SECONDS)
        page = understood(data, decode_inbox)
        if not page.facts:
            break
        facts += page.facts
    return tuple(facts)


async def retried_at(broker: Broker, line: Line) -> Retried:
    """Have all that is parked at a line fed again."""
    data = await asked(broker, line.request("inbox-retry"), encode(RetryInbox()), RETRY_SECONDS)
    return understood(data, decode_retried)


async def asked(broker: Broker, subject: str, data: bytes, seconds: float) -> bytes:
    try:
        return await broker.request(subject, data, seconds)
    except NoResponders:
        raise NoAnswer("nobody owns this line now") from None
    except BrokerUnavailable as error:
        raise NoAnswer(str(error)) from error


def understood(data: bytes, decoder: msgspec.json.Decoder[Answered | Declined]) -> Answered:
    try:
        answer = decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise NoAnswer(f"the answer is malformed: {error}") from error
    if isinstance(answer, Declined):
        raise NoAnswer(f"{answer.reason} {answer.detail}".strip())
    return answer
