"""The first tables (PP-SEAT): one draw for all seats, then one a table for its first button.

The chairs stand in a row, table by table, seats 1 … size; the player drawn k-th takes the k-th.
Sizes differ by one at most, the larger tables first, so every player is as likely to get any
chair of the tournament. The button goes to the player drawn first among those of the table, or
to the highest card where the rule set deals one to each (PP-HIGHCARD).
"""

from itertools import pairwise

from services.director.core import stages
from services.director.core.drawing import drawn_from
from services.director.core.hall import Positions
from services.director.core.state import Tournament
from services.director.core.terms import chairs_max
from shared.contracts.director import DirectorEvent, DrawAwaited, DrawTaken, TableFormed
from shared.contracts.hand import SeatStack
from shared.poker.cards import highest_card
from shared.poker.deck import CARDS

SEATS_DRAW = "seats"
BUTTON_DRAW = "button "
HIGH_CARD_DRAW = "high card "


def table_id(tournament: Tournament, number: int) -> str:
    """Name a table after its tournament and number."""
    return f"tbl_{tournament.token}_{number}"


def seat_by_draw(tournament: Tournament, taken: DrawTaken) -> tuple[tuple[SeatStack, ...], ...]:
    """Turn the drawn order of players into the first seats of all tables."""
    stacks = stages.entrants(tournament)
    candidates = taken.candidates or tuple(stacks)
    drawn = [candidates[index] for index in taken.order]
    ends = [0]
    for size in stages.table_sizes(len(drawn), stages.seats_a_table(tournament)):
        ends.append(ends[-1] + size)
    return tuple(
        tuple(
            SeatStack(seat, player, stacks[player])
            for seat, player in enumerate(drawn[begin:end], 1)
        )
        for begin, end in pairwise(ends)
    )


def ask_for_seats(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Ask once a stage, before any table of it stands."""
    if tournament.seating or tournament.tables:
        return ()
    return (drawn_from(SEATS_DRAW, tuple(stages.entrants(tournament))),)


def ask_for_button(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Ask for the first button of the next table that has none: a player, or a deck of cards."""
    drawn = len(tournament.buttons)
    if drawn == len(tournament.seating):
        return ()
    table = table_id(tournament, tournament.tables_formed + drawn + 1)
    if tournament.rule_set.first_button == "high_card":
        return (DrawAwaited(purpose=f"{HIGH_CARD_DRAW}{table}", candidates=CARDS),)
    players = tuple(seat.player for seat in tournament.seating[drawn])
    return (DrawAwaited(purpose=f"{BUTTON_DRAW}{table}", candidates=players),)


def button_by_draw(taken: DrawTaken, seats: tuple[SeatStack, ...]) -> int:
    """Give the button to who was drawn first, or to the highest card, seats dealt to in order."""
    if taken.purpose.startswith(BUTTON_DRAW):
        return seats[taken.order[0]].seat
    dealt = [taken.candidates[card] for card in taken.order[: len(seats)]]
    return seats[highest_card(dealt)].seat


def form_tables(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Open all tables of a stage at once, when the last button is drawn."""
    return tuple(
        formed(tournament, number, button, seats)
        for number, (seats, button) in enumerate(
            zip(tournament.seating, tournament.buttons, strict=True), tournament.tables_formed + 1
        )
    )


def late_table(tournament: Tournament, player: str, chips: int) -> TableFormed:
    """Open one table more, for a newcomer who finds no chair; the button begins there."""
    seats = (SeatStack(1, player, chips),)
    return formed(tournament, tournament.tables_formed + 1, 1, seats)


def formed(
    tournament: Tournament, number: int, button_seat: int, seats: tuple[SeatStack, ...]
) -> TableFormed:
    terms = tournament.agreed
    return TableFormed(
        tournament=tournament.tournament,
        table=table_id(tournament, number),
        number=number,
        rule_set=tournament.rule_set,
        seats_max=chairs_max(terms, tournament.stage),
        action_ms=terms.action_ms,
        button_seat=button_seat,
        seats=seats,
        time_bank_ms=terms.time_bank_ms,
        time_bank_refill_ms=terms.time_bank_refill_ms,
        player_entropy=terms.player_entropy,
        seed_ms=terms.seed_ms,
    )


def positions_before_first_hand(seats: tuple[SeatStack, ...], button_seat: int) -> Positions:
    """Stand in for a last ended hand: the first big blind comes after this big blind."""
    dealt = tuple(held.seat for held in seats)
    after = dealt[(dealt.index(button_seat) + 1) % len(dealt)]
    return Positions(
        button_seat=button_seat,
        small_blind_seat=None,
        big_blind_seat=after if len(dealt) > 2 else button_seat,
        dealt=dealt,
    )
