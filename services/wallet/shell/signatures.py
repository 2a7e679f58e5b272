"""The provider's signatures: HMAC-SHA-256 over the moment of signing, a dot, and the body.

Written `t=<seconds since 1970>,v1=<hex>`; while a secret is replaced by another there may be
several `v1`, and any of ours may have made any of them. The moment is that of this delivery: what
the provider could not deliver for days it signs anew. So an old signature is a replay.
"""

import hmac
import re
from collections.abc import Sequence
from typing import Final, Literal

from shared.kernel.hashing import keyed_digest

TOLERANCE_MS: Final = 5 * 60 * 1000
HEADER_CHARACTERS_MAX: Final = 512
HEADER: Final = re.compile(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,3})")

Problem = Literal["webhook_forged", "webhook_stale"]


def signature(secret: str, at_s: int, body: bytes) -> str:
    """Sign a body at a moment."""
    return f"t={at_s},v1={seal(secret, at_s, body)}"


def problem_with(secrets: Sequence[str], header: str, body: bytes, at_ms: int) -> Problem | None:
    """Return what is wrong with a signature: nobody's, or of another time than now."""
    found = HEADER.fullmatch(header) if len(header) <= HEADER_CHARACTERS_MAX else None
    if found is None:
        return "webhook_forged"
    at_s = int(found[1])
    seals = [part.removeprefix("v1=") for part in found[2].split(",")[1:]]
    right = [seal(secret, at_s, body) for secret in secrets]
    matches = [hmac.compare_digest(given, own) for given in seals for own in right]
    if not any(matches):
        return "webhook_forged"
    return "webhook_stale" if abs(at_ms - at_s * 1000) > TOLERANCE_MS else None


def seal(secret: str, at_s: int, body: bytes) -> str:
    return keyed_digest(secret.encode(), b"%d." % at_s + body).hex()
