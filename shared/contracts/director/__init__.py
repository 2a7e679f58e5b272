"""The director's language: a tournament from its terms to its last prize."""

from shared.contracts.director.buying import (
    AddOn,
    BuyingEvent,
    BuyingRequest,
    ChipsAssigned,
    DeclineRebuy,
    EntriesClosed,
    PlayerBusted,
    PriceHeld,
    Rebuy,
    RebuyOffered,
    RebuyOfferExtended,
    WaitingListClosed,
    WaitingListJoined,
    WaitingListLeft,
)
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
from shared.contracts.director.money import (
    BountyDue,
    DirectorMoneyEvent,
    GuaranteeDue,
    PayoutDue,
    RebuyGranted,
    RebuyKind,
    RebuyLapsed,
    RebuyRequested,
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
    Purchase,
    SatellitePrizes,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)

DirectorRequest = (
    CreateTournament
    | Register
    | Unregister
    | CancelTournament
    | PauseTournament
    | ResumeTournament
    | BuyingRequest
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
    | DirectorMoneyEvent
    | BuyingEvent
    | DrawAwaited
    | DrawTaken
    | TournamentStarted
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
    "AddOn",
    "AnswerDeal",
    "ApproveSheet",
    "BountyDue",
    "Break",
    "BreakBegan",
    "BreakExtended",
    "BuyingEvent",
    "BuyingRequest",
    "CancelTournament",
    "CancellationOpened",
    "CancellationWithdrawn",
    "CancellingEvent",
    "CancellingRequest",
    "ChipsAssigned",
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
    "DeclineRebuy",
    "DirectorEvent",
    "DirectorMoneyEvent",
    "DirectorRequest",
    "DrawAwaited",
    "DrawTaken",
    "EntriesClosed",
    "EntryAdmitted",
    "EntryDeclined",
    "EntryExpired",
    "EntryFunded",
    "EntryRequested",
    "GuaranteeDue",
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
    "PayoutDue",
    "PayoutLine",
    "Placing",
    "PlayerBusted",
    "PlayerEliminated",
    "PlayerRegistered",
    "PlayerUnregistered",
    "PriceHeld",
    "PrizeDue",
    "Purchase",
    "ReadSheet",
    "Rebuy",
    "RebuyGranted",
    "RebuyKind",
    "RebuyLapsed",
    "RebuyOfferExtended",
    "RebuyOffered",
    "RebuyRequested",
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
    "WaitingListClosed",
    "WaitingListJoined",
    "WaitingListLeft",
    "WinnersPrizes",
    "WithdrawCancellation",
]
