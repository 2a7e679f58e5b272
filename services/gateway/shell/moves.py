"""What a player may send about a table, over HTTP and over the socket alike.

`do` says which; who does it stands in the token and nowhere else. `id` is the client's own
`cmd_…`: the same id again is the same command and gets the same answer. `table` may be left out
where something else names the table: the path over HTTP, the hand that is running on a socket.
"""

from typing import Annotated, Any, assert_never

import msgspec

from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tables import Tables
from shared.contracts import table
from shared.kernel.ids import is_derived_id

Text = Annotated[str, msgspec.Meta(max_length=128)]
SeedBytes = Annotated[bytes, msgspec.Meta(max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class Said(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """Base of everything a player says."""

    id: Text | None = None


class Move(Said, frozen=True, kw_only=True):
    """Base of the actions in a hand; `decision` is the number in the `TurnStarted` it answers."""

    table: Text | None = None
    hand: Text
    decision: Number


class Fold(Move, frozen=True, kw_only=True, tag="fold"):
    """Give up the hand."""


class Check(Move, frozen=True, kw_only=True, tag="check"):
    """Pass while there is nothing to call."""


class Call(Move, frozen=True, kw_only=True, tag="call"):
    """Match the highest bet, or go all-in below it."""


class Raise(Move, frozen=True, kw_only=True, tag="raise"):
    """Bet or raise to a whole amount of this street."""

    to_chips: Number


class Show(Move, frozen=True, kw_only=True, tag="show"):
    """Show a beaten hand (PP-SHOWDOWN)."""


class Muck(Move, frozen=True, kw_only=True, tag="muck"):
    """Keep a beaten hand hidden (PP-SHOWDOWN)."""


class Seed(Said, frozen=True, kw_only=True, tag="seed"):
    """Add 32 bytes, as base64, to the chance of the coming hand's deck (player entropy)."""

    table: Text | None = None
    hand: Text
    seed: SeedBytes


class Out(Said, frozen=True, kw_only=True, tag="out"):
    """Let the system act from now on (PP-OUT)."""

    table: Text


class Back(Said, frozen=True, kw_only=True, tag="back"):
    """Play again (PP-OUT)."""

    table: Text


AnyMove = Fold | Check | Call | Raise | Show | Muck
AnyWord = AnyMove | Seed | Out | Back


def command_of(said: AnyWord, player: str) -> Any:
    """Write what a player said as the table's request."""
    match said:
        case Fold():
            return table.Fold(hand=said.hand, player=player, decision=said.decision)
        case Check():
            return table.Check(hand=said.hand, player=player, decision=said.decision)
        case Call():
            return table.Call(hand=said.hand, player=player, decision=said.decision)
        case Raise():
            return table.RaiseTo(
                hand=said.hand, player=player, decision=said.decision, to_chips=said.to_chips
            )
        case Show():
            return table.Show(hand=said.hand, player=player, decision=said.decision)
        case Muck():
            return table.Muck(hand=said.hand, player=player, decision=said.decision)
        case Seed():
            return table.GiveSeed(hand=said.hand, player=player, seed=said.seed)
        case Out():
            return table.GoOut(player=player)
        case Back():
            return table.ComeBack(player=player)
        case _:
            assert_never(said)


def table_of(said: AnyWord, player: str, tables: Tables) -> str:
    """Return the table that is named, or the player's table where the hand runs or is to come."""
    if said.table is not None:
        return table_id(said.table)
    if not isinstance(said, Out | Back):
        for at in tables.of(player):
            if said.hand in (at.hand, at.coming):
                return at.table
    raise Refusal("unknown_hand")


def table_id(text: str) -> str:
    """Let only ids pass that a table could have."""
    if not is_derived_id(text, "tbl"):
        raise Refusal("unknown_table")
    return text
