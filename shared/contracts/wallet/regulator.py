"""BP-REGULATOR-IDS: the ids that the regulator gives to game sessions and to participations."""

from typing import final

from shared.contracts.message import Event


@final
class SessionIdIssued(Event, frozen=True, tag="wallet.session-id-issued.v1"):
    """A tournament is one game session of the regulator's."""

    tournament: str
    session_id: str


@final
class ParticipationIdIssued(Event, frozen=True, tag="wallet.participation-id-issued.v1"):
    """Every entry that was paid for is one participation."""

    tournament: str
    entry: str
    player: str
    participation_id: str


RegulatorEvent = SessionIdIssued | ParticipationIdIssued
