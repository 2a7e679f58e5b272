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
from shared.contracts.director.deals import (
    AnswerDeal,
    DealAccepted,
    DealAgreed,
    DealEvent,
    DealExtended,
    DealFailed,
    DealOffered,
    DealProposed,
    DealRequest,
    DealShare,
    Method,
    OfferDeal,
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
    | DealRequest
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
    | DealEvent
    | PlayerEliminated
    | PrizeDue
    | TournamentFinished
)

__all__ = [
    "AnswerDeal",
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
    "DealAccepted",
    "DealAgreed",
    "DealEvent",
    "DealExtended",
    "DealFailed",
    "DealOffered",
    "DealProposed",
    "DealRequest",
    "DealShare",
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
    "Method",
    "MoveDecided",
    "OfferDeal",
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
