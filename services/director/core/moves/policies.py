"""The rule sets' own ways of moving players, side by side."""

from collections.abc import Callable
from typing import NamedTuple

from services.director.core.hall import Table
from services.director.core.moves import big_holdem, peoples_poker, tda
from services.director.core.moves.newcomers import nobody_waits, waits_for_the_button
from services.director.core.moves.tables import BALANCE_DRAW, MOVERS_DRAW
from services.director.core.stages import is_in_stages
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent, DrawTaken
from shared.contracts.hand import SeatStack

Events = tuple[DirectorEvent, ...]


class Policy(NamedTuple):
    """How one rule set moves players.

    `closes` names the table that closes now, `drawn_to_close` the candidates of its draw,
    `closing_moves` what the draw decides; `balance` moves one player or asks for a draw, which
    `balanced_by_draw` works off; `waits` says whether a seat is left out of the next hand, and
    `held_back` why a table is.
    """

    closes: Callable[[Tournament], Table | None]
    drawn_to_close: Callable[[Tournament, Table], tuple[str, ...]]
    closing_moves: Callable[[Tournament, Table, DrawTaken], Events]
    balance: Callable[[Tournament], Events]
    balanced_by_draw: Callable[[Tournament, DrawTaken], Events]
    waits: Callable[[Table, int], bool]
    held_back: Callable[[Tournament, Table], str | None]


def nothing_drawn(_tournament: Tournament, _taken: DrawTaken) -> Events:
    """These rules balance without a draw."""
    return ()


def never_held_back(_tournament: Tournament, _table: Table) -> str | None:
    """Under these rules a short table plays on."""
    return None


POLICIES = {
    "big_holdem": Policy(
        closes=big_holdem.closes,
        drawn_to_close=big_holdem.drawn_to_close,
        closing_moves=big_holdem.closing_moves,
        balance=big_holdem.balance,
        balanced_by_draw=nothing_drawn,
        waits=nobody_waits,
        held_back=never_held_back,
    ),
    "peoples_poker": Policy(
        closes=peoples_poker.closes,
        drawn_to_close=peoples_poker.drawn_to_close,
        closing_moves=peoples_poker.closing_moves,
        balance=peoples_poker.balance,
        balanced_by_draw=peoples_poker.balanced_by_draw,
        waits=waits_for_the_button,
        held_back=never_held_back,
    ),
    "tda": Policy(
        closes=tda.closes,
        drawn_to_close=tda.drawn_to_close,
        closing_moves=tda.closing_moves,
        balance=tda.balance,
        balanced_by_draw=nothing_drawn,
        waits=waits_for_the_button,
        held_back=tda.held_back,
    ),
}


AUTONOMOUS = Policy(
    closes=lambda _: None,
    drawn_to_close=lambda _, __: (),
    closing_moves=lambda _, __, ___: (),
    balance=lambda _: (),
    balanced_by_draw=nothing_drawn,
    waits=nobody_waits,
    held_back=never_held_back,
)


def policy_of(tournament: Tournament) -> Policy:
    """Return the tournament's own rules of moves; nobody moves between tables of a stage."""
    return AUTONOMOUS if is_in_stages(tournament) else POLICIES[tournament.rule_set.moves]


def closing_moves(tournament: Tournament, taken: DrawTaken) -> Events:
    """Send a closing table's players off."""
    table = tournament.tables[taken.purpose.removeprefix(f"{MOVERS_DRAW} ")]
    return policy_of(tournament).closing_moves(tournament, table, taken)


def balance(tournament: Tournament) -> Events:
    """Even out the tables; a closing table's players come first: they may fill the short ones."""
    if tournament.tables.open_count < 2:
        return ()
    if any(tournament.tables[name].seats for name in tournament.tables.closing):
        return ()
    return policy_of(tournament).balance(tournament)


def balanced_by_draw(tournament: Tournament, taken: DrawTaken) -> Events:
    """Move whom the draw has named, if it was one for balancing."""
    assert taken.purpose.startswith(f"{BALANCE_DRAW} ")
    return policy_of(tournament).balanced_by_draw(tournament, taken)


def dealt_in(tournament: Tournament, table: Table) -> tuple[SeatStack, ...]:
    """Return who plays the next hand: everybody, but newcomers who have to wait.

    Where too few would be left for a hand, nobody waits.
    """
    waits = policy_of(tournament).waits
    dealt = tuple(held for held in table.seats if not waits(table, held.seat))
    return dealt if len(dealt) > 1 else table.seats


def held_back(tournament: Tournament, table: Table) -> str | None:
    """Say why the rule set keeps a table from its next hand, or None."""
    return policy_of(tournament).held_back(tournament, table)
