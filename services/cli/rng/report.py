"""The bench as text: one line a dealer, and what the figures mean."""

from collections.abc import Iterator, Sequence

from services.cli.rng.chances import ALPHA
from services.cli.rng.lines import LINE_ALPHA, LINES_THAT_MAY_ALARM, Line
from services.cli.rng.power import decks_needed, first_card_chances, first_card_power, least_seen
from services.dealer.core.shuffle import BOUND_AS_PUBLISHED

LEAST_P = 1e-300
TESTS_OF_DECKS = 12


def row(line: Line) -> str:
    """Name, both verdicts, the oddest test, how much was made, and in what time."""
    mark = "ok   " if line.right else "WRONG"
    verdicts = f"expected {line.expected:<8} found {line.found:<8}"
    made = f"{line.measured.made:>9,} {line.measured.unit:<7} {line.seconds:6.1f} s"
    return f"{mark} {line.name:<24} {verdicts} {oddest(line):<36} {made}{noted(line)}".rstrip()


def oddest(line: Line) -> str:
    if not line.measured.tests:
        return ""
    test = min(line.measured.tests, key=lambda one: one.p)
    return f"p {test.p:<8.1e} {test.name}" if test.p > LEAST_P else f"p <1e-300 {test.name}"


def noted(line: Line) -> str:
    return f"  {line.measured.note}" if line.measured.note else ""


def closing(lines: Sequence[Line], decks: int) -> Iterator[str]:
    """State alpha, what it bounds, and what these many decks can show."""
    alpha = LINE_ALPHA / TESTS_OF_DECKS
    published = first_card_chances(BOUND_AS_PUBLISHED)
    right = sum(line.right for line in lines)
    yield ""
    yield f"{right} of {len(lines)} verdicts as expected"
    yield (
        f"alpha {ALPHA} for a false alarm anywhere: {LINE_ALPHA} for each of the "
        f"{LINES_THAT_MAY_ALARM} lines made by chance that have to pass, over its tests by Holm"
    )
    yield (
        f"power at {decks:,} decks, by the first card alone: bound 209 is seen with "
        f"{first_card_power(decks, published, alpha):.2%} (99.9 % from "
        f"{decks_needed(published, alpha):,} decks on), one card likelier on top by "
        f"{least_seen(decks, alpha):.0%} with 99.9 %"
    )
