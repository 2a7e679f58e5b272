"""The `rollforward` command: one sub-command per thing a person does with the platform."""

import signal
import sys
from types import FrameType

import cyclopts

from services.cli.database.command import deployment, migrate
from services.cli.deal import app as deal
from services.cli.hands import app as hands
from services.cli.inbox import app as inbox
from services.cli.payouts import app as payouts
from services.cli.regulator import app as regulator
from services.cli.replay import replay
from services.cli.rng import app as rng
from services.cli.run.command import run, up
from services.cli.status.command import status
from services.cli.streams import app as streams
from services.cli.tournament import app as tournament
from services.cli.vault import app as vault
from services.cli.verify.command import verify
from services.cli.wallet import app as wallet
from services.cli.wallet.acts import Unreadable
from shared.runtime.adapters.engines import EngineError
from shared.runtime.ports import BrokerUnavailable, StartRefused, StoreUnavailable
from shared.runtime.settings import SettingsError

app = cyclopts.App(
    name="rollforward",
    help="Event-sourced poker tournaments: a crash plays on, a cancelled tournament pays out.",
)
app.command(hands)
app.command(deal)
app.command(inbox)
app.command(payouts)
app.command(regulator)
app.command(replay)
app.command(rng)
app.command(run)
app.command(up)
app.command(status)
app.command(migrate)
app.command(deployment)
app.command(streams)
app.command(tournament)
app.command(vault)
app.command(verify)
app.command(wallet)


def main() -> None:
    """Run the command line; what an operator got wrong is one line and exit code 2."""
    signal.signal(signal.SIGTERM, leave)
    try:
        sys.exit(app())
    except (SettingsError, StartRefused) as error:
        sys.stderr.write(f"rollforward: {error}\n")
        sys.exit(2)
    except (StoreUnavailable, BrokerUnavailable, EngineError, Unreadable) as error:
        sys.stderr.write(f"rollforward: {error}\n")
        sys.exit(1)


def leave(number: int, _frame: FrameType | None) -> None:
    """SIGTERM ends what is under way in good order, as Ctrl-C does."""
    sys.exit(128 + number)
