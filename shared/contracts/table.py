"""The table's language: what players ask of a hand, and every fact of the hand that follows.

Seats are numbered from 1. Chips are integers; `to_chips` is a whole bet of the street, blinds
included, `by_chips` an amount added. Moments are milliseconds since 1970 UTC.
"""

from typing import Literal, final

import msgspec

from shared.contracts.dealer import DealtIn, SealedCards, Street
from shared.contracts.message import Command, Event
from shared.poker.rule_sets import RuleSet

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


# --- requests -------------------------------------------------------------------------------


class Action(Command, frozen=True):
    """Base of a player's action: refused when `decision` is not the one being awaited."""

    hand: str
    player: str
    decision: int


@final
class Fold(Action, frozen=True, tag="table.fold.v1"):
    """Give up the hand."""


@final
class Check(Action, frozen=True, tag="table.check.v1"):
    """Pass while there is nothing to call."""


@final
class Call(Action, frozen=True, tag="table.call.v1"):
    """Match the highest bet, or go all-in below it (BH-ALLIN)."""


@final
class RaiseTo(Action, frozen=True, tag="table.raise-to.v1"):
    """Bet or raise to a whole amount; a bet is a raise over nothing."""

    to_chips: int


@final
class Show(Action, frozen=True, tag="table.show.v1"):
    """Show a beaten hand while the choice is open (PP-SHOWDOWN)."""


@final
class Muck(Action, frozen=True, tag="table.muck.v1"):
    """Keep a beaten hand hidden, at once (PP-SHOWDOWN)."""


@final
class GoOut(Command, frozen=True, tag="table.go-out.v1"):
    """Let the system act from now on (PP-OUT)."""

    player: str


@final
class ComeBack(Command, frozen=True, tag="table.come-back.v1"):
    """Play again (PP-OUT)."""

    player: str


# --- events: the table ----------------------------------------------------------------------


@final
class TableOpened(Event, frozen=True, tag="table.table-opened.v1"):
    """The first fact of a table, taken from the director's `TableFormed`."""

    tournament: str
    table: str
    rule_set: RuleSet
    seats_max: int
    action_ms: int
    button_seat: int
    seats: tuple[SeatStack, ...]
    time_bank_ms: int = 0
    time_bank_refill_ms: int = 0


@final
class SeatTaken(Event, frozen=True, tag="table.seat-taken.v1"):
    """Chips in transit have arrived, and what was used of the time bank; Out stays Out (PP-OUT)."""

    tournament: str
    table: str
    seat: int
    player: str
    stack_chips: int
    out: bool = False
    time_bank_used_ms: int = 0


@final
class SeatVacated(Event, frozen=True, tag="table.seat-vacated.v1"):
    """A moved player left; the chips are in transit until the director assigns a seat."""

    tournament: str
    table: str
    seat: int
    player: str
    stack_chips: int
    out: bool = False
    time_bank_used_ms: int = 0


@final
class PlayerLeaving(Event, frozen=True, tag="table.player-leaving.v1"):
    """A move was decided while the player was in a hand: the seat is vacated at its end."""

    player: str
    seat: int


@final
class PlayerWentOut(Event, frozen=True, tag="table.player-went-out.v1"):
    player: str
    seat: int


@final
class PlayerCameBack(Event, frozen=True, tag="table.player-came-back.v1"):
    player: str
    seat: int


@final
class TableClosed(Event, frozen=True, tag="table.table-closed.v1"):
    tournament: str
    table: str


# --- events: the hand -----------------------------------------------------------------------


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
    """A question to the dealer, recorded before it is asked."""

    hand: str
    roster: tuple[DealtIn, ...]


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

    A seat with 0 chips is about to be eliminated.
    """

    tournament: str
    table: str
    hand: str
    number: int
    button_seat: int
    small_blind_seat: int | None
    big_blind_seat: int
    seats: tuple[SeatAtEnd, ...]


TableRequest = Fold | Check | Call | RaiseTo | Show | Muck | GoOut | ComeBack
SeatEvent = SeatTaken | SeatVacated | PlayerLeaving | PlayerWentOut | PlayerCameBack
PostEvent = HandScheduled | HandStarted | AntePosted | BlindPosted | DealAwaited | HandsDealt
ClockEvent = TurnStarted | ChoiceStarted | TimeBankStarted | TimeBankUsed
ActionEvent = PlayerFolded | PlayerChecked | PlayerCalled | PlayerRaised
BoardEvent = BoardAwaited | BoardDealt | UncalledReturned
ShowdownEvent = ViewAwaited | OpeningAwaited | HandShown | HandBeaten | HandMucked
HandFact = PostEvent | ClockEvent | ActionEvent | BoardEvent | ShowdownEvent | PotAwarded
TableEvent = TableOpened | TableClosed | SeatEvent | HandFact | HandEnded
