"""Who comes to a table between the coming button and small blind waits until the button passes."""

from services.director.core.hall import Table
from services.director.core.positions import clockwise


def nobody_waits(_table: Table, _seat: int) -> bool:
    """BH is silent: a newcomer keeps the order of the blinds, and is dealt in."""
    return False


def waits_for_the_button(table: Table, seat: int) -> bool:
    """PP-BALANCE, tda: not dealt in between button and small blind.

    The coming button is where the last small blind was, the coming small blind where the last
    big blind was (PP-DEADBUTTON). From two players to three the blinds are laid anew.
    """
    last = table.last
    if seat in last.dealt or len(last.dealt) < 3:
        return False
    button = last.button_seat if last.small_blind_seat is None else last.small_blind_seat
    around = clockwise((seat, last.big_blind_seat), button + 1, table.seats_max)
    return seat not in (button, last.big_blind_seat) and around[0] == seat
