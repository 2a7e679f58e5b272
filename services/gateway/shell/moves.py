"""What a player may send about a table, over HTTP and over the socket alike.

`do` says which; who does it stands in the token and nowhere else. `id` is the client's own
`cmd_…`: the same id again is the same command and gets the same answer. `table` may be left out
where something else names the table: the path over HTTP, the hand that is running on a socket,
or the only table of a player who talks.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, assert_never

import msgspec

from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tables import Tables
from shared.contracts import table
from shared.kernel.ids import is_derived_id

Text = Annotated[str, msgspec.Meta(max_length=128)]
SeedBytes = Annotated[bytes, msgspec.Meta(max_length=64)]
Line = Annotated[str, msgspec.Meta(max_length=1_000)]
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


class Say(Said, frozen=True, kw_only=True, tag="say"):
    """Chat with everybody at the table (BP-CHAT)."""

    table: Text | None = None
    text: Line


class Out(Said, frozen=True, kw_only=True, tag="out"):
    """Let the system act from now on (PP-OUT)."""

    table: Text


class Back(Said, frozen=True, kw_only=True, tag="back"):
    """Play again (PP-OUT)."""

    table: Text


AnyMove = Fold | Check | Call | Raise | Show | Muck
AnyWord = AnyMove | Seed | Say | Out | Back

PLAIN: Final[dict[type[Move], Callable[..., table.Action]]] = {
    Fold: table.Fold,
    Check: table.Check,
    Call: table.Call,
    Show: table.Show,
    Muck: table.Muck,
}


def command_of(said: AnyWord, player: str) -> Any:
    """Write what a player said as the table's request."""
    match said:
        case Raise():
            return table.RaiseTo(
                hand=said.hand, player=player, decision=said.decision, to_chips=said.to_chips
            )
        case Move():
            return PLAIN[type(said)](hand=said.hand, player=player, decision=said.decision)
        case Seed():
            return table.GiveSeed(hand=said.hand, player=player, seed=said.seed)
        case Say():
            return table.Say(player=player, text=said.text)
        case Out():
            return table.GoOut(player=player)
        case Back():
            return table.ComeBack(player=player)
        case _:
            assert_never(said)


def table_of(said: AnyWord, player: str, tables: Tables) -> str:
    """Return the table that is named, or the player's table where the hand runs or is to come.

    Who talks and sits at one table alone needs no name for it.
    """
    if said.table is not None:
        return table_id(said.table)
    if isinstance(said, Say):
        return only_table(player, tables)
    if not isinstance(said, Out | Back):
        for at in tables.of(player):
            if said.hand in (at.hand, at.coming):
                return at.table
    raise Refusal("unknown_hand")


def only_table(player: str, tables: Tables) -> str:
    """Return the table at which a player sits, if it is one alone."""
    at = [table.table for table in tables.of(player)]
    if not at:
        raise Refusal("not_seated")
    if len(at) > 1:
        raise Refusal("unknown_table", f"name one of {len(at)} tables")
    return at[0]


def table_id(text: str) -> str:
    """Let only ids pass that a table could have."""
    if not is_derived_id(text, "tbl"):
        raise Refusal("unknown_table")
    return text
