"""The vault keys: whoever holds them can read every deck ever dealt, so only the dealer does.

A key is 32 random bytes, written as hex or base64. A key file has one a line, the newest first;
the newest seals new decks, the others still open old ones. A key's id is a fingerprint of the
key itself, so that an id never names another key.
"""

import base64
import binascii
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from shared.kernel.hashing import digest
from shared.runtime.ports import Entropy
from shared.runtime.sealed import Withheld
from shared.runtime.settings import SettingsError

VAULT_KEY_BYTES: Final = 32
HEX_CHARACTERS: Final = 2 * VAULT_KEY_BYTES
OWNER_ONLY: Final = 0o600
KEY_SETTING: Final = "ROLLFORWARD_DEALER_VAULT_KEY"
KEY_FILE_SETTING: Final = "ROLLFORWARD_DEALER_VAULT_KEY_FILE"


class VaultUnusable(SettingsError):
    """No vault keys, or not such keys: the dealer refuses to start. Never says what it read."""


class Vault(Withheld, frozen=True):
    """All vault keys by their ids, and which one seals new decks."""

    current: str
    keys: dict[str, bytes]


def vault_of(keys: Iterable[bytes]) -> Vault:
    """Build a vault from keys, the newest first."""
    by_id = {key_id(key): key for key in keys}
    if not by_id:
        raise VaultUnusable("there is no vault key")
    return Vault(current=next(iter(by_id)), keys=by_id)


def key_id(key: bytes) -> str:
    """Return the id that events name this key by; it says nothing about the key."""
    return "vk_" + digest(b"rollforward/vault-key-id/v1\x00" + key).hex()[:16]


def open_vault(key_file: str, key_text: str) -> Vault:
    """Read the vault from exactly one of the two settings; the other one is empty."""
    if key_file and key_text:
        raise VaultUnusable(f"{KEY_FILE_SETTING} and {KEY_SETTING} are both set; set one")
    if key_text:
        return vault_of([parse_key(key_text, KEY_SETTING)])
    if key_file:
        return read_vault(Path(key_file))
    raise VaultUnusable(f"there is no vault key: set {KEY_FILE_SETTING} or {KEY_SETTING}")


def read_vault(path: Path) -> Vault:
    """Read a key file; blank lines and lines that begin with # are skipped."""
    try:
        lines = path.read_text("ascii").splitlines()
    except (OSError, UnicodeError) as failed:
        raise VaultUnusable(f"vault key file {path}: {type(failed).__name__}") from None
    return vault_of(
        parse_key(line, f"{path}, line {number}")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    )


def parse_key(text: str, where: str) -> bytes:
    """Return the key written in hex or base64; complain about its shape only."""
    word = text.strip()
    try:
        if len(word) == HEX_CHARACTERS:
            key = bytes.fromhex(word)
        else:
            key = base64.b64decode(word.translate(str.maketrans("-_", "+/")), validate=True)
    except (ValueError, binascii.Error):
        raise VaultUnusable(f"{where}: a vault key is hex or base64") from None
    if len(key) != VAULT_KEY_BYTES:
        raise VaultUnusable(f"{where}: a vault key has {VAULT_KEY_BYTES} bytes")
    return key


def write_new_key(path: Path, entropy: Entropy = os.urandom) -> None:
    """Make a key file readable by its owner only; a file that exists is never overwritten."""
    line = base64.b64encode(entropy(VAULT_KEY_BYTES)) + b"\n"
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(opened, "wb") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
