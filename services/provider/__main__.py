"""`python -m services.provider` runs the local payment provider."""

from services.provider.shell.app import run

run()
