"""The ranking's settings: it needs no more than every service does."""

from shared.runtime.settings import RuntimeSettings


class RankingSettings(RuntimeSettings, frozen=True, kw_only=True):
    """How results become ratings and points is published, and no setting."""
