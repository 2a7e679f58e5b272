"""A batch of errands is back."""

from itertools import chain

from services.wallet.core.errands import regulator
from services.wallet.core.errands.commands import TakeOutcomes
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import ErrandsRun
from shared.kernel.decider import Refused

OUTCOMES: Decides = {**regulator.OUTCOMES}


def take_outcomes(wallet: Wallet, command: TakeOutcomes, now: Now) -> Decision:
    """Record what came of the batch that is out, and only of that one."""
    asked = wallet.errands.asked
    if asked is None or asked.number != command.number:
        return Refused("not_awaited", f"batch {command.number} is not out")
    decided = [OUTCOMES[type(outcome)](wallet, outcome, now) for outcome in command.outcomes]
    events = chain.from_iterable(come for come in decided if not isinstance(come, Refused))
    return (*events, ErrandsRun(number=command.number, left=command.left))


DECIDES: Decides = {TakeOutcomes: take_outcomes}
