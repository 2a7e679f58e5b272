"""`rollforward inbox`: the facts that services could not take in, and feeding them again."""

from services.cli.inbox.command import app

__all__ = ["app"]
