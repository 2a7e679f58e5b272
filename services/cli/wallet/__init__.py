"""`rollforward wallet …`: what the journal says, with all that it says it by."""

from services.cli.wallet.command import app

__all__ = ["app"]
