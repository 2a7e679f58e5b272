"""Deals between the last players (`deals` in the terms): shares by the ICM or by chips."""

from services.director.core.deals.deciding import DEAL_TIMER, answer, expire, offer, propose
from services.director.core.deals.waiting import is_waiting, outage_over

__all__ = [
    "DEAL_TIMER",
    "answer",
    "expire",
    "is_waiting",
    "offer",
    "outage_over",
    "propose",
]
