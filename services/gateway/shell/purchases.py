"""What is bought after the start, and who waits before it, as the lobby shows it (BH-REBUY)."""

from collections.abc import Callable
from typing import Any

from services.gateway.shell.tournament import Tournament
from shared.contracts.director import (
    EntriesClosed,
    PlayerBusted,
    RebuyGranted,
    RebuyOffered,
    RebuyOfferExtended,
    WaitingListClosed,
    WaitingListJoined,
    WaitingListLeft,
)


def offered(tournament: Tournament, event: RebuyOffered | RebuyOfferExtended) -> None:
    tournament.offers[event.player] = event.deadline_ms


def granted(tournament: Tournament, event: RebuyGranted) -> None:
    tournament.offers.pop(event.player, None)
    tournament.collected_cents += event.fee_cents


def busted(tournament: Tournament, event: PlayerBusted) -> None:
    tournament.offers.pop(event.player, None)
    tournament.busted[event.player] = None


def closed(tournament: Tournament, event: EntriesClosed) -> None:
    """Those who are out get their places right after it."""
    tournament.prizes_cents = event.prizes_cents


def joined(tournament: Tournament, event: WaitingListJoined) -> None:
    tournament.waiting.append(event.player)


def left(tournament: Tournament, event: WaitingListLeft) -> None:
    tournament.waiting.remove(event.player)


def over(tournament: Tournament, _event: WaitingListClosed) -> None:
    tournament.waiting.clear()


FOLD: dict[type, Callable[[Tournament, Any], None]] = {
    RebuyOffered: offered,
    RebuyOfferExtended: offered,
    RebuyGranted: granted,
    PlayerBusted: busted,
    EntriesClosed: closed,
    WaitingListJoined: joined,
    WaitingListLeft: left,
    WaitingListClosed: over,
}
