"""`rollforward replay …`: what a log says, commit by commit, folded by this build."""

from services.cli.replay.command import replay

__all__ = ["replay"]
