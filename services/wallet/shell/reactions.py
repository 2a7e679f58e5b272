"""Which facts the journal follows: all of them belong to its one stream."""

from collections.abc import Mapping
from typing import Any

from shared.contracts.director import (
    BountyDue,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    GuaranteeDue,
    LeftBigShoot,
    PayoutDue,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
    StagePrizeDue,
    TournamentCancelled,
)
from shared.runtime.aggregate import Reaction

JOURNAL = "journal"

REACTIONS: Mapping[type[Any], Reaction] = {
    fact: Reaction(stream=lambda _: JOURNAL)
    for fact in (
        EntryRequested,
        PlayerRegistered,
        EntryDeclined,
        EntryExpired,
        PlayerUnregistered,
        PrizeDue,
        TournamentCancelled,
        RebuyRequested,
        RebuyGranted,
        RebuyLapsed,
        GuaranteeDue,
        PayoutDue,
        BountyDue,
        QualifiersNamed,
        StagePrizeDue,
        LeftBigShoot,
    )
}
