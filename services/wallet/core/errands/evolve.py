"""How the line of errands changes."""

from functools import reduce

from msgspec.structs import replace

from services.wallet.core.errands import regulator
from services.wallet.core.errands.queue import with_last
from services.wallet.core.handlers import Evolves
from services.wallet.core.state import Wallet
from shared.contracts.wallet import ErrandsAwaited, ErrandsRun


def awaited(wallet: Wallet, event: ErrandsAwaited) -> Wallet:
    """The batch leaves the line."""
    errands = wallet.errands
    queue = errands.queue
    first = errands.first + len(event.errands)
    for place in range(errands.first, first):
        queue = queue.remove(place)
    return replace(
        wallet,
        errands=replace(errands, queue=queue, first=first, asked=event, batches=event.number),
    )


def run(wallet: Wallet, event: ErrandsRun) -> Wallet:
    """What is left goes to the end of the line, so that it holds nobody up."""
    errands = reduce(with_last, event.left, replace(wallet.errands, asked=None))
    return replace(wallet, errands=errands)


EVOLVES: Evolves = {ErrandsAwaited: awaited, ErrandsRun: run, **regulator.EVOLVES}
