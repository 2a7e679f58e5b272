"""The dealer put together: one stream per hand and per draw, and the vault that opens them."""

from typing import get_args

from services.dealer.settings import DealerSettings
from services.dealer.shell.dealing import make_decider, make_respond
from services.dealer.shell.vault import open_vault
from shared.contracts.dealer import DealerEvent, DealerRequest
from shared.kernel.ids import is_derived_id
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main


def compose(settings: DealerSettings, world: World) -> Aggregate:
    """The dealer follows nobody; without a usable vault key it refuses to start."""
    vault = open_vault(settings.dealer_vault_key_file, settings.dealer_vault_key)
    return Aggregate(
        owns=lambda stream: is_derived_id(stream, "hnd") or is_derived_id(stream, "drw"),
        decider=make_decider(vault, world.entropy),
        events=get_args(DealerEvent),
        requests=get_args(DealerRequest),
        respond=make_respond(vault, world.entropy),
    )


def run() -> None:
    """Run the dealer until SIGTERM."""
    main("dealer", DealerSettings, compose)
