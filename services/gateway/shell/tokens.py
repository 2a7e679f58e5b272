"""Who is asking: bearer tokens of players, made and checked without remembering any.

A player's token is the player's id and an HMAC-SHA-256 of it; operators' tokens come from the
settings. Both are compared in constant time.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal

import msgspec

from shared.contracts.commit import Actor
from shared.kernel.ids import is_id
from shared.runtime.settings import SettingsError

CONTEXT: Final = b"rollforward/player-token/v1/"
OPERATOR_TOKEN_MIN: Final = 16
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


class Tokens:
    """Issues players' tokens and recognises everybody's."""

    def __init__(self, secret: str, operators: Iterable[str]) -> None:
        self._secret = secret.encode()
        self._operators = [operator(pair) for pair in operators]

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
        names = [name for name, right in self._operators if same(token, right)]
        return Caller("operator", names[0]) if names else None

    def _seal(self, player: str) -> str:
        return hmac.new(self._secret, CONTEXT + player.encode(), sha256).hexdigest()


def same(given: str, right: str) -> bool:
    """Compare without telling by the time it takes how much was right."""
    return hmac.compare_digest(given.encode(), right.encode())


def operator(pair: str) -> tuple[str, str]:
    """Read `name=token`; a complaint never shows the token."""
    name, equals, token = pair.partition("=")
    if not (equals and name.isascii() and name.isidentifier()):
        raise SettingsError("ROLLFORWARD_GATEWAY_OPERATORS: write name=token, with commas between")
    if len(token) < OPERATOR_TOKEN_MIN:
        raise SettingsError(
            f"ROLLFORWARD_GATEWAY_OPERATORS: the token of {name} has fewer than "
            f"{OPERATOR_TOKEN_MIN} characters"
        )
    return name, token
