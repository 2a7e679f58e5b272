"""The intake of one shard: bytes from anybody in, an answer out, nothing believed."""

from functools import cache
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.contracts.commit import Cause
from shared.contracts.edge import (
    ANSWER_BYTES_MAX,
    REQUEST_BYTES_MAX,
    Accepted,
    Answer,
    Declined,
    Request,
    decode_request,
    encode,
)
from shared.contracts.message import tag_of
from shared.contracts.strict import StrictDecoder
from shared.kernel.ids import time_of
from shared.kernel.sharding import shard_of
from shared.runtime.answers import TOO_EARLY_MS, TOO_OLD_MS
from shared.runtime.log_reading import LogReading, Serve
from shared.runtime.ports import Clock, StoreUnavailable
from shared.runtime.projection import Projection, Read
from shared.runtime.retrying import Retrying
from shared.runtime.shard import Shard

NAME_CHARACTERS_MAX = 128  # What everybody may write into a commit beside its events.


@cache
def strict_decoder(request: Any) -> StrictDecoder:
    """Make a request's decoder once for all lines of a process."""
    return StrictDecoder(request)


class Intake:
    """Answers requests for one shard; refusals come in this order of precedence.

    `request_too_large`, `malformed`, `command_id_invalid`, `command_too_old`,
    `command_from_the_future`, `stream_invalid`, `wrong_shard`, `line_stopped`, then what
    the core refuses, then `unavailable`.
    """

    def __init__(
        self, shard: Shard, shards: int, clock: Clock, projection: Projection | None = None
    ) -> None:
        self._shard = shard
        self._shards = shards
        self._clock = clock
        self._projection = projection

    def verbs(self) -> dict[str, Serve]:
        """Return a handler per verb: one for each request, those of the log and of the inbox."""
        handlers: dict[str, Serve] = {
            verb: self._serving(request) for verb, request in self._shard.aggregate.verbs().items()
        }
        inbox = Retrying(self._shard, self._shards)
        return {
            **handlers,
            **LogReading(self._shard).verbs(),
            "inbox": inbox.read_inbox,
            "inbox-retry": inbox.retry_inbox,
        }

    def _serving(self, request: Any) -> Serve:
        decoder = strict_decoder(request)
        read = self._shard.aggregate.reads.get(request)

        async def serve(data: bytes) -> bytes:
            asked = self._asked(data, decoder)
            if isinstance(asked, Declined):
                return encode(asked)
            given, command = asked
            if read:
                return encode(await self._read(given.stream, command, read))
            cause = Cause(command=given.id)
            try:
                return written(
                    await self._shard.submit(given.stream, command, given.by, cause, given.saga)
                )
            except StoreUnavailable as error:
                return encode(Declined(reason="unavailable", detail=str(error)))

        serve.__doc__ = f"{tag_of(request)}: {request.__doc__}"
        return serve

    def _asked(self, data: bytes, decoder: StrictDecoder) -> tuple[Request, Any] | Declined:
        """Return a request with its command, or what is wrong with it."""
        if len(data) > REQUEST_BYTES_MAX:
            return Declined(reason="request_too_large", detail=f"at most {REQUEST_BYTES_MAX} bytes")
        try:
            request = decode_request(data)
            command = decoder.decode(request.command)
        except (msgspec.MsgspecError, RecursionError) as error:
            return Declined(reason="malformed", detail=str(error))
        return self._wrong(request) or (request, command)

    async def _read(self, stream: str, command: Any, read: Read) -> Answer:
        if self._shard.stopped:
            return Declined(reason="line_stopped", detail=self._shard.stopped)
        if self._projection is None:
            return Declined(reason="unavailable", detail="this owner keeps no read model")
        return await self._projection.answer(stream, command, read)

    def _wrong(self, request: Request) -> Declined | None:
        if max(len(request.by.id), len(request.saga or "")) > NAME_CHARACTERS_MAX:
            return Declined(reason="malformed", detail=f"names: at most {NAME_CHARACTERS_MAX}")
        made_ms = made_at(request.id)
        if made_ms is None:
            return Declined(reason="command_id_invalid", detail=request.id[:64])
        age_ms = self._clock.now_ms() - made_ms
        if age_ms > TOO_OLD_MS:
            return Declined(reason="command_too_old", detail=f"{age_ms // 1000} s")
        if age_ms < -TOO_EARLY_MS:
            return Declined(reason="command_from_the_future", detail=f"{-age_ms // 1000} s")
        if not self._shard.aggregate.owns(request.stream):
            return Declined(reason="stream_invalid", detail=request.stream[:64])
        if shard_of(request.stream, self._shards) != self._shard.line.shard:
            return Declined(reason="wrong_shard", detail=str(self._shard.line))
        return None


def written(answer: Answer) -> bytes:
    """Write an answer; of a decision too large for one message the first events, as many as fit."""
    data = encode(answer)
    if len(data) <= ANSWER_BYTES_MAX or not isinstance(answer, Accepted):
        return data
    sizes = accumulate(len(bytes(event)) + 1 for event in answer.events)
    most = ANSWER_BYTES_MAX - len(encode(replace(answer, events=())))
    fit = sum(size <= most for size in sizes)
    return encode(replace(answer, events=answer.events[:fit]))


def made_at(command_id: str) -> int | None:
    """Return the moment in a command's id, None when it is none."""
    try:
        return time_of(command_id) if command_id.startswith("cmd_") else None
    except ValueError:
        return None
