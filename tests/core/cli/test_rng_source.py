"""The source check: the dealer as it is has nothing to hide, and every broken link is seen."""

import pytest

from services.cli.rng.source_check import (
    CHAIN,
    DEALER,
    dealer_sources,
    seeded_sources,
    source_complaints,
)

COMPOSITION = f"{DEALER}/shell/app.py"
SHUFFLE = f"{DEALER}/core/shuffle.py"


def test_pp_rng_only_the_systems_generator_reaches_the_shuffle():
    sources = dealer_sources()
    assert {*CHAIN, COMPOSITION, SHUFFLE} <= set(sources)
    assert source_complaints(sources) == []


def test_the_benchs_own_seeded_dealers_are_flagged():
    complaints = " ".join(source_complaints(seeded_sources()))
    assert "imports numpy" in complaints
    assert "buffers that do not come from entropy" in complaints


BROKEN = [
    # what stands somewhere in the chain, what it becomes, what is said of it
    ("import partial", "import partial\nimport random", "imports random"),
    ("import partial", "import partial\nfrom time import time_ns", "imports time"),
    ("import partial", "import partial\nimport numpy.random as r", "imports numpy.random"),
    ("def deck_in(", "import uuid\n\n\ndef deck_in(", "imports uuid"),
    ("def deck_in(", "r = __import__('random')\n\n\ndef deck_in(", "calls __import__"),
    ("def deck_in(", "def entropy(n):\n    return 0\n\n\ndef deck_in(", "made by hand"),
    (
        "yield self._entropy(BUFFER_BYTES)",
        "yield bytes(BUFFER_BYTES)",
        "buffers that do not come from entropy",
    ),
    (
        "stretched(secret, given)",
        "stretched(secret, b'')",
        "is not fed by stretched(secret, given) alone",
    ),
    (
        "keyed_digest(secret, given",
        "keyed_digest(given, given",
        "stretched bytes that are not keyed with the secret",
    ),
    ("secret = entropy(SECRET_BYTES)", "secret = bytes(32)", "the secret is bytes(32)"),
    ("mixed_deck(self.secret,", "mixed_deck(bytes(32),", "mixed_deck is given bytes(32) as secret"),
    ("promise_of(request.hand, secret)", "promise_of(request.hand, KEY)", "is given KEY as secret"),
    ("self._entropy = entropy", "self._entropy = bytes", "entropy is bytes"),
    ("deck_from(self.buffers())", "deck_from(iter([b]))", "is not fed by self.buffers() alone"),
    (
        "deck_from(self.buffers())",
        "deck_from(self.buffers(), as_published=True)",
        "is not fed by self.buffers() alone",
    ),
    ("Dealings, deck_from,", "Dealings, deck_from as made,", "deck_from is renamed"),
    ("Dealing(vault, entropy", "Dealing(vault, bytes", "Dealing is given bytes as entropy"),
    ("partial(replied, vault, entropy", "partial(replied, vault, bytes", "replied is given bytes"),
    (
        "make_decider(vault, world.entropy",
        "make_decider(vault, lambda n: bytes(n)",
        "make_decider is given lambda n: bytes(n) as entropy",
    ),
    ("World(self._clock, entropy, ", "World(self._clock, bytes, ", "World is given bytes"),
    (
        "from shared.runtime.adapters.system import SystemClock, entropy",
        "from shared.runtime.adapters.nats import entropy",
        "entropy is imported from shared.runtime.adapters.nats",
    ),
    ("entropy = secrets.token_bytes", "entropy = bytes", "entropy is bytes"),
]


@pytest.mark.parametrize(("text", "broken", "said"), BROKEN)
def test_a_broken_link_is_seen(text, broken, said):
    sources = dealer_sources()
    path = next(path for path, source in sources.items() if text in source)
    complaints = source_complaints({**sources, path: sources[path].replace(text, broken)})
    assert any(said in complaint and complaint.startswith(path) for complaint in complaints)


def test_a_check_that_finds_no_shuffle_has_checked_nothing():
    assert source_complaints({}) == ["no shuffle is fed anywhere"]
