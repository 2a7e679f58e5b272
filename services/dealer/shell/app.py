"""The dealer put together: one stream per hand and per draw, and the vault that opens them."""

from typing import get_args

from services.dealer.core import Dealings
from services.dealer.settings import DealerSettings
from services.dealer.shell.dealing import make_decider, make_respond
from services.dealer.shell.registry import Registry
from services.dealer.shell.shuffling import Shuffles
from services.dealer.shell.vault import open_vault
from shared.contracts.dealer import DealerEvent, DealerRequest
from shared.kernel.ids import is_derived_id
from shared.runtime.adapters.decks import PostgresDecks
from shared.runtime.adapters.roles import role_of
from shared.runtime.aggregate import Aggregate
from shared.runtime.decks import UsedDecks
from shared.runtime.service import World, main


def compose(settings: DealerSettings, world: World, used: UsedDecks) -> Aggregate:
    """The dealer follows nobody; it refuses to start without a usable key for all it has sealed."""
    vault = open_vault(settings.dealer_vault_key_file, settings.dealer_vault_key)
    registry = Registry(vault, world.entropy, used)
    shuffles = Shuffles(world.entropy, registry)
    return Aggregate(
        owns=lambda stream: is_derived_id(stream, "hnd") or is_derived_id(stream, "drw"),
        decider=make_decider(vault, world.entropy, shuffles),
        events=get_args(DealerEvent),
        state=Dealings,
        requests=get_args(DealerRequest),
        respond=make_respond(vault, world.entropy),
        open=registry.open,
        prepare=shuffles.prepare,
    )


def composed(settings: DealerSettings, world: World) -> Aggregate:
    """Put the dealer together on its own database."""
    return compose(settings, world, PostgresDecks(settings.database_url, role_of("dealer")))


def run() -> None:
    """Run the dealer until SIGTERM."""
    main("dealer", DealerSettings, composed)
