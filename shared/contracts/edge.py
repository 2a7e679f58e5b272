"""What travels between services besides facts: requests, their answers, and reads of a log."""

import msgspec

from shared.contracts.commit import Actor

NO_REPLY = msgspec.Raw(b"null")
REQUEST_BYTES_MAX = 64 * 1024


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One command for one stream; `id` is `cmd_…` and carries the time it was made.

    The same id again gets the first answer; older than ten minutes is refused.
    """

    id: str
    by: Actor
    stream: str
    command: msgspec.Raw
    saga: str | None = None


class Accepted(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="accepted"):
    """Decided and durable: the commit's stream and number, its events, and any reply."""

    stream: str
    n: int
    events: tuple[msgspec.Raw, ...] = ()
    reply: msgspec.Raw = NO_REPLY


class Declined(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="refused"):
    """Refused, with a snake_case reason; nothing was changed."""

    reason: str
    detail: str = ""


Answer = Accepted | Declined


class ReadLog(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask a shard's owner for commits after a number; `klass` "m" leaves details out."""

    after: int
    limit: int = 256
    klass: str = ""


class LogRow(msgspec.Struct, frozen=True):
    """One commit of a log: its number there, its class, its bytes."""

    number: int
    stream: str
    n: int
    klass: str
    data: bytes


class LogPage(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="log"):
    """Rows in order; `last` is the log's newest number at the time of reading."""

    rows: tuple[LogRow, ...]
    last: int


encode = msgspec.json.Encoder().encode
decode_request = msgspec.json.Decoder(Request).decode
decode_answer: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
decode_read = msgspec.json.Decoder(ReadLog).decode
decode_page: msgspec.json.Decoder[LogPage | Declined] = msgspec.json.Decoder(LogPage | Declined)
