"""Durations and shares as a person writes them."""

UNITS = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1))


def lasting(milliseconds: int) -> str:
    """Write a duration exactly, such as `1 h 30 min`."""
    told_units, rest = [], milliseconds
    for unit, length in UNITS:
        count, rest = divmod(rest, length)
        if count:
            told_units.append(f"{count} {unit}")
    return " ".join(told_units) or "0 s"


def percent(hundredths: int) -> str:
    """Write hundredths of a percent, such as `12.5 %`."""
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".") + " %"
