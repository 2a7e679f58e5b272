"""The tickets that players have won and not used (BH-SATELLITE), folded from the wallet."""

from collections import defaultdict

from services.gateway.shell.facts import Told
from shared.contracts.wallet import (
    EntryHeld,
    EntryRefunded,
    EntryReleased,
    TicketIssued,
    TicketPaidOut,
)


class Tickets:
    """Whose ticket is for which tournament; one that pays for an entry is not listed."""

    def __init__(self) -> None:
        self._issued: dict[str, TicketIssued] = {}
        self._free: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def of(self, player: str) -> list[TicketIssued]:
        """Return what a player can enter with."""
        return [self._issued[ticket] for ticket in self._free.get(player, ())]

    def fold(self, told: Told) -> None:
        """Take in one commit of the wallet."""
        for event, _ in told.facts:
            match event:
                case TicketIssued():
                    self._issued[event.ticket] = event
                    self._free[event.player][event.ticket] = None
                case EntryHeld(ticket=ticket, player=player) if ticket:
                    self._free[player].pop(ticket, None)
                case TicketPaidOut(ticket=ticket, player=player):
                    self._free[player].pop(ticket, None)
                case EntryReleased(ticket=ticket, player=player) if ticket:
                    self._free[player][ticket] = None
                case EntryRefunded(ticket=ticket, player=player) if ticket:
                    self._free[player][ticket] = None
                case _:
                    pass
