"""How errands came out, as the shell feeds it in."""

from typing import final

import msgspec

from shared.contracts.message import Command
from shared.contracts.wallet import Errand


@final
class SessionIssued(msgspec.Struct, frozen=True, tag="session-issued"):
    tournament: str
    session_id: str


@final
class ParticipationIssued(msgspec.Struct, frozen=True, tag="participation-issued"):
    tournament: str
    entry: str
    player: str
    participation_id: str


Outcome = SessionIssued | ParticipationIssued


@final
class TakeOutcomes(Command, frozen=True, tag="wallet.take-outcomes.v1"):
    """What came of batch `number`; the errands in `left` could not be run yet."""

    number: int
    outcomes: tuple[Outcome, ...]
    left: tuple[Errand, ...]
