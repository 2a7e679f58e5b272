"""What may become of a payment, for whoever tests against us: its words, and how they arrive."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, get_args

from services.provider.core.payments import Kind, Said, ScenarioName, Word

Delivery = Literal["once", "three_times", "late", "newest_first"]


class Scenario(NamedTuple):
    """What is said of a deposit and of a payout, and how it arrives."""

    deposit: tuple[Word, ...]
    payout: tuple[Word, ...]
    delivery: Delivery = "once"

    def words(self, kind: Kind) -> tuple[Word, ...]:
        """Return what is said of this kind of payment."""
        return self.deposit if kind == "deposit" else self.payout


class Due(NamedTuple):
    """A word that is to be delivered at a moment, whether it was before or not."""

    sequence: int
    at_ms: int


SCENARIOS: Final[Mapping[ScenarioName, Scenario]] = {
    "plain": Scenario(("succeeded",), ("succeeded",)),
    "fails": Scenario(("failed",), ("failed",)),
    "duplicate": Scenario(("succeeded",), ("succeeded",), "three_times"),
    "late": Scenario(("succeeded",), ("succeeded",), "late"),
    "out_of_order": Scenario(("failed", "succeeded"), ("failed", "succeeded"), "newest_first"),
    "fails_after_success": Scenario(("succeeded", "failed"), ("succeeded", "failed")),
    "charged_back": Scenario(("succeeded", "charged_back"), ("succeeded", "returned")),
    "never": Scenario((), ()),
}
BY_LAST_DIGITS: Final[Mapping[int, ScenarioName]] = dict(
    zip(range(91, 98), get_args(ScenarioName)[1:], strict=True)
)


def scenario_for(amount_cents: int) -> ScenarioName:
    """Choose by the amount: its cents, from 91 on, name the scenarios behind `plain` in turn."""
    return BY_LAST_DIGITS.get(amount_cents % 100, "plain")


def dues_of(
    words: Sequence[Said], delivery: Delivery, pause_ms: int, late_ms: int
) -> tuple[Due, ...]:
    """Say when each word is to be delivered."""
    if delivery == "newest_first":
        first_ms = words[0].occurred_at_ms if words else 0
        newest_first = enumerate(reversed(words))
        return tuple(Due(said.sequence, first_ms + nth * pause_ms) for nth, said in newest_first)
    later_ms = late_ms if delivery == "late" else 0
    times = 3 if delivery == "three_times" else 1
    return tuple(
        Due(said.sequence, said.occurred_at_ms + later_ms + nth * pause_ms)
        for said in words
        for nth in range(times)
    )
