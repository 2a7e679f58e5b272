"""`python -m services.ranking` runs the ranking."""

from services.ranking.shell.app import run

run()
