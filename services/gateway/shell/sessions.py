"""Sessions: the open sockets of players, each with a bounded queue of messages to send."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from services.gateway.shell.metrics import DROPPED, PUSHED, SESSIONS

LINES_MAX: Final = 256

Send = Callable[[str], Awaitable[None]]


class Session:
    """One socket of one player; `ended` says why it must close, "" while it may go on.

    `hidden` are the players whose messages it does not want (BP-CHAT).
    With `lines` a frame takes all messages that wait, one a line: a frame is a system call.
    """

    def __init__(self, player: str, queue_max: int, *, lines: bool = False) -> None:
        self.player = player
        self.ended = ""
        self.hidden: set[str] = set()
        self.over = asyncio.Event()
        self._queue_max = queue_max
        self._frame_max = LINES_MAX if lines else 1
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()

    def push(self, texts: Sequence[str]) -> None:
        """Queue messages; a socket that does not take them in time is dropped."""
        if self.ended:
            return
        if len(self._waiting) + len(texts) > self._queue_max:
            self._waiting.clear()
            self.end("too_slow")
            return
        PUSHED.inc(len(texts))
        self._waiting.extend(texts)
        self._news.set()

    def end(self, why: str) -> None:
        """Close the session when what waits has been sent."""
        if not self.ended:
            DROPPED.labels(why).inc()
            self.ended = why
            self.over.set()
            self._news.set()

    async def send_all(self, send: Send) -> None:
        """Send what is queued until the session ends."""
        while self._waiting or not self.ended:
            while self._waiting:
                await send(self._next_frame())
            self._news.clear()
            if not self.ended:
                await self._news.wait()

    def _next_frame(self) -> str:
        if self._frame_max == 1:
            return self._waiting.popleft()
        count = min(len(self._waiting), self._frame_max)
        return "\n".join([self._waiting.popleft() for _ in range(count)])


class Sessions:
    """All open sessions by player."""

    def __init__(self) -> None:
        self._of: defaultdict[str, list[Session]] = defaultdict(list)

    def add(self, session: Session) -> None:
        """Let a session have what concerns its player from now on."""
        self._of[session.player].append(session)
        SESSIONS.inc()

    def remove(self, session: Session) -> None:
        """Forget a session."""
        self._of[session.player].remove(session)
        SESSIONS.dec()
        if not self._of[session.player]:
            del self._of[session.player]

    def present(self, player: str) -> bool:
        """Tell whether a player has a session."""
        return player in self._of

    def players(self) -> tuple[str, ...]:
        """Return every player who has a session."""
        return tuple(self._of)

    def count(self, player: str) -> int:
        """Count a player's sessions."""
        return len(self._of.get(player, ()))

    def push(
        self, players: Iterable[str], texts: Sequence[str], speaker: str | None = None
    ) -> None:
        """Queue messages for all sessions of these players, but those that hide the speaker."""
        for player in players:
            for session in self._of.get(player, ()):
                if speaker not in session.hidden:
                    session.push(texts)

    def end_all(self, why: str) -> None:
        """Close every session."""
        for sessions in self._of.values():
            for session in sessions:
                session.end(why)
