"""A search for what is known of persons, in bytes that must not tell it.

Who holds the keys of persons can open the log, and knows what to look for: the names that players
go by and what they filed, as text, as programs write it in JSON or as a repr, and in base64 or hex.
Words of fewer than six characters are left out: they would be found by chance.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from services.cli.verdicts.history import History
from services.wallet.shell.sealing import open_name, open_person
from shared.contracts.wallet import AccountOpened, ContractFiled

CHARACTERS_MIN: Final = 6


def personal_in(history: History, keys: Mapping[str, bytes]) -> dict[str, str]:
    """Open all that is sealed of persons whose keys are given: each text, and what it is."""
    found: dict[str, str] = {}
    for fact in history.of("wallet"):
        match fact.event:
            case AccountOpened(player=player, sealed=box) if box and player in keys:
                found[open_name(keys[player], player, box)] = f"the name of {player}"
            case ContractFiled(player=player, sealed=box) if player in keys:
                person = open_person(keys[player], player, box)
                found |= dict.fromkeys(
                    (person.name, person.born, person.email, person.document),
                    f"the contract of {player}",
                )
            case _:
                pass
    return {text: what for text, what in found.items() if len(text) >= CHARACTERS_MIN}


class PersonalReader:
    """Knows all texts; reads any bytes."""

    def __init__(self, personal: Mapping[str, str]) -> None:
        self._what = {form: what for text, what in personal.items() for form in forms_of(text)}
        longest_first = sorted(self._what, key=len, reverse=True)
        self._any = re.compile(b"|".join(map(re.escape, longest_first)))

    def read(self, data: bytes) -> Iterator[str]:
        """Name all that these bytes tell of persons."""
        if self._what:
            yield from (self._what[found] for found in dict.fromkeys(self._any.findall(data)))


def forms_of(text: str) -> Iterator[bytes]:
    """Yield a text as it may have been written."""
    plain = text.encode()
    yield plain
    yield json.dumps(text)[1:-1].encode()
    yield ascii(text)[1:-1].encode()
    yield plain.hex().encode()
    yield plain.hex().upper().encode()
    for before in range(3):
        yield in_base64(plain, before)


def in_base64(plain: bytes, before: int) -> bytes:
    """Return the characters that are the same whatever stands before and behind."""
    shifted = base64.b64encode(bytes(before) + plain)
    first, last = -(-before * 4 // 3), (before + len(plain)) * 4 // 3
    return shifted[first:last]
