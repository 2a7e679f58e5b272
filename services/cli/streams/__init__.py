"""`rollforward streams`: the streams beside the logs that they deliver, and what to do about it."""

from services.cli.streams.command import app

__all__ = ["app"]
