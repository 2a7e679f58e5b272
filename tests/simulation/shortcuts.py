"""What a world need not do again, or at all: none of it can be seen from inside."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from prometheus_client import Counter, Gauge, Histogram

from services.dealer.shell import dealing, sealing


@contextmanager
def taken() -> Iterator[None]:
    """Complete and unseal each deck once, since the same bytes always make the same deck.

    And count nothing: no law is about metrics.
    """
    with ExitStack() as shortcuts:
        for function in (sealing.deck_of, sealing.unseal_deck):
            remembered = lru_cache(function)
            for module in (sealing, dealing):
                shortcuts.enter_context(patch.object(module, function.__name__, remembered))
        for metric, name, uncounted in UNCOUNTED:
            shortcuts.enter_context(patch.object(metric, name, uncounted))
        yield


def not_counted(*_: Any, **__: Any) -> None:
    """A metric that is not kept."""


NOT_TIMED = nullcontext()
UNCOUNTED: tuple[tuple[Any, str, Any], ...] = (
    (Counter, "inc", not_counted),
    (Gauge, "set", not_counted),
    (Histogram, "observe", not_counted),
    (Histogram, "time", lambda _: NOT_TIMED),
)
