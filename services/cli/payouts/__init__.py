"""`rollforward payouts …`: what an interrupted tournament pays, computed from a file."""

from services.cli.payouts.command import app

__all__ = ["app"]
