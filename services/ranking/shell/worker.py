"""`python -m services.ranking.shell.worker`: beliefs on standard input, the model's on output.

A process of its own, because the model takes the square of the players' number and lets go of
the interpreter for nobody: seven seconds for 10,000 of them. It ends with its input or output.
"""

import sys

from services.ranking.shell.model import rate
from services.ranking.shell.rating import decode, encode


def main() -> None:
    """Read the whole question, write the whole answer."""
    sys.stdout.buffer.write(encode(rate(decode(sys.stdin.buffer.read()))))


if __name__ == "__main__":
    main()
