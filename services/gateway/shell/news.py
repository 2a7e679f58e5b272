"""What a new commit means here: the read models take it in, and whom it concerns is told."""

from typing import Protocol

import msgspec

from services.gateway.shell.facts import Told
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.own_cards import OwnCards
from services.gateway.shell.progress import Progress
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Tables
from shared.contracts.hand import HandEnded, HandsDealt
from shared.contracts.table import HandVoided, Said, SeatTaken, TableOpened


class OfWallet(Protocol):
    """A read model that follows the wallet."""

    def fold(self, told: Told) -> None:
        """Take in one commit of the wallet."""
        ...


class News:
    """Folds every line and pushes to sessions, in one go, so that a snapshot misses nothing."""

    def __init__(
        self,
        lobby: Lobby,
        tables: Tables,
        sessions: Sessions,
        own_cards: OwnCards,
        progress: Progress,
        *of_wallet: OfWallet,
    ) -> None:
        """`of_wallet` are the read models that the wallet's facts are for, beside the lobby."""
        self._lobby = lobby
        self._tables = tables
        self._sessions = sessions
        self._own_cards = own_cards
        self._progress = progress
        self._of_wallet = of_wallet

    def take(self, told: Told) -> None:
        """Take in one commit of any line."""
        match told.line.service:
            case "table":
                self._of_table(told)
            case "director":
                self._of_tournament(told)
            case _:
                self._lobby.fold(told)
                for model in self._of_wallet:
                    model.fold(told)
        self._progress.note(told)

    def _of_tournament(self, told: Told) -> None:
        """Public facts of a tournament go to its players, those who leave included."""
        audience = self._lobby.audience(told.stream)
        self._lobby.fold(told)
        self._sessions.push({**audience, **self._lobby.audience(told.stream)}, told.texts)

    def _of_table(self, told: Told) -> None:
        """Public facts of a table go to its players; who is new gets the table as it was before."""
        before = self._tables.before(told)
        was_here = before.seated()
        arriving = [player for player in arrivals(told) if self._sessions.present(player)]
        if arriving:
            self._sessions.push(arriving, [before.snapshot()])
        self._tables.fold(told)
        table = self._tables.get(told.stream)
        is_here = table.seated() if table else {}
        self._sessions.push({**was_here, **is_here}, told.texts, speaker_of(told))
        for event, _ in told.facts:
            if isinstance(event, HandsDealt) and table is not None:
                self._own_cards.dealt(table)
            elif isinstance(event, HandEnded | HandVoided):
                self._own_cards.ended(event.hand)

    def enter(self, session: Session) -> None:
        """Let a session in: who it is, its tables as they are now, its cards; then the facts."""
        self._sessions.add(session)
        session.push([self._welcome(session.player)])
        self.resync(session)

    def resync(self, session: Session) -> None:
        """Tell a session everything anew."""
        session.push([table.snapshot() for table in self._tables.of(session.player)])
        self._own_cards.entered(session)

    def _welcome(self, player: str) -> str:
        welcome = {
            "player": player,
            "as_of": self._progress.as_of(),
            "tournaments": [known.tournament for known in self._lobby.of(player)],
            "tables": [table.table for table in self._tables.of(player)],
        }
        return msgspec.json.encode({"welcome": welcome}).decode()


def speaker_of(told: Told) -> str | None:
    """Return whose message a commit is; what is said stands alone in one."""
    return next((event.player for event, _ in told.facts if isinstance(event, Said)), None)


def arrivals(told: Told) -> list[str]:
    """Return the players whom a commit of a table brings there."""
    players: list[str] = []
    for event, _ in told.facts:
        if isinstance(event, TableOpened):
            players += [taken.player for taken in event.seats]
        elif isinstance(event, SeatTaken):
            players.append(event.player)
    return players
