"""The local provider's pure core: what is said of a payment, in which order it is delivered."""

from services.provider.core.payments import (
    AMOUNT_CENTS_MAX,
    Kind,
    Order,
    Payment,
    Said,
    ScenarioName,
    State,
    Word,
    decided,
    is_decided,
    newest,
    saying,
    state_of,
)
from services.provider.core.scenarios import SCENARIOS, Due, dues_of, scenario_for

__all__ = [
    "AMOUNT_CENTS_MAX",
    "SCENARIOS",
    "Due",
    "Kind",
    "Order",
    "Payment",
    "Said",
    "ScenarioName",
    "State",
    "Word",
    "decided",
    "dues_of",
    "is_decided",
    "newest",
    "saying",
    "scenario_for",
    "state_of",
]
