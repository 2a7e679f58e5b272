"""`python -m services.wallet` runs the wallet."""

from services.wallet.shell.app import run

run()
