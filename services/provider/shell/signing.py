"""Signatures of both sides: HMAC-SHA-256 over the moment in seconds, a dot, and the body.

Written `t=<seconds>,v1=<hex>`. It shares no code with who verifies ours: a mistake must show.
"""

import hashlib
import hmac
from typing import Final

TOLERANCE_S: Final = 300


def signed(secret: str, at_s: int, body: bytes) -> str:
    """Return the signature of a body, made at a moment."""
    made = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256)
    return f"t={at_s},v1={made.hexdigest()}"


def is_signed(secret: str, header: str, body: bytes, now_s: int) -> bool:
    """Say whether somebody who has the secret has signed this just now."""
    moment = header.removeprefix("t=").partition(",")[0]
    if not (moment.isascii() and moment.isdigit() and len(moment) <= 12):
        return False
    right = signed(secret, int(moment), body)
    return hmac.compare_digest(header.encode(), right.encode()) and (
        abs(now_s - int(moment)) <= TOLERANCE_S
    )
