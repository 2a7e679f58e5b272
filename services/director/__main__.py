"""`python -m services.director` runs the director."""

from services.director.shell.app import run

run()
