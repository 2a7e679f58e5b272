"""Amounts of money: integer euro cents within bounds that every reader can hold exactly."""

AMOUNT_CENTS_MAX = 100_000_000


def amount_problem(amount_cents: int) -> str | None:
    """Return why this amount cannot be asked for in one request, or None."""
    if amount_cents <= 0:
        return "amount_must_be_positive"
    if amount_cents > AMOUNT_CENTS_MAX:
        return "amount_too_large"
    return None
