"""Ask another service's owner: the right shard, the same command id on every try."""

from typing import Any

import msgspec

from shared.contracts.commit import Actor, raw
from shared.contracts.edge import (
    REQUEST_BYTES_MAX,
    Accepted,
    Answer,
    Declined,
    Request,
    decode_answer,
    encode,
)
from shared.contracts.message import tag_of
from shared.kernel.ids import new_id
from shared.kernel.sharding import shard_of
from shared.runtime.ports import BrokerUnavailable, Clock, Entropy, Line, Requests

TRY_SECONDS = 2.0
GIVE_UP_MS = 10_000
PAUSE_SECONDS = 0.1


class Asking:
    """Requests from one service, or from the gateway, to the owners of streams."""

    def __init__(
        self, broker: Requests, clock: Clock, entropy: Entropy, shards: dict[str, int], me: Actor
    ) -> None:
        self._broker = broker
        self._clock = clock
        self._entropy = entropy
        self._shards = shards
        self._me = me

    def command_id(self) -> str:
        """Make an id for one command; it carries the time."""
        return new_id("cmd", self._clock.now_ms(), self._entropy(10))

    async def ask(
        self,
        service: str,
        stream: str,
        command: Any,
        *,
        by: Actor | None = None,
        command_id: str | None = None,
        saga: str | None = None,
    ) -> Answer:
        """Ask until answered, at most ten seconds, then say `unavailable`."""
        line = Line(service, shard_of(stream, self._shards[service]))
        request = Request(
            id=command_id or self.command_id(),
            by=by or self._me,
            stream=stream,
            command=raw(command),
            saga=saga,
        )
        subject = line.request(tag_of(type(command)).split(".")[1])
        data = encode(request)
        if len(data) > REQUEST_BYTES_MAX:
            return Declined(reason="request_too_large", detail=f"at most {REQUEST_BYTES_MAX} bytes")
        return await self._until_answered(subject, data)

    async def _until_answered(self, subject: str, data: bytes) -> Answer:
        give_up_ms = self._clock.now_ms() + GIVE_UP_MS
        while True:
            try:
                answer = decode_answer.decode(
                    await self._broker.request(subject, data, TRY_SECONDS)
                )
            except BrokerUnavailable as error:
                answer = Declined(reason="unavailable", detail=str(error))
            if not is_unavailable(answer) or self._clock.now_ms() >= give_up_ms:
                return answer
            await self._clock.sleep(PAUSE_SECONDS)


def is_unavailable(answer: Answer) -> bool:
    """Whether nobody could decide: the command may be tried again."""
    return isinstance(answer, Declined) and answer.reason == "unavailable"


def reply_of(answer: Accepted, reply: type[Any]) -> Any:
    """Decode what an answer carries beside its events."""
    return msgspec.json.decode(answer.reply, type=reply)
