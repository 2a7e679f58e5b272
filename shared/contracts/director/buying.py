"""What is bought while a tournament runs, and the waiting list before it does.

A price is first held, and posted together with the chips: late entries and re-entries become
`PlayerRegistered`, rebuys and add-ons `RebuyGranted`. While anything can be bought nobody has a
place: who is out is `PlayerBusted`, and `EntriesClosed` is followed by all their places.
"""

from typing import final

from shared.contracts.message import Command, Event


@final
class Rebuy(Command, frozen=True, tag="director.rebuy.v1"):
    """Take the rebuy that is on offer right after being eliminated (BH-REBUY)."""

    player: str


@final
class DeclineRebuy(Command, frozen=True, tag="director.decline-rebuy.v1"):
    """Leave the tournament instead of buying again."""

    player: str


@final
class AddOn(Command, frozen=True, tag="director.add-on.v1"):
    """Buy more chips while still having some (BH-REBUY)."""

    player: str


@final
class PriceHeld(Event, frozen=True, tag="director.price-held.v1"):
    """The wallet holds the price; it is posted when the chips come to a table."""

    tournament: str
    entry: str
    player: str


@final
class RebuyOffered(Event, frozen=True, tag="director.rebuy-offered.v1"):
    """A player without chips keeps the seat until the deadline, or while a purchase is pending."""

    tournament: str
    player: str
    table: str
    seat: int
    hand: str
    offered_ms: int
    deadline_ms: int


@final
class RebuyOfferExtended(Event, frozen=True, tag="director.rebuy-offer-extended.v1"):
    """An outage is given back to an offer, as much as had not been given yet."""

    tournament: str
    player: str
    down_from_ms: int
    up_at_ms: int
    by_ms: int
    deadline_ms: int


@final
class PlayerBusted(Event, frozen=True, tag="director.player-busted.v1"):
    """Out by this hand, while a place cannot be told yet."""

    tournament: str
    player: str
    table: str
    hand: str


@final
class ChipsAssigned(Event, frozen=True, tag="director.chips-assigned.v1"):
    """A seated player has bought these chips: they are there from the table's next hand on."""

    tournament: str
    entry: str
    player: str
    table: str
    seat: int
    chips: int


@final
class EntriesClosed(Event, frozen=True, tag="director.entries-closed.v1"):
    """Nothing can be bought any more: pool, prizes and places are fixed from here on.

    `entries` counts re-entries, `players` does not.
    """

    tournament: str
    entries: int
    players: int
    pool_cents: int
    prizes_cents: tuple[int, ...]


@final
class WaitingListJoined(Event, frozen=True, tag="director.waiting-list-joined.v1"):
    """All entries are sold; nothing is held. `position` counts from 1.

    Where a `ticket` was named, the entry that comes free is asked for by it.
    """

    tournament: str
    player: str
    position: int
    ticket: str = ""


@final
class WaitingListLeft(Event, frozen=True, tag="director.waiting-list-left.v1"):
    tournament: str
    player: str


@final
class WaitingListClosed(Event, frozen=True, tag="director.waiting-list-closed.v1"):
    """It started, or was cancelled, without these players."""

    tournament: str
    players: tuple[str, ...]


BuyingRequest = Rebuy | DeclineRebuy | AddOn
BuyingEvent = (
    PriceHeld
    | RebuyOffered
    | RebuyOfferExtended
    | PlayerBusted
    | ChipsAssigned
    | EntriesClosed
    | WaitingListJoined
    | WaitingListLeft
    | WaitingListClosed
)
