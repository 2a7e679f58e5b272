"""`python -m services.table` runs the table."""

from services.table.shell.app import run

run()
