"""BP-REGULATOR-IDS: who issues the regulator's ids; by default we do it ourselves."""

from hashlib import sha256
from typing import Protocol

ID_CHARACTERS = 16


class Issuer(Protocol):
    """Gives ids to game sessions and participations; asked again, it gives the same ones."""

    async def session_id(self, tournament: str) -> str:
        """Return the id of a tournament."""
        ...

    async def participation_id(self, entry: str) -> str:
        """Return the id of an entry."""
        ...


class LocalIssuer:
    """Derives ids from what they are for, so that they need no register of their own.

    An id is a letter for its kind and fifteen hexadecimal digits: sixteen characters, as the
    ids of the Italian protocol have.
    """

    async def session_id(self, tournament: str) -> str:
        return derived("M", tournament)

    async def participation_id(self, entry: str) -> str:
        return derived("N", entry)


def derived(kind: str, name: str) -> str:
    """Return the id of a kind for a name."""
    return kind + sha256(f"{kind}/{name}".encode()).hexdigest()[: ID_CHARACTERS - 1].upper()
