"""What decisions need to know of corrections."""

import msgspec

from shared.contracts.wallet import CorrectionLine


class Correction(msgspec.Struct, frozen=True):
    """What was posted under one name, so that the same again is known for a retry."""

    corrects: int
    lines: tuple[CorrectionLine, ...]
    author: str
    reason: str
    settles: str = ""
