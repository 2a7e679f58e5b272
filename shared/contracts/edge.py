"""What travels between services besides facts: requests, their answers, and reads of a log."""

import msgspec

from shared.contracts.commit import Actor

NO_REPLY = msgspec.Raw(b"null")
REQUEST_BYTES_MAX = 64 * 1024
ANSWER_BYTES_MAX = 1_000 * 1024  # NATS carries 1 MiB, its headers among them.


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
    """Decided and durable: the commit's stream and number, its events, and any reply.

    Of more events than fit into a message only the first are here; the log has all of them.
    """

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


class ReadStream(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask a shard's owner for the commits of one of its streams after a number of that stream."""

    stream: str
    after: int = 0
    limit: int = 256


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


class ReadInbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask a shard's owner which upstream facts are parked, after one of them or from the first."""

    upstream: str = ""
    after: int = 0
    limit: int = 100


class ParkedFact(msgspec.Struct, frozen=True):
    """An upstream fact that waits, why, and since when."""

    upstream: str
    number: int
    stream: str
    reason: str
    at: str


class InboxPage(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="inbox"):
    """Parked facts by upstream and number; `total` is how many there are in all."""

    facts: tuple[ParkedFact, ...]
    total: int


class RetryInbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask a shard's owner to feed all parked facts again, each upstream stream in order."""


class Retried(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="retried"):
    """How many parked facts were taken in, how many still wait, and where: the first of a stream.

    `stopped` names at most a hundred streams.
    """

    taken: int
    waiting: int
    stopped: tuple[ParkedFact, ...]


class Following(msgspec.Struct, frozen=True, kw_only=True):
    """How far an owner has read one upstream."""

    upstream: str
    position: int


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a stream has recorded and nobody has answered yet."""

    stream: str
    n: int
    what: str
    since_ms: int


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a stream that waits, and what for; such as a table that is not cleared."""

    stream: str
    what: str
    why: str


class LineStatus(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="status"):
    """What a line's owner says of itself; `last_m` is what those who follow it can reach.

    `live` counts the streams with a timer or an open question, `parked` the facts of each
    upstream that wait for an operator.
    """

    line: str
    instance: str
    build: str
    since_ms: int
    last: int
    last_m: int
    relay_lag: int
    live: int
    following: tuple[Following, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    waiting: tuple[Explained, ...] = ()
    parked: dict[str, int] = {}
    reasons: dict[str, str] = {}


encode = msgspec.json.Encoder().encode
decode_request = msgspec.json.Decoder(Request).decode
decode_answer: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
decode_read = msgspec.json.Decoder(ReadLog).decode
decode_read_stream = msgspec.json.Decoder(ReadStream).decode
decode_page: msgspec.json.Decoder[LogPage | Declined] = msgspec.json.Decoder(LogPage | Declined)
decode_read_inbox = msgspec.json.Decoder(ReadInbox).decode
decode_retry = msgspec.json.Decoder(RetryInbox).decode
decode_inbox: msgspec.json.Decoder[InboxPage | Declined] = msgspec.json.Decoder(
    InboxPage | Declined
)
decode_retried: msgspec.json.Decoder[Retried | Declined] = msgspec.json.Decoder(Retried | Declined)
decode_status: msgspec.json.Decoder[LineStatus | Declined] = msgspec.json.Decoder(
    LineStatus | Declined
)
