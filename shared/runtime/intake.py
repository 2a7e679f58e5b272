"""The intake of one shard: bytes from anybody in, an answer out, nothing believed."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from shared.contracts.commit import Cause
from shared.contracts.edge import (
    REQUEST_BYTES_MAX,
    Answer,
    Declined,
    LogPage,
    LogRow,
    Request,
    decode_read,
    decode_request,
    encode,
)
from shared.contracts.message import tag_of
from shared.contracts.strict import StrictDecoder
from shared.kernel.ids import is_id, time_of
from shared.kernel.sharding import shard_of
from shared.runtime.answers import TOO_EARLY_MS, TOO_OLD_MS
from shared.runtime.ports import Clock, StoreUnavailable
from shared.runtime.retrying import Retrying
from shared.runtime.shard import Shard

NAME_CHARACTERS_MAX = 128  # What everybody may write into a commit beside its events.
LOG_BYTES_MAX = 512 * 1024
LOG_ROWS_MAX = 500

Serve = Callable[[bytes], Awaitable[bytes]]


class Intake:
    """Answers requests for one shard; refusals come in this order of precedence.

    `request_too_large`, `malformed`, `command_id_invalid`, `command_too_old`,
    `command_from_the_future`, `stream_invalid`, `wrong_shard`, `line_stopped`, then what
    the core refuses, then `unavailable`.
    """

    def __init__(self, shard: Shard, shards: int, clock: Clock) -> None:
        self._shard = shard
        self._shards = shards
        self._clock = clock

    def verbs(self) -> dict[str, Serve]:
        """Return a handler per verb: one for each request, `log`, and those of the inbox."""
        handlers: dict[str, Serve] = {
            verb: self._serving(request) for verb, request in self._shard.aggregate.verbs().items()
        }
        inbox = Retrying(self._shard, self._shards)
        return {
            **handlers,
            "log": self.read_log,
            "inbox": inbox.read_inbox,
            "inbox-retry": inbox.retry_inbox,
        }

    def _serving(self, request: type[Any]) -> Serve:
        decoder = StrictDecoder(request)

        async def serve(data: bytes) -> bytes:
            return encode(await self._answer(data, decoder))

        serve.__doc__ = f"{tag_of(request)}: {request.__doc__}"
        return serve

    async def _answer(self, data: bytes, decoder: StrictDecoder) -> Answer:
        if len(data) > REQUEST_BYTES_MAX:
            return Declined(reason="request_too_large", detail=f"at most {REQUEST_BYTES_MAX} bytes")
        try:
            request = decode_request(data)
            command = decoder.decode(request.command)
        except (msgspec.MsgspecError, RecursionError) as error:
            return Declined(reason="malformed", detail=str(error))
        if wrong := self._wrong(request):
            return wrong
        try:
            cause = Cause(command=request.id)
            return await self._shard.submit(
                request.stream, command, request.by, cause, request.saga
            )
        except StoreUnavailable as error:
            return Declined(reason="unavailable", detail=str(error))

    def _wrong(self, request: Request) -> Declined | None:
        if max(len(request.by.id), len(request.saga or "")) > NAME_CHARACTERS_MAX:
            return Declined(reason="malformed", detail=f"names: at most {NAME_CHARACTERS_MAX}")
        if not is_id(request.id, "cmd"):
            return Declined(reason="command_id_invalid", detail=request.id[:64])
        age_ms = self._clock.now_ms() - time_of(request.id)
        if age_ms > TOO_OLD_MS:
            return Declined(reason="command_too_old", detail=f"{age_ms // 1000} s")
        if age_ms < -TOO_EARLY_MS:
            return Declined(reason="command_from_the_future", detail=f"{-age_ms // 1000} s")
        if not self._shard.aggregate.owns(request.stream):
            return Declined(reason="stream_invalid", detail=request.stream[:64])
        if shard_of(request.stream, self._shards) != self._shard.line.shard:
            return Declined(reason="wrong_shard", detail=str(self._shard.line))
        return None

    async def read_log(self, data: bytes) -> bytes:
        """Return rows of the log after a number, as many as fit (`ReadLog`, `LogPage`)."""
        try:
            read = decode_read(data)
        except (msgspec.MsgspecError, RecursionError) as error:
            return encode(Declined(reason="malformed", detail=str(error)))
        limit = max(1, min(read.limit, LOG_ROWS_MAX))
        try:
            last = await self._shard.store.last_number()
            rows = await self._shard.store.read_log(max(read.after, 0), limit, read.klass)
        except StoreUnavailable as error:
            return encode(Declined(reason="unavailable", detail=str(error)))
        size = 0
        fitting: list[LogRow] = []
        for row in rows:
            size += len(row.data) * 4 // 3
            if fitting and size > LOG_BYTES_MAX:
                break
            fitting.append(row)
        return encode(LogPage(rows=tuple(fitting), last=last))
