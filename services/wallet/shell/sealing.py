"""How what is known of a person is sealed, under the key of this one person.

A box is a 12-byte nonce and AES-GCM over text in UTF-8, filled up with zero bytes to a multiple
of 32, so that its length says little. AAD: `player/name` or `player/person`. The nonce is
derived from key and content: sealing the same again gives the same bytes, other content another
nonce. The four parts of a person are lines: none of them can have a line break.
"""

import hmac
from typing import Final

from shared.contracts.wallet import Person
from shared.runtime.sealed import NONCE_BYTES, Unreadable, derived, seal, unseal

FILLED_TO: Final = 32
SEALING: Final = "rollforward/person/seal/v1"
NONCES: Final = "rollforward/person/nonce/v1"


def seal_name(key: bytes, player: str, name: str) -> bytes:
    """Seal the name that a player goes by."""
    return sealed(key, f"{player}/name", name)


def open_name(key: bytes, player: str, box: bytes) -> str:
    """Return the name that a player goes by; raise Unreadable for another's box."""
    return opened(key, f"{player}/name", box)


def seal_person(key: bytes, player: str, person: Person) -> bytes:
    """Seal who a player is."""
    lines = (person.name, person.born, person.email, person.document)
    return sealed(key, f"{player}/person", "\n".join(lines))


def open_person(key: bytes, player: str, box: bytes) -> Person:
    """Return who a player is; raise Unreadable for another's box."""
    try:
        name, born, email, document = opened(key, f"{player}/person", box).split("\n")
    except ValueError:
        raise Unreadable(f"the box of {player} holds no person") from None
    return Person(name=name, born=born, email=email, document=document)


def sealed(key: bytes, context: str, text: str) -> bytes:
    """Seal a text; the same key, context and text give the same bytes."""
    plain = text.encode()
    plain += bytes(-len(plain) % FILLED_TO)
    nonce = nonce_for(key, context, plain)
    return nonce + seal(derived(key, SEALING), nonce, plain, context)


def opened(key: bytes, context: str, box: bytes) -> str:
    """Return a text that was sealed with this key and context."""
    plain = unseal(derived(key, SEALING), box[:NONCE_BYTES], box[NONCE_BYTES:], context)
    return plain.rstrip(b"\0").decode()


def nonce_for(key: bytes, context: str, plain: bytes) -> bytes:
    """Derive the nonce of one content."""
    return hmac.digest(derived(key, NONCES), f"{context}\0".encode() + plain, "sha256")[
        :NONCE_BYTES
    ]
