"""Tournaments in stages (BH-SHOOTOUT): what each stage is, and who goes on from one to the next."""

from typing import final

import msgspec

from shared.contracts.message import Event


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """Tables of at most `seats`, each of which stops when `go_on` players are left.

    They begin with `stacks_chips`: one stack for all, or one for each rank at the table of the
    stage before, the best first. Without, they keep their chips; the first stage begins with
    the terms' `starting_chips`. It begins in level `first_level`; 0 lets the levels go on.
    """

    seats: int
    go_on: int = 1
    stacks_chips: tuple[int, ...] = ()
    first_level: int = 0


class Standing(msgspec.Struct, frozen=True):
    """Who goes on, ranked how at which table, and with how many chips."""

    player: str
    table: str
    rank: int
    stack_chips: int


@final
class StageEnded(Event, frozen=True, tag="director.stage-ended.v1"):
    """All tables of a stage have stopped; `number` counts from 1.

    Chips that stay behind at these tables leave the tournament, those of `standings` come.
    """

    tournament: str
    number: int
    standings: tuple[Standing, ...]
