"""What an auditor with the vault keys opens: sealed decks, promised secrets, seats' hole cards.

Written from the words of the dealer's `shell/vault.py` and `shell/sealing.py` and of
`shared/runtime/sealed.py`, with HKDF (RFC 5869) made of HMAC; nothing of the dealer's is used.
"""

import base64
import binascii
import hmac
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.runtime.settings import SettingsError

KEY_BYTES, NONCE_BYTES = 32, 12

VaultKeys = Mapping[str, bytes]


def read_keys(path: Path) -> dict[str, bytes]:
    """Read a key file, one key a line, as keys by the ids that events name them by."""
    try:
        lines = [line.strip() for line in path.read_text("ascii").splitlines()]
    except (OSError, UnicodeError) as failed:
        raise SettingsError(f"vault key file {path}: {type(failed).__name__}") from None
    keys = [key_in(line) for line in lines if line and not line.startswith("#")]
    if not keys:
        raise SettingsError(f"vault key file {path} has no key")
    if any(key is None or len(key) != KEY_BYTES for key in keys):
        raise SettingsError(f"vault key file {path}: a key is {KEY_BYTES} bytes in hex or base64")
    return {key_id(key): key for key in keys if key is not None}


def key_in(word: str) -> bytes | None:
    """Read one key as hex or as either base64; None where it is neither."""
    try:
        if len(word) == 2 * KEY_BYTES:
            return bytes.fromhex(word)
        return base64.b64decode(word.translate(str.maketrans("-_", "+/")), validate=True)
    except (ValueError, binascii.Error):
        return None


def key_id(key: bytes) -> str:
    return "vk_" + sha256(b"rollforward/vault-key-id/v1\x00" + key).hexdigest()[:16]


def derived(secret: bytes, context: str, salt: bytes = b"", length: int = KEY_BYTES) -> bytes:
    """Derive at most 32 bytes: the first block of HKDF-SHA-256."""
    extracted = hmac.digest(salt or bytes(KEY_BYTES), secret, "sha256")
    return hmac.digest(extracted, context.encode() + b"\x01", "sha256")[:length]


def opened(key: bytes, nonce: bytes, box: bytes, context: str) -> bytes | None:
    """Open an AES-GCM box; None where it does not open."""
    try:
        return AESGCM(key).decrypt(nonce, box, context.encode())
    except (InvalidTag, ValueError):
        return None


def opened_for_hand(
    vault_key: bytes | None, purpose: str, hand: str, sealed: bytes, context: str
) -> bytes | None:
    """Open a nonce and its box with the key for this purpose and hand."""
    if vault_key is None:
        return None
    key = derived(vault_key, f"rollforward/{purpose}/v1/{hand}")
    return opened(key, sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], context)


def hole_cards(vault_key: bytes, hand: str, root: bytes, seat: int, box: bytes) -> str | None:
    """Open one seat's box: both cards, such as `AhKd`; None where it does not open."""
    key = derived(vault_key, f"rollforward/seat-key/v1/{hand}/{seat}", salt=root)
    nonce = derived(key, "rollforward/hole-nonce/v1", length=NONCE_BYTES)
    plain = opened(key, nonce, box, f"{hand}/{seat}/hole")
    return plain.decode() if plain is not None and plain.isascii() else None
