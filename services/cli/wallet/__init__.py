"""`rollforward wallet …`: what the journal says, with all that it says it by."""

from services.cli.wallet.command import app
from services.cli.wallet.rebuilding import rebuild

app.command(rebuild)

__all__ = ["app"]
