"""The lobby's read model: tournaments and their players, folded from director and wallet.

The two lines are read independently of each other, so a prize may be seen paid before it is seen
due: what the wallet says is kept beside the tournaments.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from services.gateway.shell import big_shoots, purchases
from services.gateway.shell.facts import Told
from services.gateway.shell.standings import Standings
from services.gateway.shell.tournament import (
    CurrentBreak,
    CurrentLevel,
    CurrentPause,
    OpenDeal,
    Result,
    Tournament,
)
from shared.contracts.director import (
    BreakBegan,
    BreakExtended,
    CancellationOpened,
    CancellationWithdrawn,
    ClockExtended,
    DealAccepted,
    DealAgreed,
    DealExtended,
    DealFailed,
    DealOffered,
    DealProposed,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    HandForHandBegan,
    LevelBegan,
    PlacesTold,
    PlayerEliminated,
    PlayerRegistered,
    PlayersQualified,
    PlayerUnregistered,
    PriceHeld,
    PrizeDue,
    QualifiersNamed,
    RebuyLapsed,
    StageEnded,
    StagePrizeDue,
    TableBroken,
    TableFormed,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from shared.contracts.wallet import (
    ParticipationIdIssued,
    PrizePaid,
    SessionIdIssued,
    StagePrizePaid,
    TicketIssued,
)

Entering = PlayerRegistered | EntryDeclined | EntryExpired
Outcome = Entering | PriceHeld | RebuyLapsed


class Lobby:
    """All tournaments."""

    def __init__(self) -> None:
        self.standings = Standings()
        self._tournaments: dict[str, Tournament] = {}
        self._of: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._paid: set[tuple[str, int | str, str]] = set()
        self._series: defaultdict[str, list[Tournament]] = defaultdict(list)
        self._regulator_ids: dict[str, str] = {}
        self._hoping: defaultdict[tuple[str, str], list[asyncio.Queue[Outcome]]] = defaultdict(list)

    def get(self, tournament: str) -> Tournament | None:
        """Return a tournament."""
        return self._tournaments.get(tournament)

    def all(self) -> list[Tournament]:
        """Return every tournament, oldest first."""
        return list(self._tournaments.values())

    def of(self, player: str) -> list[Tournament]:
        """Return the tournaments of a player that have not finished."""
        return [self._tournaments[tournament] for tournament in self._of.get(player, ())]

    def stages(self, series: str) -> list[Tournament]:
        """Return the tournaments of a Big Shoot, oldest first."""
        return list(self._series.get(series, ()))

    def is_paid(self, tournament: str, what: int | str, player: str) -> bool:
        """Tell whether the wallet has paid the prize of a place, or who came from a stage before.

        A tournament's name in place of the place says from which.
        """
        return (tournament, what, player) in self._paid

    def regulator_id(self, name: str) -> str:
        """Return the regulator's id of a tournament or an entry; "" before it is issued."""
        return self._regulator_ids.get(name, "")

    def audience(self, tournament: str) -> dict[str, None]:
        """Return whom the facts of a tournament concern."""
        known = self._tournaments.get(tournament)
        return known.audience() if known else {}

    @contextmanager
    def outcomes(self, tournament: str, player: str) -> Iterator[asyncio.Queue[Outcome]]:
        """Collect what becomes of a player's entries while the block runs."""
        key = (tournament, player)
        arriving: asyncio.Queue[Outcome] = asyncio.Queue()
        self._hoping[key].append(arriving)
        try:
            yield arriving
        finally:
            self._hoping[key].remove(arriving)
            if not self._hoping[key]:
                del self._hoping[key]

    def fold(self, told: Told) -> None:
        """Take in one commit of the director or of the wallet."""
        self.standings.fold(told)
        for event, _ in told.facts:
            fold = FOLD.get(type(event))
            if fold is not None:
                fold(self, event)
            elif change := purchases.FOLD.get(type(event)):
                change(self._tournaments[event.tournament], event)

    def created(self, event: TournamentCreated) -> None:
        known = Tournament(tournament=event.tournament, terms=event.terms, rule_set=event.rule_set)
        self._tournaments[event.tournament] = known
        if series := big_shoots.series_of(known):
            self._series[series].append(known)

    def requested(self, event: EntryRequested) -> None:
        tournament = self._tournaments[event.tournament]
        tournament.pending[event.player] = event.entry
        if event.player in tournament.waiting:
            tournament.waiting.remove(event.player)
        self._of[event.player][event.tournament] = None

    def came_out(self, event: Entering) -> None:
        """An entry counts, or it is over and the player has none."""
        tournament = self._tournaments[event.tournament]
        tournament.pending.pop(event.player, None)
        if isinstance(event, PlayerRegistered):
            tournament.entries[event.player] = event.entry
            tournament.entries_sold += 1
            tournament.collected_cents += event.fee_cents
            tournament.busted.pop(event.player, None)
        elif event.player not in tournament.entries:
            self._leave(event.tournament, event.player)
        self.answered(event)

    def answered(self, event: Outcome) -> None:
        """Tell whoever waits for it that the wallet has answered."""
        for hoping in self._hoping.get((event.tournament, event.player), ()):
            hoping.put_nowait(event)

    def unregistered(self, event: PlayerUnregistered) -> None:
        tournament = self._tournaments[event.tournament]
        del tournament.entries[event.player]
        tournament.entries_sold -= 1
        tournament.collected_cents -= tournament.terms.fee_cents
        self._leave(event.tournament, event.player)

    def qualifiers_named(self, event: QualifiersNamed) -> None:
        big_shoots.named(self._tournaments[event.tournament], event)

    def qualified(self, event: PlayersQualified) -> None:
        big_shoots.qualified(self._tournaments[event.tournament], event)
        for player in event.players:
            self._of[player][event.tournament] = None

    def stage_prize_due(self, event: StagePrizeDue) -> None:
        """A target that was never announced is not shown."""
        known = self._tournaments.get(event.tournament)
        if known is None:
            return
        big_shoots.stage_prize_due(known, event)
        if event.withdrew:
            self._leave(event.tournament, event.player)

    def stage_prize_paid(self, event: StagePrizePaid) -> None:
        self._paid.add((event.tournament, event.from_tournament, event.player))

    def _leave(self, tournament: str, player: str) -> None:
        self._of[player].pop(tournament, None)
        if not self._of[player]:
            del self._of[player]

    def started(self, event: TournamentStarted) -> None:
        tournament = self._tournaments[event.tournament]
        tournament.status = "running"
        tournament.started = True
        tournament.prizes_cents = event.prizes_cents

    def cancelled(self, event: TournamentCancelled) -> None:
        """It is nobody's any more; refunds or shares follow."""
        tournament = self._tournaments[event.tournament]
        tournament.status = "cancelled"
        tournament.cancelled_because = event.reason
        tournament.cancelling = False
        tournament.paused = tournament.on_break = None
        for player in tournament.audience():
            self._leave(event.tournament, player)

    def cancellation_opened(self, event: CancellationOpened) -> None:
        self._tournaments[event.tournament].cancelling = True
        self.deal_over(event)

    def cancellation_withdrawn(self, event: CancellationWithdrawn) -> None:
        self._tournaments[event.tournament].cancelling = False

    def level_began(self, event: LevelBegan) -> None:
        tournament = self._tournaments[event.tournament]
        tournament.level = CurrentLevel(event.number, event.level, event.ends_at_ms)
        tournament.on_break = None

    def clock_extended(self, event: ClockExtended) -> None:
        tournament = self._tournaments[event.tournament]
        if tournament.level is not None:
            tournament.level = replace(tournament.level, ends_at_ms=event.ends_at_ms)

    def break_began(self, event: BreakBegan) -> None:
        rest = CurrentBreak(event.after_level, event.ends_at_ms)
        self._tournaments[event.tournament].on_break = rest

    def break_extended(self, event: BreakExtended) -> None:
        tournament = self._tournaments[event.tournament]
        if tournament.on_break is not None:
            tournament.on_break = replace(tournament.on_break, ends_at_ms=event.ends_at_ms)

    def paused(self, event: TournamentPaused) -> None:
        pause = CurrentPause(event.at_ms, event.reason)
        self._tournaments[event.tournament].paused = pause

    def resumed(self, event: TournamentResumed) -> None:
        """The break goes on, if there is one, else the level; either may have no end."""
        tournament = self._tournaments[event.tournament]
        tournament.paused = None
        if event.ends_at_ms is None:
            return
        if tournament.on_break is not None:
            tournament.on_break = replace(tournament.on_break, ends_at_ms=event.ends_at_ms)
        elif tournament.level is not None:
            tournament.level = replace(tournament.level, ends_at_ms=event.ends_at_ms)

    def hand_for_hand_began(self, event: HandForHandBegan) -> None:
        self._tournaments[event.tournament].hand_for_hand = True

    def deal_offered(self, event: DealOffered) -> None:
        self._tournaments[event.tournament].deal = OpenDeal(event.method, event.player)

    def deal_proposed(self, event: DealProposed) -> None:
        tournament = self._tournaments[event.tournament]
        if tournament.deal is not None:
            tournament.deal = replace(
                tournament.deal, shares=event.shares, answer_by_ms=event.answer_by_ms
            )

    def deal_extended(self, event: DealExtended) -> None:
        tournament = self._tournaments[event.tournament]
        if tournament.deal is not None:
            tournament.deal = replace(tournament.deal, answer_by_ms=event.answer_by_ms)

    def deal_accepted(self, event: DealAccepted) -> None:
        tournament = self._tournaments[event.tournament]
        if tournament.deal is not None:
            agreed = (*tournament.deal.agreed, event.player)
            tournament.deal = replace(tournament.deal, agreed=agreed)

    def deal_over(self, event: DealFailed | DealAgreed | CancellationOpened) -> None:
        self._tournaments[event.tournament].deal = None

    def stage_ended(self, event: StageEnded) -> None:
        self._tournaments[event.tournament].stage = event.number + 1

    def table_formed(self, event: TableFormed) -> None:
        self._tournaments[event.tournament].tables[event.table] = event.number

    def table_broken(self, event: TableBroken) -> None:
        self._tournaments[event.tournament].tables.pop(event.table, None)

    def eliminated(self, event: PlayerEliminated) -> None:
        self._tournaments[event.tournament].busted.pop(event.player, None)
        self._result(event.tournament, event.player, event.place).out = True

    def prize_due(self, event: PrizeDue) -> None:
        self._result(event.tournament, event.player, event.place).prize_cents = event.amount_cents

    def prize_paid(self, event: PrizePaid | TicketIssued) -> None:
        self._paid.add((event.tournament, event.place, event.player))

    def session_id_issued(self, event: SessionIdIssued) -> None:
        self._regulator_ids[event.tournament] = event.session_id

    def participation_id_issued(self, event: ParticipationIdIssued) -> None:
        self._regulator_ids[event.entry] = event.participation_id

    def _result(self, tournament: str, player: str, place: int) -> Result:
        return self._tournaments[tournament].results.setdefault(player, Result(place))

    def places_told(self, event: PlacesTold | TournamentFinished) -> None:
        for placing in event.places:
            result = self._result(event.tournament, placing.player, placing.place)
            result.prize_cents = placing.prize_cents

    def finished(self, event: TournamentFinished) -> None:
        tournament = self._tournaments[event.tournament]
        tournament.status = "finished"
        tournament.paused = tournament.on_break = tournament.deal = None
        self.places_told(event)
        for player in tournament.entries:
            self._leave(event.tournament, player)


FOLD: dict[type, Callable[[Lobby, Any], None]] = {
    TournamentCreated: Lobby.created,
    EntryRequested: Lobby.requested,
    PlayerRegistered: Lobby.came_out,
    EntryDeclined: Lobby.came_out,
    EntryExpired: Lobby.came_out,
    PriceHeld: Lobby.answered,
    RebuyLapsed: Lobby.answered,
    PlayerUnregistered: Lobby.unregistered,
    TournamentCancelled: Lobby.cancelled,
    CancellationOpened: Lobby.cancellation_opened,
    CancellationWithdrawn: Lobby.cancellation_withdrawn,
    TournamentStarted: Lobby.started,
    LevelBegan: Lobby.level_began,
    ClockExtended: Lobby.clock_extended,
    BreakBegan: Lobby.break_began,
    BreakExtended: Lobby.break_extended,
    TournamentPaused: Lobby.paused,
    TournamentResumed: Lobby.resumed,
    HandForHandBegan: Lobby.hand_for_hand_began,
    DealOffered: Lobby.deal_offered,
    DealProposed: Lobby.deal_proposed,
    DealExtended: Lobby.deal_extended,
    DealAccepted: Lobby.deal_accepted,
    DealFailed: Lobby.deal_over,
    DealAgreed: Lobby.deal_over,
    StageEnded: Lobby.stage_ended,
    TableFormed: Lobby.table_formed,
    TableBroken: Lobby.table_broken,
    PlayerEliminated: Lobby.eliminated,
    PrizeDue: Lobby.prize_due,
    QualifiersNamed: Lobby.qualifiers_named,
    PlayersQualified: Lobby.qualified,
    StagePrizeDue: Lobby.stage_prize_due,
    PlacesTold: Lobby.places_told,
    TournamentFinished: Lobby.finished,
    PrizePaid: Lobby.prize_paid,
    TicketIssued: Lobby.prize_paid,
    StagePrizePaid: Lobby.stage_prize_paid,
    SessionIdIssued: Lobby.session_id_issued,
    ParticipationIdIssued: Lobby.participation_id_issued,
}
