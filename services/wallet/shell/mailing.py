"""PP-CONDUCT: a warning is an e-mail, to the address in the player's contract."""

from typing import Protocol

from services.wallet.core import Mailed, Outcome, Unmailable
from services.wallet.shell.letters import NoAddress, warning
from services.wallet.shell.post import AddressRefused, Post
from shared.contracts.wallet import MailWarning, Person


class Known(Protocol):
    """Who knows people by name and address."""

    async def person(self, player: str) -> Person | None:
        """Return who a player is, None where nobody knows it any more, or yet."""
        ...


class Mailing:
    """Writes to players, and says what became of it."""

    def __init__(self, known: Known, post: Post) -> None:
        self._known = known
        self._post = post

    async def warn(self, errand: MailWarning) -> Outcome:
        """Mail a warning; what the post cannot take now it raises, and it is tried again."""
        person = await self._known.person(errand.player)
        if person is None:
            return Unmailable(errand.player, errand.number, "address_unknown")
        try:
            await self._post.send(warning(errand, person))
        except (NoAddress, AddressRefused):
            return Unmailable(errand.player, errand.number, "address_refused")
        return Mailed(errand.player, errand.number)
