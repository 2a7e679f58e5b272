"""The world outside as the wallet needs it: one port for each thing it cannot do itself."""

from typing import NamedTuple

from services.wallet.shell.issuer import Issuer, LocalIssuer


class Outside(NamedTuple):
    """Whom errands are run with."""

    issuer: Issuer = LocalIssuer()
