"""How often Python looks for garbage that counting references does not find."""

import gc

ALLOCATIONS = 50_000
YOUNG_A_MIDDLE = 20
MIDDLE_AN_OLD = 50


def collect_rarely() -> None:
    """Look seldom: states are trees of values, which hold no cycles, and large.

    With Python's own figures a quarter of a decision's time is spent on looking in vain.
    """
    gc.set_threshold(ALLOCATIONS, YOUNG_A_MIDDLE, MIDDLE_AN_OLD)
