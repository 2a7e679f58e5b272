"""The wallet put together: one stream, `journal`, decided by the core."""

from typing import get_args

from services.wallet.core import Wallet, awaiting, make_decider, respond, timers
from services.wallet.settings import WalletSettings
from services.wallet.shell.errands import Errands
from services.wallet.shell.outside import Outside
from services.wallet.shell.reactions import JOURNAL, REACTIONS
from shared.contracts.wallet import WalletEvent, WalletRequest
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main


def compose(settings: WalletSettings, _world: World, outside: Outside) -> Aggregate:
    """The wallet follows the director; what it needs from outside it asks for as errands."""
    return Aggregate(
        owns=lambda stream: stream == JOURNAL,
        decider=make_decider(settings.rules()),
        events=get_args(WalletEvent),
        state=Wallet,
        requests=get_args(WalletRequest),
        reactions=REACTIONS,
        awaiting=awaiting,
        timers=timers,
        ask=Errands(outside).ask,
        respond=respond,
    )


def composed(settings: WalletSettings, world: World) -> Aggregate:
    """Put the wallet together with the world outside as the settings name it."""
    return compose(settings, world, Outside())


def run() -> None:
    """Run the wallet until SIGTERM."""
    main("wallet", WalletSettings, composed)
