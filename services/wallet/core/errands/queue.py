"""Errands stand in line; one batch at a time is asked for."""

from msgspec.structs import replace

from services.wallet.core.errands.state import Errands
from services.wallet.core.state import Wallet
from shared.contracts.wallet import Errand, ErrandsAwaited

BATCH_MAX = 64


def queued(wallet: Wallet, errand: Errand) -> Wallet:
    """Return the wallet with one more errand at the end of the line."""
    return replace(wallet, errands=with_last(wallet.errands, errand))


def with_last(errands: Errands, errand: Errand) -> Errands:
    """Put an errand last."""
    queue = errands.queue.insert(errands.next, errand)
    return replace(errands, queue=queue, next=errands.next + 1)


def next_batch(errands: Errands) -> ErrandsAwaited | None:
    """Return what to ask for now: nothing while a batch is out, or when the line is empty."""
    if errands.asked is not None or errands.first == errands.next:
        return None
    last = min(errands.first + BATCH_MAX, errands.next)
    batch = tuple(errands.queue[place] for place in range(errands.first, last))
    return ErrandsAwaited(number=errands.batches + 1, errands=batch)
