"""`python -m tests.integration.runtime.process counter` runs one of the counting services."""

import sys

from shared.runtime.service import main
from tests.integration.runtime.counting import COMPOSE, CountingSettings, register

if __name__ == "__main__":
    register()
    main(sys.argv[1], CountingSettings, COMPOSE[sys.argv[1]])
