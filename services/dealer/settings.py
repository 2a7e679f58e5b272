"""The dealer's settings: the runtime's, where the vault keys are, and the one way to shuffle."""

from typing import Final

from shared.runtime.sealed import Withheld
from shared.runtime.settings import RuntimeSettings, SettingsError, variable

PP_RNG: Final = "pp_rng"


class DealerSettings(Withheld, RuntimeSettings, frozen=True, kw_only=True):
    """Of the vault's two, exactly one is set: a file of keys, newest first, or one key by itself.

    `dealer_shuffle` is there to be said and refused: no other shuffle deals for players (PP-RNG).
    """

    dealer_vault_key_file: str = ""
    dealer_vault_key: str = ""
    dealer_shuffle: str = PP_RNG

    def __post_init__(self) -> None:
        if self.dealer_shuffle != PP_RNG:
            raise SettingsError(
                f"{variable('dealer_shuffle')}: the dealer deals by {PP_RNG} only; "
                "the bound as published is biased, and for tests and the bench alone"
            )
