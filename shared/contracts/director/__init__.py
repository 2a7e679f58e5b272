"""The director's language: a tournament from its terms to its last prize."""

from shared.contracts.director.cancelling import (
    ApproveSheet,
    CancellationOpened,
    CancellationWithdrawn,
    CancellingEvent,
    CancellingRequest,
    Cut,
    LeaveTableOut,
    PayoutLine,
    ReadSheet,
    SheetFinal,
    SheetPage,
    TableHalting,
    TableLeftOut,
    TableReleased,
    TableStopped,
    WithdrawCancellation,
)
from shared.contracts.director.draws import (
    DrawAwaited,
    DrawTaken,
)
from shared.contracts.director.entries import (
    CancelTournament,
    CreateTournament,
    EntryAdmitted,
    EntryDeclined,
    EntryExpired,
    EntryFunded,
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
    HandSetAside,
    LevelBegan,
    MoveDecided,
    PauseTournament,
    Placing,
    PlayerEliminated,
    PrizeDue,
    RestEvent,
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
from shared.contracts.director.stages import (
    Stage,
    StageEnded,
    Standing,
)
from shared.contracts.director.terms import (
    Break,
    Level,
    SatellitePrizes,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)
from shared.contracts.director_money import BountyDue, GuaranteeDue, PayoutDue

DirectorRequest = (
    CreateTournament
    | Register
    | Unregister
    | CancelTournament
    | PauseTournament
    | ResumeTournament
    | CancellingRequest
)
DirectorEvent = (
    TournamentCreated
    | EntryRequested
    | EntryFunded
    | EntryAdmitted
    | PlayerRegistered
    | EntryDeclined
    | EntryExpired
    | PlayerUnregistered
    | TournamentCancelled
    | CancellingEvent
    | PayoutDue
    | BountyDue
    | DrawAwaited
    | DrawTaken
    | TournamentStarted
    | GuaranteeDue
    | TableFormed
    | LevelBegan
    | ClockExtended
    | RestEvent
    | HandCleared
    | HandDigested
    | HandForHandBegan
    | HandSetAside
    | MoveDecided
    | SeatAssigned
    | TableClosing
    | TableBroken
    | StageEnded
    | PlayerEliminated
    | PrizeDue
    | TournamentFinished
)

__all__ = [
    "ApproveSheet",
    "Break",
    "BreakBegan",
    "BreakExtended",
    "CancelTournament",
    "CancellationOpened",
    "CancellationWithdrawn",
    "CancellingEvent",
    "CancellingRequest",
    "ClockExtended",
    "CreateTournament",
    "Cut",
    "DealtSeat",
    "DirectorEvent",
    "DirectorRequest",
    "DrawAwaited",
    "DrawTaken",
    "EntryAdmitted",
    "EntryDeclined",
    "EntryExpired",
    "EntryFunded",
    "EntryRequested",
    "HandCleared",
    "HandDigested",
    "HandForHandBegan",
    "HandSetAside",
    "LeaveTableOut",
    "Level",
    "LevelBegan",
    "MoveDecided",
    "PauseTournament",
    "PayoutLine",
    "Placing",
    "PlayerEliminated",
    "PlayerRegistered",
    "PlayerUnregistered",
    "PrizeDue",
    "ReadSheet",
    "Register",
    "RestEvent",
    "ResumeTournament",
    "SatellitePrizes",
    "SeatAssigned",
    "SheetFinal",
    "SheetPage",
    "Stage",
    "StageEnded",
    "StandardPrizes",
    "Standing",
    "TableBroken",
    "TableClosing",
    "TableFormed",
    "TableHalting",
    "TableLeftOut",
    "TableReleased",
    "TableStopped",
    "Terms",
    "TournamentCancelled",
    "TournamentCreated",
    "TournamentFinished",
    "TournamentPaused",
    "TournamentResumed",
    "TournamentStarted",
    "Unregister",
    "WinnersPrizes",
    "WithdrawCancellation",
]
