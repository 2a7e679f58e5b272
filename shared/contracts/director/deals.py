"""A deal between the last players: offered by one of them, agreed by all, or it fails.

Amounts are integer cents, moments milliseconds since 1970 UTC.
"""

from typing import Literal, final

import msgspec

from shared.contracts.message import Command, Event

Method = Literal["icm", "chips"]


class DealShare(msgspec.Struct, frozen=True):
    """What one player would get, and for how many chips."""

    player: str
    stack_chips: int
    amount_cents: int


@final
class OfferDeal(Command, frozen=True, tag="director.offer-deal.v1"):
    """Ask all who are still in to share what is left, by the ICM or by chips."""

    player: str
    method: Method


@final
class AnswerDeal(Command, frozen=True, tag="director.answer-deal.v1"):
    """Agree to the shares that are proposed, or not; who has offered them answers as well."""

    player: str
    agree: bool


@final
class DealOffered(Event, frozen=True, tag="director.deal-offered.v1"):
    """The hand that is played goes on to its end; then the shares are proposed."""

    tournament: str
    player: str
    method: Method


@final
class DealProposed(Event, frozen=True, tag="director.deal-proposed.v1"):
    """No hand is cleared until all have agreed, one has not, or the time is over."""

    tournament: str
    method: Method
    shares: tuple[DealShare, ...]
    answer_by_ms: int


@final
class DealExtended(Event, frozen=True, tag="director.deal-extended.v1"):
    """An outage, from `down_from_ms` to `up_at_ms`, is given back to those who have to answer."""

    tournament: str
    down_from_ms: int
    up_at_ms: int
    answer_by_ms: int


@final
class DealAccepted(Event, frozen=True, tag="director.deal-accepted.v1"):
    tournament: str
    player: str


@final
class DealFailed(Event, frozen=True, tag="director.deal-failed.v1"):
    """Somebody has declined, or without a `player` not everybody has answered in time."""

    tournament: str
    player: str


@final
class DealAgreed(Event, frozen=True, tag="director.deal-agreed.v1"):
    """All have agreed: these are the prizes of the places that are open, the best first."""

    tournament: str
    prizes_cents: tuple[int, ...]


DealRequest = OfferDeal | AnswerDeal
DealEvent = DealOffered | DealProposed | DealExtended | DealAccepted | DealFailed | DealAgreed
