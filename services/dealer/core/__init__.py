"""The dealer's pure core: decks and orders from random bytes, commitments, and who may see what.

`DECIDER` decides on commands that carry what the shell made; `verdict_on` says beforehand
whether anything has to be made at all.
"""

from services.dealer.core.commands import DealerCommand
from services.dealer.core.commitment import verify_opening
from services.dealer.core.decide import WrongMaterial, step
from services.dealer.core.evolve import evolve
from services.dealer.core.shuffle import deck_from, drawn_from, order_from, order_of
from services.dealer.core.state import Dealings
from services.dealer.core.verdicts import verdict_on
from shared.contracts.dealer import DealerEvent
from shared.kernel.decider import Decider

DECIDER: Decider[Dealings, DealerCommand, DealerEvent] = Decider(
    initial=Dealings(), step=step, evolve=evolve
)

__all__ = [
    "DECIDER",
    "DealerCommand",
    "Dealings",
    "WrongMaterial",
    "deck_from",
    "drawn_from",
    "evolve",
    "order_from",
    "order_of",
    "step",
    "verdict_on",
    "verify_opening",
]
