"""The director put together: one stream per tournament, decided by the core."""

from typing import get_args

from services.director.core import awaiting, has_clock, make_decider, reasons, timers
from services.director.core.state import Tournament
from services.director.settings import DirectorSettings
from services.director.shell.drawing import asking_for_draws
from services.director.shell.reactions import REACTIONS
from services.director.shell.sheets import LastSheet
from shared.contracts.director import DirectorEvent, DirectorRequest
from shared.kernel.ids import is_derived_id
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main


def compose(settings: DirectorSettings, world: World) -> Aggregate:
    """The director follows tables, wallet and ranking, and asks the dealer for draws."""
    return Aggregate(
        owns=lambda stream: is_derived_id(stream, "trn"),
        decider=make_decider(settings.rules()),
        events=get_args(DirectorEvent),
        state=Tournament,
        state_version=2,
        requests=get_args(DirectorRequest),
        reactions=REACTIONS,
        awaiting=awaiting,
        timers=timers,
        clocks=has_clock,
        ask=asking_for_draws(world.asking),
        explain=reasons,
        respond=LastSheet().respond,
    )


def run() -> None:
    """Run the director until SIGTERM."""
    main("director", DirectorSettings, compose)
