"""The sheet that is being read: drawn up once for all its pages, as long as nothing happens."""

from typing import Any

from services.director.core import part_of, sheet_in_full
from services.director.core.state import Tournament
from shared.contracts.director import ReadSheet, SheetPage


class LastSheet:
    """Keeps one sheet, with the very state that it was drawn up from."""

    def __init__(self) -> None:
        self._state: Tournament | None = None
        self._sheet: SheetPage | None = None

    def respond(self, tournament: Tournament, request: Any) -> SheetPage | None:
        """Return the page that a read asks for."""
        if not isinstance(request, ReadSheet):
            return None
        if self._state is not tournament:
            self._state, self._sheet = tournament, sheet_in_full(tournament)
        return None if self._sheet is None else part_of(self._sheet, request)
