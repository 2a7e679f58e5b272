"""What a world need not do again, or at all: none of it can be seen from inside."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
        for module, name, function in (
            (sealing, "deck_of", sealing.deck_of),
            (dealing, "unseal_deck", sealing.unseal_deck),
        ):
            shortcuts.enter_context(patch.object(module, name, lru_cache(function)))
        for metric, name in ((Counter, "inc"), (Gauge, "set"), (Histogram, "observe")):
            shortcuts.enter_context(patch.object(metric, name, uncounted))
        yield


def uncounted(*_: Any, **__: Any) -> None:
    """A metric that is not kept."""
