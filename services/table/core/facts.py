"""What the director's facts mean here: they are never refused.

A fact about another table, or one that no longer applies, changes nothing. A fact that would
lose chips or deal to the wrong player contradicts the director's own log: it raises, and the
runtime sets it aside in sight.
"""

from services.table.core.flow import Step, recorded, vacated
from services.table.core.state import Table, opened, player_at, seat_of
from shared.contracts.dealer import DealtIn
from shared.contracts.director import (
    ChipsAssigned,
    HandCleared,
    MoveDecided,
    SeatAssigned,
    TableBroken,
    TableFormed,
)
from shared.contracts.hand import HandScheduled, PromiseAwaited
from shared.contracts.table import ChipsAdded, PlayerLeaving, SeatTaken, TableClosed, TableOpened


def open_table(table: Table, fact: TableFormed, _at_ms: int) -> Step:
    """The first fact of a table."""
    if table.opened is not None:
        return (), table
    first = TableOpened(
        tournament=fact.tournament,
        table=fact.table,
        rule_set=fact.rule_set,
        seats_max=fact.seats_max,
        action_ms=fact.action_ms,
        button_seat=fact.button_seat,
        seats=tuple(sorted(fact.seats, key=lambda taken: taken.seat)),
        time_bank_ms=fact.time_bank_ms,
        time_bank_refill_ms=fact.time_bank_refill_ms,
        player_entropy=fact.player_entropy,
        seed_ms=fact.seed_ms,
    )
    return recorded(table, (first,))


def concerns(table: Table, name: str) -> bool:
    """Tell whether a fact is about this table, and the table still takes any."""
    return table.opened is not None and table.opened.table == name and not table.closed


def schedule_hand(table: Table, fact: HandCleared, _at_ms: int) -> Step:
    """A cleared hand starts by timer; its roster is exactly the director's.

    With player entropy the dealer is bound first.
    """
    known = fact.number <= table.cleared or table.scheduled is not None
    if known or not concerns(table, fact.table):
        return (), table
    check_roster(table, fact)
    scheduled = HandScheduled(
        hand=fact.hand,
        number=fact.number,
        small_blind_chips=fact.level.small_blind_chips,
        big_blind_chips=fact.level.big_blind_chips,
        ante_chips=fact.level.ante_chips,
        roster=tuple([DealtIn(dealt.seat, dealt.player) for dealt in fact.roster]),
        not_before_ms=fact.not_before_ms,
        level_number=fact.level_number,
    )
    if not opened(table).player_entropy:
        return recorded(table, (scheduled,))
    return recorded(table, (scheduled, PromiseAwaited(hand=fact.hand)))


def check_roster(table: Table, fact: HandCleared) -> None:
    """Two or more, seats ascending, each where it says."""
    seats = [dealt.seat for dealt in fact.roster]
    if len(seats) < 2 or seats != sorted(set(seats)):
        raise ValueError(f"hand {fact.hand} is cleared for seats {seats}")
    for dealt in fact.roster:
        if player_at(table.seats, dealt.seat) != dealt.player:
            raise ValueError(f"hand {fact.hand}: {dealt.player} is not in seat {dealt.seat}")


def let_go(table: Table, fact: MoveDecided, _at_ms: int) -> Step:
    """A mover leaves at once, or at the end of a hand that deals to this player."""
    seat = seat_of(table.seats, fact.player)
    if seat is None or fact.player in table.leaving or not concerns(table, fact.from_table):
        return (), table
    if dealt_to(table, fact.player):
        return recorded(table, (PlayerLeaving(player=fact.player, seat=seat),))
    return recorded(table, vacated(table, (fact.player,)))


def dealt_to(table: Table, player: str) -> bool:
    """Tell whether a hand that runs, or is about to, has cards for this player."""
    if table.hand is not None and seat_of(table.hand.started.seats, player) is not None:
        return True
    coming = table.scheduled.roster if table.scheduled is not None else ()
    return player in [dealt.player for dealt in coming]


def take_seat(table: Table, fact: SeatAssigned, _at_ms: int) -> Step:
    """Chips in transit arrive; the player is dealt in when a cleared roster says so."""
    if not concerns(table, fact.table) or seat_of(table.seats, fact.player) == fact.seat:
        return (), table
    facts = opened(table)
    taken_by = player_at(table.seats, fact.seat)
    if taken_by is not None or not 1 <= fact.seat <= facts.seats_max:
        raise ValueError(f"{fact.player} cannot sit in seat {fact.seat}, held by {taken_by}")
    taken = SeatTaken(
        tournament=facts.tournament,
        table=facts.table,
        seat=fact.seat,
        player=fact.player,
        stack_chips=fact.stack_chips,
        out=fact.out,
        time_bank_used_ms=fact.time_bank_used_ms,
    )
    return recorded(table, (taken,))


def add_chips(table: Table, fact: ChipsAssigned, _at_ms: int) -> Step:
    """Put bought chips on a seat, once, and never into a hand."""
    if not concerns(table, fact.table) or fact.entry in table.bought:
        return (), table
    if player_at(table.seats, fact.seat) != fact.player:
        raise ValueError(f"{fact.entry}: {fact.player} is not in seat {fact.seat}")
    if dealt_to(table, fact.player):
        raise ValueError(f"{fact.entry}: {fact.player} is in a hand")
    facts = opened(table)
    added = ChipsAdded(
        tournament=facts.tournament,
        table=facts.table,
        seat=fact.seat,
        player=fact.player,
        entry=fact.entry,
        chips=fact.chips,
    )
    return recorded(table, (added,))


def close_table(table: Table, fact: TableBroken, _at_ms: int) -> Step:
    """No hand starts here any more."""
    if not concerns(table, fact.table):
        return (), table
    facts = opened(table)
    return recorded(table, (TableClosed(tournament=facts.tournament, table=facts.table),))
