"""Where a site put the button and the blinds, beside where our rule puts them.

Where they differ for a reason that is written down, the site's positions are data and the hand
is played from there; any other difference is a failure.
"""

import msgspec

from services.cli.hands.runs import SeatedHand
from services.table.core.state import Positions
from shared.contracts.hand import HandStarted

MOVING_BUTTON = "the site has no dead button: it moves on to a seated player, the blinds follow"
PREVIOUS_DEALER = "the site leaves the marker of a dead button with the previous dealer"
FIRST_HAND = "the run begins with a small blind that nobody posts: the hand before is not told"
BETWEEN = "the site gives the button to a newcomer between the button and the small blind"
UNTOLD = "the record does not tell where the dead button is"
BY_HAND = {
    "fpdb-3/0032#3": "from two players to six: the site starts from the last small blind",
    "fpdb-3/0070#164": "seated, but not dealt in: the player due the small blind; six are new",
    "fpdb-3/0039#4": "from two players to five: the site starts from a newcomer",
    "fpdb-3/0039#11": "a newcomer sits where the button was due: the site passes him over",
    "fpdb-3/0039#16": "a newcomer sits where the button was due: the site leaves the marker behind",
    "fpdb-3/0039#17": "a newcomer sits where the button was due: the site passes him over",
}


class Placed(msgspec.Struct, frozen=True):
    """Positions of one hand; without a button seat, the button is dead somewhere."""

    button_seat: int | None
    small_blind_seat: int | None
    big_blind_seat: int
    order: tuple[int, ...]


def placed_by_site(hand: SeatedHand) -> Placed:
    small, big = hand.recorded.small_blind, hand.recorded.big_blind
    small_seat = None if small is None else hand.seats[small - 1]
    return Placed(hand.button_seat, small_seat, hand.seats[big - 1], hand.seats)


def placed_by_us(started: HandStarted) -> Placed:
    return Placed(
        started.button_seat,
        started.small_blind_seat,
        started.big_blind_seat,
        tuple([dealt.seat for dealt in started.seats]),
    )


def agree(site: Placed, ours: Placed) -> bool:
    """Compare; a dead button whose seat is not told agrees with any dead button."""
    if site.button_seat is None and ours.button_seat not in ours.order:
        ours = msgspec.structs.replace(ours, button_seat=None)
    return site == ours


def reason(name: str, site: Placed, ours: Placed, last: Positions) -> str | None:
    """Say why the site differs, if that is known."""
    if name in BY_HAND:
        return BY_HAND[name]
    blinds = (site.small_blind_seat, site.big_blind_seat)
    same_blinds = blinds == (ours.small_blind_seat, ours.big_blind_seat)
    dead_button = ours.button_seat not in ours.order
    consecutive = (site.button_seat, *blinds) == (site.order[-1], *site.order[:2])
    if last.played == "none" and site.small_blind_seat is None:
        return FIRST_HAND
    if same_blinds and site.button_seat is None:
        return UNTOLD
    if same_blinds and site.button_seat == last.button_seat and dead_button:
        return PREVIOUS_DEALER
    if same_blinds and consecutive and ours.order[0] == site.button_seat:
        return BETWEEN
    if consecutive and (dead_button or ours.small_blind_seat is None):
        return MOVING_BUTTON
    return None


def leading_to(site: Placed) -> Positions:
    """Return the positions of a last hand after which our rule puts everybody as the site did."""
    small, big = site.small_blind_seat, site.big_blind_seat
    button = site.order[0] - 1 if site.button_seat is None else site.button_seat
    return Positions(
        button_seat=button,
        small_due_seat=button,
        big_blind_seat=big - 1 if small is None else small,
        played="ring",
    )
