"""`/api/play`: a player's socket. Facts and own cards out; moves, seeds, Out and Back in.

The Authorization header or else the first message has the token. What a player sends is answered
as `{"re": id, "answer": "accepted" | "refused", …}`: a socket that sends nonsense is answered,
one that sends too much is closed.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec
import structlog
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketException

from services.gateway.shell.access import bearer, known_caller
from services.gateway.shell.allowance import Allowance
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.moves import AnyWord, Said, Text, table_of
from services.gateway.shell.refusals import Refusal, refused_text
from services.gateway.shell.sessions import Session
from services.gateway.shell.tokens import Caller

MESSAGE_BYTES_MAX: Final = 64 * 1024
MESSAGE_CHARACTERS_MAX: Final = 4 * 1024
TOKEN_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 2.0
AT_ONCE_MAX: Final = 8
SESSIONS_MAX: Final = 8
HIDDEN_MAX: Final = 1_000
POLICY_VIOLATION: Final = 1008
CLOSE_CODES: Final = {"left": 1000, "shutting_down": 1012, "too_slow": 1013}

log = structlog.get_logger()

GONE: Final = (WebSocketException, RuntimeError, OSError)

Socket = WebSocket[Any, Any, Any]


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a client that cannot set headers."""

    token: str


class Resync(Said, frozen=True, kw_only=True, tag="resync"):
    """Send the tables and the own cards once more."""


class Hide(Said, frozen=True, kw_only=True, tag="hide"):
    """Send this socket none of a player's messages any more (BP-CHAT)."""

    player: Text


class Unhide(Said, frozen=True, kw_only=True, tag="unhide"):
    """Send this socket a player's messages again."""

    player: Text


class Left(Exception):
    """The other side has closed the socket."""


class AnyId(msgspec.Struct, frozen=True):
    """The id of a message that is not understood otherwise."""

    id: str | None = None


AnySaid = AnyWord | Resync | Hide | Unhide

decode: Callable[[str], AnySaid] = msgspec.json.Decoder(AnySaid).decode
decode_id = msgspec.json.Decoder(AnyId).decode
decode_token = msgspec.json.Decoder(Token).decode


@websocket("/api/play")
async def play(socket: Socket, gateway: Gateway) -> None:
    """Serve one socket from its token to its end."""
    await socket.accept()
    try:
        caller = await admitted(socket, gateway)
    except Left:
        return
    except Refusal as refusal:
        with suppress(*GONE):
            await socket.send_text(refused_text(None, refusal))
            await socket.close(POLICY_VIOLATION, refusal.reason)
        return
    lines = socket.query_params.get("frames") == "lines"
    session = Session(caller.id, gateway.settings.gateway_queue_max, lines=lines)
    gateway.enter(session)
    try:
        await Conversation(socket, gateway, session, caller).run()
    finally:
        gateway.leave(session)


async def admitted(socket: Socket, gateway: Gateway) -> Caller:
    """Return the player whose token the header or the first message has."""
    token = bearer(socket.headers.get("authorization"))
    if token is None:
        try:
            async with asyncio.timeout(TOKEN_SECONDS):
                token = decode_token(text_of(await received(socket))).token
        except TimeoutError:
            raise Refusal("unauthorized", "no token came") from None
        except (msgspec.MsgspecError, RecursionError):
            raise Refusal("unauthorized", "the first message is not a token") from None
    caller = known_caller(gateway.tokens, token)
    if caller.role != "player":
        raise Refusal("forbidden", "for players only")
    if gateway.sessions.count(caller.id) >= SESSIONS_MAX:
        raise Refusal("too_many_sessions", f"at most {SESSIONS_MAX} a player")
    return caller


async def received(socket: Socket) -> dict[str, Any]:
    """Wait for one message, whatever it is."""
    message: dict[str, Any] = dict(await socket.receive())
    if message["type"] != "websocket.receive":
        raise Left
    return message


def text_of(message: dict[str, Any]) -> str:
    """Return the text of a message of fair length."""
    text = message.get("text")
    if not isinstance(text, str):
        raise Refusal("binary_message", "messages are JSON in text frames")
    if len(text) > MESSAGE_CHARACTERS_MAX:
        raise Refusal("message_too_large", f"at most {MESSAGE_CHARACTERS_MAX} characters")
    return text


class Conversation:
    """One admitted socket: a writer for what waits, a reader for what is said."""

    def __init__(self, socket: Socket, gateway: Gateway, session: Session, caller: Caller) -> None:
        self._socket = socket
        self._gateway = gateway
        self._session = session
        self._caller = caller
        self._asking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Go on until either side ends; what was asked by then is decided all the same."""
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        over = asyncio.create_task(self._session.over.wait())
        await asyncio.wait({writer, reader, over}, return_when=asyncio.FIRST_COMPLETED)
        self._session.end("left")
        await asyncio.wait({writer}, timeout=CLOSE_SECONDS)
        reader.cancel()
        writer.cancel()
        for ended in await asyncio.gather(reader, writer, over, return_exceptions=True):
            if isinstance(ended, Exception):
                log.error("session_fell", exc_info=ended)

    async def _write(self) -> None:
        """Send what is queued until the session ends, then say why it does."""
        with suppress(*GONE):
            await self._session.send_all(self._socket.send_text)
            code = CLOSE_CODES.get(self._session.ended, POLICY_VIOLATION)
            await self._socket.close(code, self._session.ended)

    async def _read(self) -> None:
        """Hear what comes, as long as it is not too much."""
        allowed = self._gateway.settings.gateway_messages_per_second
        allowance = Allowance(self._gateway.clock, allowed)
        while not self._session.ended:
            try:
                message = await received(self._socket)
            except Left:
                return
            if not allowance.take():
                self._refuse(None, Refusal("too_many_messages", f"at most {allowed} a second"))
                self._session.end("too_many_messages")
                return
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        """Understand one message; what asks somebody goes on by itself."""
        try:
            said = understood(text_of(message))
        except Refusal as refusal:
            self._refuse(id_of(message), refusal)
            return
        if isinstance(said, Resync):
            self._gateway.news.resync(self._session)
            return
        if isinstance(said, Hide | Unhide):
            self._hide(said)
            return
        if len(self._asking) >= AT_ONCE_MAX:
            self._refuse(said.id, Refusal("too_many_at_once", f"at most {AT_ONCE_MAX} unanswered"))
            return
        asking = asyncio.create_task(self._ask(said))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)

    def _hide(self, said: Hide | Unhide) -> None:
        """Remember for this socket alone whom it does not want to hear."""
        hidden = self._session.hidden
        if isinstance(said, Unhide):
            hidden.discard(said.player)
        elif len(hidden) < HIDDEN_MAX:
            hidden.add(said.player)
        else:
            self._refuse(said.id, Refusal("too_many_hidden", f"at most {HIDDEN_MAX}"))
            return
        answer = {"re": said.id, "answer": "accepted"}
        self._session.push([msgspec.json.encode(answer).decode()])

    async def _ask(self, said: AnyWord) -> None:
        """Ask the table, and pass its answer on."""
        command_id = said.id or self._gateway.new_id("cmd")
        try:
            table = table_of(said, self._caller.id, self._gateway.tables)
            accepted = await self._gateway.ask_table(table, said, self._caller, command_id)
        except Refusal as refusal:
            self._refuse(command_id, refusal)
            return
        except Exception:
            log.exception("message_fell")
            self._refuse(command_id, Refusal("internal_error"))
            return
        answer = {"re": command_id, "answer": "accepted", "stream": table, "n": accepted.n}
        self._session.push([msgspec.json.encode(answer).decode()])

    def _refuse(self, re: str | None, refusal: Refusal) -> None:
        self._session.push([refused_text(re, refusal)])


def understood(text: str) -> AnySaid:
    """Decode what a player says."""
    try:
        return decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Refusal("malformed", str(error)) from None


def id_of(message: dict[str, Any]) -> str | None:
    """Return the id of a message that is refused, if it can be read at all."""
    try:
        return decode_id(text_of(message)).id
    except (msgspec.MsgspecError, RecursionError, Refusal):
        return None
