"""The director's settings, read from the environment once, at its start."""

from shared.runtime.settings import RuntimeSettings


class DirectorSettings(RuntimeSettings, frozen=True, kw_only=True):
    """So far the director needs only what every service needs; terms come with tournaments."""
