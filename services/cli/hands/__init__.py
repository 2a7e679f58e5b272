"""`rollforward hands`: recorded hands through the production core."""

from services.cli.hands.command import app

__all__ = ["app"]
