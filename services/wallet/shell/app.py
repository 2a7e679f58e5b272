"""The wallet put together: one stream, `journal`, decided by the core."""

from typing import get_args

from services.wallet.core import DECIDER, Wallet, respond
from services.wallet.settings import WalletSettings
from services.wallet.shell.reactions import JOURNAL, REACTIONS
from shared.contracts.wallet import WalletEvent, WalletRequest
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main


def compose(_settings: WalletSettings, _world: World) -> Aggregate:
    """The wallet asks nobody and waits for no moment."""
    return Aggregate(
        owns=lambda stream: stream == JOURNAL,
        decider=DECIDER,
        events=get_args(WalletEvent),
        state=Wallet,
        requests=get_args(WalletRequest),
        reactions=REACTIONS,
        respond=respond,
    )


def run() -> None:
    """Run the wallet until SIGTERM."""
    main("wallet", WalletSettings, compose)
