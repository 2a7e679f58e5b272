"""`rollforward regulator …`: what the regulator's protocol is told of each game session."""

from services.cli.regulator.command import app

__all__ = ["app"]
