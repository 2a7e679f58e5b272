"""The facts of one hand, in the order in which they happen.

Seats are numbered from 1. Chips are integers; `to_chips` is a whole bet of the street, blinds
included, `by_chips` an amount added. Moments are milliseconds since 1970 UTC.
"""

from typing import Literal, final

import msgspec

from shared.contracts.dealer import DealtIn, SealedCards, SeatSeed, Street
from shared.contracts.message import Event

Auto = Literal["", "clock", "out"]


class SeatStack(msgspec.Struct, frozen=True):
    """Who sits where with how many chips."""

    seat: int
    player: str
    stack_chips: int


class SeatAtEnd(msgspec.Struct, frozen=True):
    """A seat when its hand has ended; `out` is PP-OUT, not elimination."""

    seat: int
    player: str
    stack_chips: int
    out: bool


class Share(msgspec.Struct, frozen=True):
    """What one seat took of one pot."""

    seat: int
    chips: int


class KnockOut(msgspec.Struct, frozen=True):
    """A seat without chips, and who won the last pot that it contested: the seats, as paid."""

    seat: int
    by: tuple[int, ...]


@final
class HandScheduled(Event, frozen=True, tag="table.hand-scheduled.v1"):
    """The director cleared this hand; it starts by timer at `not_before_ms`.

    The roster is the director's: seats ascending, exactly those that will be dealt in.
    """

    hand: str
    number: int
    small_blind_chips: int
    big_blind_chips: int
    ante_chips: int
    roster: tuple[DealtIn, ...]
    not_before_ms: int
    level_number: int = 1


@final
class PromiseAwaited(Event, frozen=True, tag="table.promise-awaited.v1"):
    """A question to the dealer: to be bound to a secret before any player hands in a seed."""

    hand: str


@final
class SeedsInvited(Event, frozen=True, tag="table.seeds-invited.v1"):
    """The dealer is bound: whoever is dealt in may hand in a seed until the hand starts.

    It starts when everybody has who is not Out, and at `until_ms` at the latest; in no case
    before its `not_before_ms`.
    """

    hand: str
    promise: bytes
    until_ms: int


@final
class SeedGiven(Event, frozen=True, tag="table.seed-given.v1"):
    """This seed goes into the deck of the hand."""

    hand: str
    seat: int
    player: str
    seed: bytes


@final
class HandStarted(Event, frozen=True, tag="table.hand-started.v1"):
    """Positions by PP-DEADBUTTON; seats in dealing order, first left of the button."""

    hand: str
    number: int
    small_blind_chips: int
    big_blind_chips: int
    ante_chips: int
    button_seat: int
    small_blind_seat: int | None
    big_blind_seat: int
    seats: tuple[SeatStack, ...]
    level_number: int = 1


@final
class AntePosted(Event, frozen=True, tag="table.ante-posted.v1"):
    """`dead` antes belong to the main pot and to nobody's contribution (big-blind ante)."""

    seat: int
    by_chips: int
    dead: bool = False


@final
class BlindPosted(Event, frozen=True, tag="table.blind-posted.v1"):
    seat: int
    by_chips: int
    blind: Literal["small", "big"]


@final
class DealAwaited(Event, frozen=True, tag="table.deal-awaited.v1"):
    """A question to the dealer, recorded before it is asked.

    With player entropy: by which promise, and with which seeds, in the order of the roster.
    """

    hand: str
    roster: tuple[DealtIn, ...]
    promise: bytes = b""
    seeds: tuple[SeatSeed, ...] = ()


@final
class HandsDealt(Event, frozen=True, tag="table.hands-dealt.v1"):
    """The dealer's commitment and the hole cards, sealed."""

    hand: str
    root: bytes
    sealed: tuple[SealedCards, ...]


@final
class TurnStarted(Event, frozen=True, tag="table.turn-started.v1"):
    """This seat decides now; `decision` counts the decisions of the hand from 1.

    What follows is exactly what will be accepted: checking when `call_chips` is 0, calling when
    it is not, and raising from `min_raise_to` to `max_raise_to`, unless both are 0.
    """

    seat: int
    decision: int
    act_by_ms: int
    call_chips: int
    min_raise_to: int
    max_raise_to: int


@final
class TimeBankStarted(Event, frozen=True, tag="table.time-bank-started.v1"):
    """The time to act is over: the seat goes on deciding on what is left of its time bank."""

    seat: int
    decision: int
    act_by_ms: int
    left_ms: int


@final
class TimeBankUsed(Event, frozen=True, tag="table.time-bank-used.v1"):
    """What the decision took of the time bank, and what this level leaves of it."""

    seat: int
    player: str
    by_ms: int
    left_ms: int


@final
class ClockExtended(Event, frozen=True, tag="table.clock-extended.v1"):
    """An outage is given back to the decision that is open, as much as had not been given yet.

    From `down_from_ms` to `up_at_ms`, which is `by_ms`, nobody could act here; or, in the outage
    of a `player`, only the player who decides: the connection was lost by us. The deadline of the
    action, of the time bank that runs or of the choice to show or muck is now `act_by_ms`.
    """

    seat: int
    decision: int
    down_from_ms: int
    up_at_ms: int
    by_ms: int
    act_by_ms: int
    outage: Literal["table", "player"] = "table"


@final
class PlayerFolded(Event, frozen=True, tag="table.player-folded.v1"):
    seat: int
    auto: Auto = ""


@final
class PlayerChecked(Event, frozen=True, tag="table.player-checked.v1"):
    seat: int
    auto: Auto = ""


@final
class PlayerCalled(Event, frozen=True, tag="table.player-called.v1"):
    seat: int
    by_chips: int


@final
class PlayerRaised(Event, frozen=True, tag="table.player-raised.v1"):
    seat: int
    to_chips: int


@final
class BoardAwaited(Event, frozen=True, tag="table.board-awaited.v1"):
    hand: str
    street: Street


@final
class BoardDealt(Event, frozen=True, tag="table.board-dealt.v1"):
    street: Street
    cards: tuple[str, ...]


@final
class UncalledReturned(Event, frozen=True, tag="table.uncalled-returned.v1"):
    seat: int
    by_chips: int


@final
class ViewAwaited(Event, frozen=True, tag="table.view-awaited.v1"):
    """One live hand has to be compared before it is known whether it is shown."""

    hand: str
    seat: int


@final
class OpeningAwaited(Event, frozen=True, tag="table.opening-awaited.v1"):
    """These seats show their cards; the dealer opens them to everybody."""

    hand: str
    seats: tuple[int, ...]


@final
class HandShown(Event, frozen=True, tag="table.hand-shown.v1"):
    seat: int
    cards: tuple[str, ...]


@final
class HandBeaten(Event, frozen=True, tag="table.hand-beaten.v1"):
    """The hand that was viewed neither beats nor ties the best one shown: its player chooses."""

    seat: int


@final
class ChoiceStarted(Event, frozen=True, tag="table.choice-started.v1"):
    """This seat shows or mucks now; its decision counts among those of the hand."""

    seat: int
    decision: int
    act_by_ms: int


@final
class HandMucked(Event, frozen=True, tag="table.hand-mucked.v1"):
    """`auto` says when the player did not choose; where the rule set gives no choice it is ""."""

    seat: int
    auto: Auto = ""


@final
class PotAwarded(Event, frozen=True, tag="table.pot-awarded.v1"):
    """One pot, main pot is 0; the shares sum to its chips."""

    pot: int
    shares: tuple[Share, ...]


@final
class HandEnded(Event, frozen=True, tag="table.hand-ended.v1"):
    """All that the director balances on: everybody who was dealt in, seats ascending.

    A seat with 0 chips is about to be eliminated; `knock_outs` says by whom.
    """

    tournament: str
    table: str
    hand: str
    number: int
    button_seat: int
    small_blind_seat: int | None
    big_blind_seat: int
    seats: tuple[SeatAtEnd, ...]
    knock_outs: tuple[KnockOut, ...] = ()


PostEvent = HandScheduled | HandStarted | AntePosted | BlindPosted | DealAwaited | HandsDealt
ClockEvent = TurnStarted | ChoiceStarted | TimeBankStarted | TimeBankUsed | ClockExtended
ActionEvent = PlayerFolded | PlayerChecked | PlayerCalled | PlayerRaised
BoardEvent = BoardAwaited | BoardDealt | UncalledReturned
ShowdownEvent = ViewAwaited | OpeningAwaited | HandShown | HandBeaten | HandMucked
SeedEvent = PromiseAwaited | SeedsInvited | SeedGiven
HandFact = (
    SeedEvent | PostEvent | ClockEvent | ActionEvent | BoardEvent | ShowdownEvent | PotAwarded
)
