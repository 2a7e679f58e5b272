"""The director's language: a tournament from its terms to its last prize."""

from shared.contracts.director.big_shoot import (
    BigShoot,
    BigShootEvent,
    LeftBigShoot,
    PlayersQualified,
    QualifiersNamed,
    StagePrizeDue,
    Withdraw,
)
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
    CutTold,
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
    PlacesTold,
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
    TournamentStarted1,
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
    QualifyingPrizes,
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
    | Withdraw
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
    | BigShootEvent
    | PlayerEliminated
    | PrizeDue
    | PlacesTold
    | TournamentFinished
)

__all__ = [
    "AddOn",
    "AnswerDeal",
    "ApproveSheet",
    "BigShoot",
    "BigShootEvent",
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
    "CutTold",
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
    "LeftBigShoot",
    "Level",
    "LevelBegan",
    "Method",
    "MoveDecided",
    "OfferDeal",
    "PauseTournament",
    "PayoutDue",
    "PayoutLine",
    "PlacesTold",
    "Placing",
    "PlayerBusted",
    "PlayerEliminated",
    "PlayerRegistered",
    "PlayerUnregistered",
    "PlayersQualified",
    "PriceHeld",
    "PrizeDue",
    "Purchase",
    "QualifiersNamed",
    "QualifyingPrizes",
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
    "StagePrizeDue",
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
    "TournamentStarted1",
    "Unregister",
    "WaitingListClosed",
    "WaitingListJoined",
    "WaitingListLeft",
    "WinnersPrizes",
    "Withdraw",
    "WithdrawCancellation",
]
