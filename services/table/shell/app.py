"""The tables put together: one stream per table, decided by the core, dealt by the dealer."""

from typing import get_args

from services.table.core import DECIDER, Table, awaiting, has_clock, timers
from services.table.settings import TableSettings
from services.table.shell.dealing import asking_the_dealer
from services.table.shell.reactions import REACTIONS
from shared.contracts.table import TableEvent, TableRequest
from shared.kernel.ids import is_derived_id
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main


def compose(_settings: TableSettings, world: World) -> Aggregate:
    """Tables follow the director and ask the dealer."""
    return Aggregate(
        owns=lambda stream: is_derived_id(stream, "tbl"),
        decider=DECIDER,
        events=get_args(TableEvent),
        state=Table,
        requests=get_args(TableRequest),
        reactions=REACTIONS,
        awaiting=awaiting,
        timers=timers,
        clocks=has_clock,
        ask=asking_the_dealer(world.asking, world.entropy),
    )


def run() -> None:
    """Run the tables until SIGTERM."""
    main("table", TableSettings, compose)
