"""The director's language: a tournament from its terms to its last prize."""

from shared.contracts.director.draws import (
    DrawAwaited,
    DrawTaken,
)
from shared.contracts.director.entries import (
    CancelTournament,
    CreateTournament,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    Register,
    TournamentCancelled,
    TournamentCreated,
    Unregister,
)
from shared.contracts.director.play import (
    BreakBegan,
    BreakExtended,
    ClockExtended,
    DealtSeat,
    HandCleared,
    HandDigested,
    HandForHandBegan,
    LevelBegan,
    MoveDecided,
    PauseTournament,
    Placing,
    PlayerEliminated,
    PrizeDue,
    ResumeTournament,
    SeatAssigned,
    TableBroken,
    TableClosing,
    TableFormed,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from shared.contracts.director.terms import (
    Break,
    Level,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)
from shared.contracts.director_money import GuaranteeDue

DirectorRequest = (
    CreateTournament | Register | Unregister | CancelTournament | PauseTournament | ResumeTournament
)
DirectorEvent = (
    TournamentCreated
    | EntryRequested
    | PlayerRegistered
    | EntryDeclined
    | EntryExpired
    | PlayerUnregistered
    | TournamentCancelled
    | DrawAwaited
    | DrawTaken
    | TournamentStarted
    | GuaranteeDue
    | TableFormed
    | LevelBegan
    | ClockExtended
    | BreakBegan
    | BreakExtended
    | TournamentPaused
    | TournamentResumed
    | HandCleared
    | HandDigested
    | HandForHandBegan
    | MoveDecided
    | SeatAssigned
    | TableClosing
    | TableBroken
    | PlayerEliminated
    | PrizeDue
    | TournamentFinished
)

__all__ = [
    "Break",
    "BreakBegan",
    "BreakExtended",
    "CancelTournament",
    "ClockExtended",
    "CreateTournament",
    "DealtSeat",
    "DirectorEvent",
    "DirectorRequest",
    "DrawAwaited",
    "DrawTaken",
    "EntryDeclined",
    "EntryExpired",
    "EntryRequested",
    "HandCleared",
    "HandDigested",
    "HandForHandBegan",
    "Level",
    "LevelBegan",
    "MoveDecided",
    "PauseTournament",
    "Placing",
    "PlayerEliminated",
    "PlayerRegistered",
    "PlayerUnregistered",
    "PrizeDue",
    "Register",
    "ResumeTournament",
    "SeatAssigned",
    "StandardPrizes",
    "TableBroken",
    "TableClosing",
    "TableFormed",
    "Terms",
    "TournamentCancelled",
    "TournamentCreated",
    "TournamentFinished",
    "TournamentPaused",
    "TournamentResumed",
    "TournamentStarted",
    "Unregister",
    "WinnersPrizes",
]
