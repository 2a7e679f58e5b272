"""Somebody for tests: what is filed of a person, in clear and as the wallet's core gets it."""

from zlib import crc32

from services.wallet.core import FileSealed, OpenSealed
from shared.contracts.wallet import FileContract, IdentifyAccount, OpenAccount, Person

PERSON = Person(
    name="Ann Other", born="1940-05-06", email="ann@example.com", document="passport X1234567"
)


def signing_up(player: str) -> tuple[OpenAccount, FileContract, IdentifyAccount]:
    """What makes an identified account, as it is asked for."""
    return (
        OpenAccount(player=player, name=f"Called {player}"),
        FileContract(player=player, person=person_of(player)),
        IdentifyAccount(player=player),
    )


def person_of(player: str) -> Person:
    """Somebody of whom nothing is like anybody else's."""
    number = crc32(player.encode())
    return Person(
        name=f"Person {player}",
        born=f"{1940 + number % 50}-0{1 + number % 9}-{10 + number % 19}",
        email=f"{number}@example.com",
        document=f"passport {number}",
    )


def signed_up(player: str) -> tuple[OpenSealed, FileSealed, IdentifyAccount]:
    """The same as it reaches the core, under no key at all."""
    return (
        OpenSealed(player=player, sealed=player.encode()),
        FileSealed(player=player, sealed=b"somebody"),
        IdentifyAccount(player=player),
    )
