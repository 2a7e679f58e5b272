"""The table's settings, read from the environment once, at its start."""

from shared.runtime.settings import RuntimeSettings


class TableSettings(RuntimeSettings, frozen=True, kw_only=True):
    """So far tables need only what every service needs; the terms come with each tournament."""
