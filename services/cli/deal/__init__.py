"""`rollforward deal`: a hand or a draw taken out of the log, and checked without the server.

`command.py` (export and verify) → `file.py` (a file and its chains) → `judging.py` (what an
outsider can say) → `course.py` (the order of a hand) → `auditing.py` (what the vault key adds).
None of it shares code with the dealer.
"""

from services.cli.deal.command import app

__all__ = ["app"]
