"""The world outside as the wallet needs it: one port for each thing it cannot do itself."""

from pathlib import Path
from typing import NamedTuple

from services.wallet.shell.issuer import Issuer, LocalIssuer
from services.wallet.shell.payments import PaymentProvider
from services.wallet.shell.post import Outbox, Post
from shared.runtime.person_keys import PersonKeys


class Outside(NamedTuple):
    """Whom errands are run with, and where the keys of persons are."""

    person_keys: PersonKeys
    issuer: Issuer = LocalIssuer()
    post: Post = Outbox(Path("outbox"))
    provider: PaymentProvider | None = None
