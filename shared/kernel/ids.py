"""Ids: three letters that say what is named, and a token that sorts by the time of its making.

The token is 48 bits of milliseconds and 80 random bits, 26 characters of Crockford's base 32 in
lower case. Whoever makes an id brings clock and entropy along, so this stays pure. Ids may also
be derived from others (`hnd_…` from its table's id and a number): same characters, any token.
"""

import re

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ENTROPY_BYTES = 10
TIME_BITS = 48
TIME_CHARACTERS = 10
TOKEN_CHARACTERS = 26
DERIVED_CHARACTERS_MAX = 80

PAIRS = [first + second for first in ALPHABET for second in ALPHABET]
PAIR_SHIFTS = range(5 * (TOKEN_CHARACTERS - 2), -1, -10)

PREFIX = re.compile(r"[a-z]{3}")
MADE = re.compile(rf"[a-z]{{3}}_[0-7][{ALPHABET}]{{{TOKEN_CHARACTERS - 1}}}")
TO_DIGITS = str.maketrans(ALPHABET, "0123456789abcdefghijklmnopqrstuv")  # What `int` reads.
DERIVED = re.compile(r"[a-z]{3}_[a-z0-9_]+")


def new_id(prefix: str, at_ms: int, entropy: bytes) -> str:
    """Make an id; the same three arguments make the same id."""
    if not PREFIX.fullmatch(prefix):
        raise ValueError(f"an id begins with three letters, not {prefix!r}")
    if not 0 <= at_ms < 1 << TIME_BITS:
        raise ValueError(f"no id can carry the moment {at_ms}")
    if len(entropy) != ENTROPY_BYTES:
        raise ValueError(f"an id takes {ENTROPY_BYTES} bytes of entropy, not {len(entropy)}")
    number = at_ms << 8 * ENTROPY_BYTES | int.from_bytes(entropy, "big")
    return f"{prefix}_" + "".join([PAIRS[number >> shift & 1023] for shift in PAIR_SHIFTS])


def time_of(made_id: str) -> int:
    """Return the moment at which `new_id` made this id, in milliseconds since 1970 UTC."""
    if not is_id(made_id, made_id[:3]):
        raise ValueError(f"not an id that carries its time: {made_id!r}")
    return int(made_id[4 : 4 + TIME_CHARACTERS].translate(TO_DIGITS), 32)


def is_id(text: str, prefix: str) -> bool:
    """Say whether `new_id` could have made this id with this prefix."""
    return text[:3] == prefix and MADE.fullmatch(text) is not None


def is_derived_id(text: str, prefix: str) -> bool:
    """Say whether this is an id of that prefix at all, made by `new_id` or derived."""
    return (
        text.startswith(f"{prefix}_")
        and len(text) <= DERIVED_CHARACTERS_MAX
        and DERIVED.fullmatch(text) is not None
    )
