"""`rollforward vault`: the keys that decks were sealed under, and giving one up."""

from services.cli.vault.command import app

__all__ = ["app"]
