"""The dealer's settings: the runtime's, and where the vault keys are."""

from shared.runtime.sealed import Withheld
from shared.runtime.settings import RuntimeSettings


class DealerSettings(Withheld, RuntimeSettings, frozen=True, kw_only=True):
    """Exactly one of the two is set: a file of keys, newest first, or one key by itself."""

    dealer_vault_key_file: str = ""
    dealer_vault_key: str = ""
