"""`rollforward tournament …`: terms as files, and an operator's hand on what becomes of them."""

from services.cli.tournament.command import app

__all__ = ["app"]
