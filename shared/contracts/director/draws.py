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
    """

    purpose: str
    candidates: tuple[str, ...]


@final
class DrawTaken(Event, frozen=True, tag="director.draw-taken.v1"):
    """`order[i]` is the index of the candidate that came out i-th."""

    purpose: str
    candidates: tuple[str, ...]
    order: tuple[int, ...]
