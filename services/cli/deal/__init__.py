"""`rollforward deal`: a hand or a draw taken out of the log, and checked without the server."""

from services.cli.deal.command import app

__all__ = ["app"]
