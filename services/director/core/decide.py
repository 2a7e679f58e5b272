"""One command, one decision: what is recorded at once, then everything that follows from it."""

from collections.abc import Callable
from typing import Any

from services.director.core import (
    admission,
    big_shoot,
    cancelling,
    clearing,
    deals,
    entries,
    hands,
    moves,
    outages,
    pauses,
    ranking,
    schedule,
    seating,
    stages,
)
from services.director.core.buying import closing, granting, rebuys
from services.director.core.commands import AwaitDraw, DirectorCommand, HaltReported, HandReported
from services.director.core.evolve import evolve
from services.director.core.rules import DirectorRules
from services.director.core.state import Question, Tournament
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    AddOn,
    AnswerDeal,
    ApproveSheet,
    CancelTournament,
    CreateTournament,
    DeclineRebuy,
    DirectorEvent,
    DrawTaken,
    LeaveTableOut,
    OfferDeal,
    PauseTournament,
    ReadSheet,
    Rebuy,
    Register,
    ResumeTournament,
    Unregister,
    Withdraw,
    WithdrawCancellation,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.ranking import EntryRated
from shared.contracts.table import HandVoided, SeatVacated
from shared.contracts.wallet import EntryHeld, EntryRefused, PoolCarried
from shared.kernel.decider import Refused

Stepped = tuple[tuple[DirectorEvent, ...], Tournament]
Step = Callable[[Tournament, DirectorCommand, int], Stepped | Refused]
Rows = dict[type[Any], Callable[[Tournament, Any, int], entries.Decision]]
ENTRY_TIMER = "entry "

FOLLOWING: tuple[Callable[[Tournament], tuple[DirectorEvent, ...]], ...] = (
    stages.end_stage,
    ranking.begin_hand_for_hand,
    moves.draw_movers,
    moves.balance,
)


def make_step(rules: DirectorRules) -> Step:
    """Return the step of a director under these rules."""
    rows: Rows = {
        **DECIDES,
        ApproveSheet: lambda tournament, request, _: cancelling.approve(tournament, request, rules),
    }

    def step(tournament: Tournament, command: DirectorCommand, at_ms: int) -> Stepped | Refused:
        """Decide, then work off what follows until nothing does, or a question is open."""
        decided = rows[type(command)](tournament, command, at_ms)
        if isinstance(decided, Refused):
            return decided
        events: list[DirectorEvent] = []
        while decided:
            events += decided
            for event in decided:
                tournament = evolve(tournament, event)
            decided = next_steps(tournament, at_ms)
        return tuple(events), tournament

    return step


def next_steps(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Return the next thing that follows from the state alone, or nothing.

    An open question holds everything back but the level, which no draw can change, and who goes
    out or may buy again. Nobody moves and nothing is cleared while an elimination waits for the
    end of its round.
    """
    if tournament.phase == "registering":
        return schedule.begin(tournament, at_ms) or entries.admit(tournament, at_ms)
    if tournament.phase != "running":
        return ()
    if tournament.cancelling is not None:
        return while_cancelling(tournament, at_ms)
    at_once = (
        clearing.next_level(tournament, at_ms)
        or rebuys.settle(tournament, at_ms)
        or rebuys.lapse(tournament, at_ms)
    )
    if at_once or tournament.question is not None:
        return at_once
    if not tournament.in_play:
        return big_shoot.passed(tournament) or form(tournament)
    settled = (
        granting.hand_out(tournament)
        or closing.close_entries(tournament, at_ms)
        or moves.break_emptied(tournament)
        or (() if ranking.is_over(tournament) else moves.close_tables(tournament))
        or ranking.eliminate(tournament)
    )
    if settled or tournament.unranked:
        return settled
    if ranking.is_over(tournament):
        return ranking.finish(tournament)
    return deals.propose(tournament, at_ms) or going_on(tournament, at_ms)


def going_on(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Whatever makes tables differ from what they should be comes before the next hands."""
    for follow in FOLLOWING:
        events = follow(tournament)
        if events:
            return events
    return clearing.clear(tournament, at_ms)


def while_cancelling(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Rank whoever is out by hands that had ended, then draw the sheet up."""
    if tournament.question is not None:
        return ()
    ranked = rebuys.settle(tournament, at_ms) or ranking.eliminate(tournament)
    return ranked if ranked or tournament.unranked else cancelling.draw_sheet_up(tournament)


def form(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Seats, then buttons, then the tables (PP-SEAT)."""
    return (
        seating.ask_for_seats(tournament)
        or seating.ask_for_button(tournament)
        or seating.form_tables(tournament)
    )


def take_draw(tournament: Tournament, answer: Drawn) -> entries.Decision:
    """Record the dealer's answer to the open question, with the moves or places it decides."""
    question = tournament.question
    if question is None:
        return ()
    if sorted(answer.order) != list(range(question.count)):
        return Refused("not_an_order", f"of {question.count} candidates")
    taken = DrawTaken(purpose=question.purpose, candidates=question.candidates, order=answer.order)
    return (taken, *decided_by_draw(tournament, question, taken))


def decided_by_draw(
    tournament: Tournament, question: Question, taken: DrawTaken
) -> tuple[DirectorEvent, ...]:
    """Seats and buttons wait in the state until all are drawn; moves and places are decided."""
    match question.purpose.split(" ")[0]:
        case moves.MOVERS_DRAW:
            return moves.closing_moves(tournament, taken)
        case moves.BALANCE_DRAW:
            return moves.balanced_by_draw(tournament, taken)
        case granting.LATE_DRAW:
            return granting.seated_by_draw(tournament, taken)
        case "tie":
            return ranking.placed_by_draw(tournament, taken)
        case _:
            return ()


def fire(tournament: Tournament, timer: TimerFired, at_ms: int) -> tuple[DirectorEvent, ...]:
    """A firing is a hint: what is not due yet, or any more, changes nothing."""
    if timer.name == clearing.LEVEL_TIMER:
        return clearing.next_level(tournament, at_ms)
    if timer.name == schedule.START_TIMER:
        return schedule.begin(tournament, at_ms) if tournament.phase == "registering" else ()
    if timer.name == deals.DEAL_TIMER:
        return deals.expire(tournament, at_ms)
    if timer.name.startswith(rebuys.OFFER_TIMER):
        return rebuys.lapse(tournament, at_ms)
    return entries.expired(tournament, timer.name.removeprefix(ENTRY_TIMER), at_ms)


def awaiting(tournament: Tournament) -> AwaitDraw | None:
    """Return the question that the dealer has to answer before anything follows."""
    question = tournament.question
    if question is None:
        return None
    return AwaitDraw(question.purpose, question.candidates, question.count)


def timers(tournament: Tournament) -> tuple[tuple[str, int], ...]:
    """Return the name and the moment of every deadline that is running."""
    armed = [
        (ENTRY_TIMER + pending.entry, pending.deadline_ms)
        for pending in tournament.pending.values()
        if not pending.held
    ]
    armed += [
        (rebuys.OFFER_TIMER + player, offer.deadline_ms)
        for player, offer in tournament.offers.items()
        if player not in tournament.pending
    ]
    if schedule.has_start_timer(tournament):
        armed.append((schedule.START_TIMER, big_shoot.begins_ms(tournament)))
    running = tournament.phase == "running" and tournament.paused_ms is None
    if running and tournament.level_ends_ms is not None:
        armed.append((clearing.LEVEL_TIMER, tournament.level_ends_ms))
    if tournament.deal is not None and tournament.deal.shares:
        armed.append((deals.DEAL_TIMER, tournament.deal.answer_by_ms))
    return tuple(armed)


DECIDES: Rows = {
    CreateTournament: lambda tournament, request, _: entries.create(tournament, request),
    Register: entries.register,
    Unregister: entries.unregister,
    Withdraw: big_shoot.withdraw,
    Rebuy: rebuys.rebuy,
    DeclineRebuy: rebuys.decline,
    AddOn: rebuys.add_on,
    CancelTournament: schedule.cancel,
    WithdrawCancellation: cancelling.withdraw,
    LeaveTableOut: lambda tournament, request, _: cancelling.leave_out(tournament, request),
    ReadSheet: lambda tournament, request, _: cancelling.read_sheet(tournament, request),
    HaltReported: lambda tournament, report, _: cancelling.halted(tournament, report),
    PauseTournament: pauses.pause,
    OfferDeal: deals.offer,
    AnswerDeal: deals.answer,
    ResumeTournament: pauses.resume,
    EntryHeld: lambda tournament, fact, _: admission.held(tournament, fact),
    EntryRefused: lambda tournament, fact, _: entries.refused(tournament, fact),
    PoolCarried: big_shoot.carried,
    EntryRated: lambda tournament, fact, _: admission.rated(tournament, fact),
    HandReported: hands.digest,
    HandVoided: lambda tournament, fact, _: hands.set_aside(tournament, fact),
    SeatVacated: lambda tournament, fact, _: hands.assign(tournament, fact),
    Drawn: lambda tournament, answer, _: take_draw(tournament, answer),
    TimerFired: fire,
    OutageOver: outages.outage_over,
}
