"""`rollforward rng`: the dealer's decks, dice and draws on a bench, beside known-bad dealers."""

from services.cli.rng.command import app

__all__ = ["app"]
