"""How a table changes with its hands."""

from msgspec.structs import replace

from services.director.core import stages
from services.director.core.evolve.rows import Rows
from services.director.core.evolve.tables import by_seat
from services.director.core.hall import Positions, Table
from services.director.core.hands import busts_of
from services.director.core.state import Bust, Tournament
from shared.contracts.director import (
    HandCleared,
    HandDigested,
    HandForHandBegan,
    HandSetAside,
)
from shared.contracts.hand import SeatStack


def hand_cleared(tournament: Tournament, event: HandCleared) -> Tournament:
    table = tournament.tables[event.table]
    same_level = table.level == tournament.level
    cleared = replace(
        table,
        hand=event.number,
        playing=True,
        dealt=tuple(dealt.seat for dealt in event.roster),
        level=tournament.level,
        hands_in_level=table.hands_in_level if same_level else 0,
    )
    return replace(tournament, tables=tournament.tables.with_table(cleared))


def hand_digested(tournament: Tournament, event: HandDigested) -> Tournament:
    """Take the stacks; whoever has none has left the table and waits for a place."""
    before = tournament.tables[event.table]
    ended_as = tournament.hands_digested + 1
    hands_in_level = before.hands_in_level + 1
    busts, seats = busts_of(before, event), seats_after(before, event)
    saved = stages.saved(tournament, len(seats), busts)
    table = replace(
        before,
        seats=by_seat((*seats, *(SeatStack(bust.seat, bust.player, 0) for bust in saved))),
        saved=tuple(bust.player for bust in saved),
        outs=event.outs,
        last=Positions(
            event.button_seat, event.small_blind_seat, event.big_blind_seat, before.dealt
        ),
        playing=False,
        hands_in_level=hands_in_level,
        ended_at_ms=event.ended_at_ms,
        ended_as=ended_as,
        heard_from=event.upstream,
        heard_number=event.upstream_number,
    )
    in_this_level = hands_in_level if before.level == tournament.level else 0
    return replace(
        tournament,
        tables=tournament.tables.with_table(table),
        unranked=unranked_after(tournament, tuple(b for b in busts if b not in saved)),
        hands_digested=ended_as,
        hands_in_level=max(tournament.hands_in_level, in_this_level),
    )


def seats_after(table: Table, event: HandDigested) -> tuple[SeatStack, ...]:
    """Keep who arrived during the hand, and who still has chips after it."""
    arrived = (held for held in table.seats if held.seat not in table.dealt)
    still_in = (held for held in event.seats if held.stack_chips > 0)
    return by_seat((*arrived, *still_in))


def unranked_after(tournament: Tournament, busts: tuple[Bust, ...]) -> tuple[tuple[Bust, ...], ...]:
    """Every hand with busts is a round of its own; hand for hand they join the open round."""
    rounds = tournament.unranked
    if not busts:
        return rounds
    if tournament.hand_for_hand and rounds:
        return (*rounds[:-1], rounds[-1] + busts)
    return (*rounds, busts)


def hand_set_aside(tournament: Tournament, event: HandSetAside) -> Tournament:
    table = replace(tournament.tables[event.table], playing=False)
    return replace(tournament, tables=tournament.tables.with_table(table))


def hand_for_hand_began(tournament: Tournament, _: HandForHandBegan) -> Tournament:
    return replace(tournament, hand_for_hand=True)


APPLY: Rows = {
    HandCleared: hand_cleared,
    HandDigested: hand_digested,
    HandForHandBegan: hand_for_hand_began,
    HandSetAside: hand_set_aside,
}
