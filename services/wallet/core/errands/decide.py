"""A batch of errands is back."""

from services.wallet.core.accounts import standing
from services.wallet.core.conduct import post
from services.wallet.core.errands import regulator
from services.wallet.core.errands.commands import TakeOutcomes
from services.wallet.core.evolve import evolve
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.payments import sending
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import ErrandsRun, WalletEvent
from shared.kernel.decider import Refused

OUTCOMES: Decides = {**standing.OUTCOMES, **post.OUTCOMES, **sending.OUTCOMES, **regulator.OUTCOMES}


def take_outcomes(wallet: Wallet, command: TakeOutcomes, now: Now) -> Decision:
    """Record what came of the batch that is out, each on what those before it have left."""
    asked = wallet.errands.asked
    if asked is None or asked.number != command.number:
        return Refused("not_awaited", f"batch {command.number} is not out")
    events: list[WalletEvent] = []
    for outcome in command.outcomes:
        decided = OUTCOMES[type(outcome)](wallet, outcome, now)
        for event in () if isinstance(decided, Refused) else decided:
            wallet = evolve(wallet, event)
            events.append(event)
    return (*events, ErrandsRun(number=command.number, left=command.left))


DECIDES: Decides = {TakeOutcomes: take_outcomes}
