"""Who is asking: bearer tokens of players, made and checked without remembering any.

A player's token is the player's id and an HMAC-SHA-256 of it; operators' tokens, or their SHA-256,
come from the settings. All are compared in constant time.
"""

import hmac
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal

import msgspec

from shared.contracts.commit import Actor
from shared.kernel.ids import is_id
from shared.runtime.settings import SettingsError

CONTEXT: Final = b"rollforward/player-token/v1/"
OPERATOR_TOKEN_MIN: Final = 16
DIGEST: Final = "sha256:"
SHA256: Final = re.compile("[0-9a-f]{64}")
TOKEN_CHARACTERS_MAX: Final = 512

Role = Literal["player", "operator"]


class Caller(msgspec.Struct, frozen=True):
    """Somebody whose token was right."""

    role: Role
    id: str

    @property
    def actor(self) -> Actor:
        """Return the caller as commits name whoever decided."""
        return Actor(self.role, self.id)


class Operators:
    """Recognises operators by their tokens, of which only digests are kept."""

    def __init__(self, pairs: Iterable[str]) -> None:
        self._digests = [operator(pair) for pair in pairs]

    def named(self, token: str) -> str | None:
        """Return the operator whose token this is."""
        given = digest(token)
        names = [name for name, right in self._digests if same(given, right)]
        return names[0] if names else None


class Tokens:
    """Issues players' tokens and recognises everybody's."""

    def __init__(self, secret: str, operators: Iterable[str]) -> None:
        self._secret = secret.encode()
        self._operators = Operators(operators)

    def issue(self, player: str) -> str:
        """Return the token of a player: always the same one."""
        return f"{player}.{self._seal(player)}"

    def caller(self, token: str) -> Caller | None:
        """Return whose token this is."""
        if len(token) > TOKEN_CHARACTERS_MAX:
            return None
        player, _, seal = token.partition(".")
        if is_id(player, "ply") and same(seal, self._seal(player)):
            return Caller("player", player)
        name = self._operators.named(token)
        return Caller("operator", name) if name else None

    def _seal(self, player: str) -> str:
        return hmac.new(self._secret, CONTEXT + player.encode(), sha256).hexdigest()


def same(given: str, right: str) -> bool:
    """Compare without telling by the time it takes how much was right."""
    return hmac.compare_digest(given.encode(), right.encode())


def digest(token: str) -> str:
    """Return what stands for a token where it need not be known itself."""
    return sha256(token.encode()).hexdigest()


def operator(pair: str) -> tuple[str, str]:
    """Read `name=token` or `name=sha256:…`, as name and digest; a complaint never shows a token."""
    name, equals, token = pair.partition("=")
    if not (equals and name.isascii() and name.isidentifier()):
        raise SettingsError("ROLLFORWARD_GATEWAY_OPERATORS: write name=token, with commas between")
    if token.startswith(DIGEST):
        return name, digest_in(name, token.removeprefix(DIGEST))
    if len(token) < OPERATOR_TOKEN_MIN:
        raise SettingsError(
            f"ROLLFORWARD_GATEWAY_OPERATORS: the token of {name} has fewer than "
            f"{OPERATOR_TOKEN_MIN} characters"
        )
    return name, digest(token)


def digest_in(name: str, text: str) -> str:
    """Read a SHA-256 as `sha256sum` writes it."""
    if not SHA256.fullmatch(text):
        raise SettingsError(
            f"ROLLFORWARD_GATEWAY_OPERATORS: {DIGEST} of {name} is not followed by 64 digits of hex"
        )
    return text
