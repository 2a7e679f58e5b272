"""A player's own cards: the seat key asked of the dealer, the cards told to that player only.

They are kept while the hand runs, so that further sessions see them too; nothing here is logged.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable

import msgspec
import structlog

from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Table, Tables
from shared.contracts.commit import Actor
from shared.contracts.dealer import AskSeatKey, SealedReply
from shared.contracts.edge import Answer, Declined
from shared.runtime.asking import Asking, is_unavailable, reply_of
from shared.runtime.ports import Entropy
from shared.runtime.sealed import (
    HoleCards,
    ReplyKey,
    Unreadable,
    Withheld,
    new_reply_key,
    open_hole_cards,
    open_seat_key,
)

log = structlog.get_logger()


class Holding(Withheld, frozen=True):
    """One seat of one hand: whose it is, and the sealed cards."""

    hand: str
    seat: int
    player: str
    box: bytes


class OwnCards:
    """Tells players their cards, as soon as they are dealt or a session opens."""

    def __init__(
        self, asking: Asking, entropy: Entropy, sessions: Sessions, tables: Tables
    ) -> None:
        self._asking = asking
        self._entropy = entropy
        self._sessions = sessions
        self._tables = tables
        self._cards: defaultdict[str, dict[int, asyncio.Task[str | None]]] = defaultdict(dict)
        self._telling: set[asyncio.Task[None]] = set()

    def dealt(self, table: Table) -> None:
        """Cards have been dealt: tell every player who is connected."""
        for holding in holdings(table):
            if self._sessions.present(holding.player):
                self._tell(table.table, holding, None)

    def entered(self, session: Session) -> None:
        """A session has opened: tell it the cards of the hands that run."""
        for table in self._tables.of(session.player):
            for holding in holdings(table):
                if holding.player == session.player:
                    self._tell(table.table, holding, session)

    def ended(self, hand: str) -> None:
        """Forget the cards of a hand."""
        for task in self._cards.pop(hand, {}).values():
            task.cancel()

    def _tell(self, table: str, holding: Holding, session: Session | None) -> None:
        """Tell one session, or all that the player has by then."""
        telling = asyncio.create_task(self._told(table, holding, session))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _told(self, table: str, holding: Holding, session: Session | None) -> None:
        if not self._runs(table, holding.hand):
            return
        known = self._cards[holding.hand]
        if holding.seat not in known:
            known[holding.seat] = asyncio.create_task(self._asked(table, holding))
        await asyncio.wait([known[holding.seat]])
        if known[holding.seat].cancelled():
            return
        text = known[holding.seat].result()
        if text is None:
            return
        if session is not None:
            session.push([text])
        else:
            self._sessions.push([holding.player], [text])

    async def _asked(self, table: str, holding: Holding) -> str | None:
        """Ask for the key as long as the hand runs, and open the cards."""
        while self._runs(table, holding.hand):
            key = new_reply_key(self._entropy)
            question = AskSeatKey(
                hand=holding.hand, seat=holding.seat, player=holding.player, to_key=key.public
            )
            by = Actor("player", holding.player)
            answer = await self._asking.ask("dealer", holding.hand, question, by=by)
            if not is_unavailable(answer):
                cards = opened(holding, key, answer)
                return None if cards is None else message(holding, cards)
        return None

    def _runs(self, table: str, hand: str) -> bool:
        at = self._tables.get(table)
        return at is not None and at.hand == hand

    async def close(self) -> None:
        """Stop asking."""
        for hand in list(self._cards):
            self.ended(hand)
        for telling in list(self._telling):
            telling.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)


def holdings(table: Table) -> Iterable[Holding]:
    """Return who holds which sealed cards in the hand that runs."""
    if table.hand is None:
        return []
    boxes = {sealed.seat: sealed.box for sealed in table.sealed}
    return [
        Holding(table.hand, dealt.seat, dealt.player, boxes[dealt.seat])
        for dealt in table.dealt
        if dealt.seat in boxes
    ]


def opened(holding: Holding, key: ReplyKey, answer: Answer) -> HoleCards | None:
    """Open the cards with the dealer's answer; a wrong one is noted without what it holds."""
    hand, seat = holding.hand, holding.seat
    if isinstance(answer, Declined):
        log.error("seat_key_refused", hand=hand, reason=answer.reason)
        return None
    try:
        seat_key = open_seat_key(key, reply_of(answer, SealedReply), hand, seat)
        return open_hole_cards(seat_key, holding.box, hand, seat)
    except (Unreadable, msgspec.MsgspecError):
        log.warning("seat_key_unusable", hand=hand, seat=seat)
        return None


def message(holding: Holding, cards: HoleCards) -> str:
    """Write the cards as the player gets them."""
    own = {"hand": holding.hand, "seat": holding.seat, "cards": cards}
    return msgspec.json.encode({"own_cards": own}).decode()
