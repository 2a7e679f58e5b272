"""`python -m services.dealer` runs the dealer."""

from services.dealer.shell.app import run

run()
