"""The queue of errands, and the batch that is being run."""

import msgspec

from shared.contracts.wallet import Errand, ErrandsAwaited
from shared.kernel.pmap import PMap


class Errands(msgspec.Struct, frozen=True):
    """Errands by the order they came in; those before `first` are done or under way."""

    queue: PMap[int, Errand] = PMap()
    first: int = 0
    next: int = 0
    asked: ErrandsAwaited | None = None
    batches: int = 0
