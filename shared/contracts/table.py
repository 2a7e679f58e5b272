"""The table's language: what players ask of it, and who comes and goes; hands are in `hand.py`.

Seats are numbered from 1, chips are integers, moments are milliseconds since 1970 UTC.
"""

from typing import final

from shared.contracts.hand import HandEnded, HandFact, SeatStack
from shared.contracts.message import Command, Event
from shared.poker.rule_sets import RuleSet

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
class GiveSeed(Command, frozen=True, tag="table.give-seed.v1"):
    """Add 32 bytes of one's own to the chance of the coming hand's deck (player entropy)."""

    hand: str
    player: str
    seed: bytes


@final
class GoOut(Command, frozen=True, tag="table.go-out.v1"):
    """Let the system act from now on (PP-OUT)."""

    player: str


@final
class ComeBack(Command, frozen=True, tag="table.come-back.v1"):
    """Play again (PP-OUT)."""

    player: str


@final
class Say(Command, frozen=True, tag="table.say.v1"):
    """Chat with everybody at the table (PP-CONDUCT, BP-CHAT)."""

    player: str
    text: str


@final
class VoidHand(Command, frozen=True, tag="table.void-hand.v1"):
    """Give up a hand that waits for the dealer for ever; it takes the same word twice."""

    hand: str
    author: str
    reason: str


@final
class CreditPlayer(Command, frozen=True, tag="table.credit-player.v1"):
    """Give back to this player what the loss of a connection by the platform took.

    Sent by the gateway's own code alone, never on a player's word.
    """

    player: str
    down_from_ms: int
    up_at_ms: int


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
    player_entropy: bool = False
    seed_ms: int = 0


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
class ChipsAdded(Event, frozen=True, tag="table.chips-added.v1"):
    """Bought chips are on the seat, for the next hand (BH-REBUY)."""

    tournament: str
    table: str
    seat: int
    player: str
    entry: str
    chips: int


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
class Said(Event, frozen=True, tag="table.said.v1"):
    """A line of chat: the table's stream is the log of it."""

    player: str
    seat: int
    text: str
    at_ms: int


@final
class TableClosed(Event, frozen=True, tag="table.table-closed.v1"):
    tournament: str
    table: str


@final
class HandDoubted(Event, frozen=True, tag="table.hand-doubted.v1"):
    """An operator wants to give the hand up if the dealer does not answer this question soon."""

    hand: str
    author: str
    reason: str
    question: str
    at_ms: int


@final
class HandVoided(Event, frozen=True, tag="table.hand-voided.v1"):
    """The hand counts for nothing: every stack is as it was at its start (the cut).

    By an operator's word, whose `author` is named, or since the table halts.
    """

    tournament: str
    table: str
    hand: str
    number: int
    author: str = ""
    reason: str = ""


@final
class TableHalted(Event, frozen=True, tag="table.table-halted.v1"):
    """Nothing happens here any more; `hand` is the one that was voided, or ""."""

    tournament: str
    table: str
    hand: str
    seats: tuple[SeatStack, ...]


@final
class TableWentOn(Event, frozen=True, tag="table.table-went-on.v1"):
    """The table takes cleared hands again."""

    tournament: str
    table: str


InHand = Fold | Check | Call | RaiseTo | Show | Muck
TableRequest = InHand | GiveSeed | GoOut | ComeBack | Say | CreditPlayer | VoidHand
SeatEvent = SeatTaken | SeatVacated | ChipsAdded | PlayerLeaving | PlayerWentOut | PlayerCameBack
HaltEvent = HandDoubted | HandVoided | TableHalted | TableWentOn
TableEvent = TableOpened | TableClosed | SeatEvent | HaltEvent | Said | HandFact | HandEnded
