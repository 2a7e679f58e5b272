"""What decisions need to know of a player's conduct."""

import msgspec


class Step(msgspec.Struct, frozen=True):
    """What an operator did, in words: the same again is a retry."""

    author: str
    reason: str


class Suspension(msgspec.Struct, frozen=True):
    """Until when, None for good, and who says so."""

    until_ms: int | None
    step: Step


class Conduct(msgspec.Struct, frozen=True):
    """What was done about one player; a suspension that is over by time may still stand here."""

    warnings: int = 0
    chat: Suspension | None = None
    play: Suspension | None = None
    closure: Step | None = None
    report: Step | None = None


CLEAN = Conduct()
