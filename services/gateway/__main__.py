"""`python -m services.gateway` runs the gateway."""

from services.gateway.shell.app import run

run()
