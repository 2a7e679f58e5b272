"""Draws: questions to the dealer, and what they came to."""

from typing import final

from shared.contracts.message import Event


@final
class DrawAwaited(Event, frozen=True, tag="director.draw-awaited.v1"):
    """A question to the dealer, recorded before it is asked.

    `purpose` is `seats`, `button <table>`, `movers <table>`, `balance <from> <to>` or
    `tie <place>` (its best place). Where chairs are drawn with players they are `<table>/<seat>`.
    For PP-HIGHCARD it is `high card <table>`, drawn from the 52 cards: the first of the order
    are dealt to the seats of the table, ascending, one each.

    Where the names do not fit into one event, none stands here, and `unnamed` says how many there
    are: in the order of their ids, of the `seats` whoever is registered, of a `tie` whoever went
    out of the round with the fewest chips.
    """

    purpose: str
    candidates: tuple[str, ...]
    unnamed: int = 0

    @property
    def count(self) -> int:
        """How many are drawn from."""
        return len(self.candidates) + self.unnamed


@final
class DrawTaken(Event, frozen=True, tag="director.draw-taken.v1"):
    """`order[i]` is the index of the candidate that came out i-th; names as in the question."""

    purpose: str
    candidates: tuple[str, ...]
    order: tuple[int, ...]
