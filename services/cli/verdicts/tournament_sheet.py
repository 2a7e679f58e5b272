"""All chips of one tournament in the order of the director's log: at tables and in transit."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from services.cli.verdicts.history import Fact, History
from services.cli.verdicts.table_sheets import Movements
from shared.contracts.director import (
    ChipsAssigned,
    DealAgreed,
    HandDigested,
    MoveDecided,
    PlacesTold,
    Placing,
    PlayerRegistered,
    QualifyingPrizes,
    RebuyGranted,
    SatellitePrizes,
    SeatAssigned,
    Stage,
    StageEnded,
    TableBroken,
    TableFormed,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.hand import HandEnded
from shared.contracts.table import TableOpened

Complaints = Iterator[str]


class Reported(NamedTuple):
    """What the tables recorded: hands by the commit they ended in, and the openings."""

    ended: Mapping[tuple[str, int, str], HandEnded]
    opened: Mapping[str, TableOpened]


def reported_by_tables(history: History) -> Reported:
    """Index what a director's facts are compared with."""
    ended: dict[tuple[str, int, str], HandEnded] = {}
    opened: dict[str, TableOpened] = {}
    for fact in history.of("table"):
        if isinstance(fact.event, HandEnded):
            ended[str(fact.line), fact.number, fact.event.hand] = fact.event
        elif isinstance(fact.event, TableOpened):
            opened.setdefault(fact.stream, fact.event)
    return Reported(ended, opened)


class Sheet:
    """One tournament, followed; `chips` is all there is at any moment.

    `awaited` tells what a table has not recorded yet, which is wrong once all has ended; `due` are
    chips that were bought and are not at a table; `broken` which tables broke with players at
    them, which is right for those who win together.
    """

    def __init__(self, tables: Reported, movements: Movements) -> None:
        self.reported = tables
        self.left = {stay: list(found) for stay, found in movements.left.items()}
        self.came = {stay: list(found) for stay, found in movements.came.items()}
        self.tables: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.transit: dict[str, MoveDecided] = {}
        self.in_transit: dict[str, int] = {}
        self.digested: set[str] = set()
        self.added = dict(movements.added)
        self.due: dict[str, int] = {}
        self.starting_chips = self.total = self.chips = 0
        self.running = False
        self.finished = False
        self.satellite = self.qualifying = self.dealt = False
        self.stages: tuple[Stage, ...] = ()
        self.broken: list[str] = []
        self.places: list[Placing] = []
        self.awaited: list[str] = []

    def buy(self, player: str, chips: int) -> None:
        """Let a player have so many chips more, as soon as they are at a table."""
        self.total += chips
        self.due[player] = chips

    def hold(self, table: str, player: str, chips: int) -> None:
        """Let a player have so many chips at a table."""
        self.chips += chips - self.tables[table].get(player, 0)
        if chips:
            self.tables[table][player] = chips
        else:
            self.tables[table].pop(player, None)


def created(sheet: Sheet, event: TournamentCreated) -> Complaints:
    sheet.starting_chips = event.terms.starting_chips
    sheet.stages = event.terms.stages
    sheet.qualifying = isinstance(event.terms.prizes, QualifyingPrizes)
    sheet.satellite = sheet.qualifying or isinstance(event.terms.prizes, SatellitePrizes)
    yield from ()


def started(sheet: Sheet, event: TournamentStarted) -> Complaints:
    """Whoever is there at the start brings the chips; a scheduled one need not be sold out.

    Who is alone in a stage of a Big Shoot goes on without any.
    """
    bye = sheet.qualifying and event.players == 1
    sheet.total = 0 if bye else event.players * sheet.starting_chips
    sheet.running = True
    yield from ()


def registered(sheet: Sheet, event: PlayerRegistered) -> Complaints:
    """A late entry brings the same chips as any other."""
    if sheet.running:
        sheet.buy(event.player, sheet.starting_chips)
    yield from ()


def granted(sheet: Sheet, event: RebuyGranted) -> Complaints:
    """Rebuys and add-ons bring what they were sold as."""
    sheet.buy(event.player, event.chips)
    yield from ()


def chips_assigned(sheet: Sheet, event: ChipsAssigned) -> Complaints:
    """Bought chips come on top of the stack, at the table as the director says."""
    if sheet.due.pop(event.player, None) != event.chips:
        yield f"{event.player} is assigned {event.chips} chips that were not bought"
    sheet.hold(event.table, event.player, sheet.tables[event.table][event.player] + event.chips)
    added = sheet.added.pop(event.entry, None)
    if added is None:
        sheet.awaited.append(f"{event.entry} brought chips that are not at {event.table} yet")
    elif (added.table, added.player, added.chips) != (event.table, event.player, event.chips):
        yield f"{event.entry} brought {added.chips} chips to {added.player} at {added.table}"


def formed(sheet: Sheet, event: TableFormed) -> Complaints:
    """The table opened as the director formed it; one formed late has bought chips at it."""
    for taken in event.seats:
        if sheet.due.pop(taken.player, taken.stack_chips) != taken.stack_chips:
            yield f"{event.table} was formed with other chips than {taken.player} bought"
        sheet.hold(event.table, taken.player, taken.stack_chips)
    opened = sheet.reported.opened.get(event.table)
    if opened is None:
        sheet.awaited.append(f"{event.table} was formed and has not opened")
    elif {*opened.seats} != {*event.seats}:
        yield f"{event.table} opened with other players or chips than it was formed with"


def digested(sheet: Sheet, event: HandDigested) -> Complaints:
    """What was digested is what the table reported, and all chips are still there."""
    ended = sheet.reported.ended.get((event.upstream, event.upstream_number, event.hand))
    stacks = {(s.seat, s.player): s.stack_chips for s in event.seats}
    if ended is None:
        yield f"{event.hand} was digested, but {event.upstream} {event.upstream_number} has no end"
    elif {(s.seat, s.player): s.stack_chips for s in ended.seats} != stacks:
        yield f"{event.hand} was digested with other stacks than it ended with"
    if event.hand in sheet.digested:
        yield f"{event.hand} was digested twice"
    sheet.digested.add(event.hand)
    for seat in event.seats:
        sheet.hold(event.table, seat.player, seat.stack_chips)
    if sheet.chips != sheet.total:
        yield f"after {event.hand} there are {sheet.chips} chips, not {sheet.total}"


def decided(sheet: Sheet, event: MoveDecided) -> Complaints:
    """From here on the mover's chips are in transit."""
    stack = sheet.tables[event.from_table].pop(event.player, 0)
    if not stack:
        yield f"{event.player} moves from {event.from_table} without chips"
    sheet.transit[event.player] = event
    sheet.in_transit[event.player] = stack


def assigned(sheet: Sheet, event: SeatAssigned) -> Complaints:
    """The chips that left, or were bought, are the chips that arrive, as decided."""
    if event.player in sheet.due:
        yield from came_new(sheet, event)
        return
    move = sheet.transit.pop(event.player, None)
    sheet.chips -= sheet.in_transit.pop(event.player, 0)
    sheet.hold(event.table, event.player, event.stack_chips)
    if move is None or (move.to_table, move.to_seat) != (event.table, event.seat):
        yield f"{event.player} is seated at {event.table} without such a move"
        return
    _, left = first_of(sheet.left, (event.player, move.from_table))
    if left != event.stack_chips:
        yield f"{event.player} left {move.from_table} with {left}, assigned {event.stack_chips}"
    yield from sat_down(sheet, event)


def came_new(sheet: Sheet, event: SeatAssigned) -> Complaints:
    """Who bought chips without having any sits down with exactly these."""
    bought = sheet.due.pop(event.player)
    if bought != event.stack_chips:
        yield f"{event.player} bought {bought} chips, assigned {event.stack_chips}"
    sheet.hold(event.table, event.player, event.stack_chips)
    yield from sat_down(sheet, event)


def sat_down(sheet: Sheet, event: SeatAssigned) -> Complaints:
    """The table has recorded what was assigned."""
    seat, came = first_of(sheet.came, (event.player, event.table))
    if came is None:
        sheet.awaited.append(f"{event.player} was assigned a seat and has not sat down")
    elif came != event.stack_chips or seat != event.seat:
        yield f"{event.player} was assigned {event.stack_chips}, sat down with {came}"


def first_of(
    stays: dict[tuple[str, str], list[tuple[int, int]]], stay: tuple[str, str]
) -> tuple[int | None, int | None]:
    """Take the next leaving or arrival of a player at a table."""
    found = stays.get(stay)
    return found.pop(0) if found else (None, None)


def broken(sheet: Sheet, event: TableBroken) -> Complaints:
    """A table breaks when nobody sits there any more, but for the winners at the end."""
    if len(sheet.tables[event.table]) > 1:
        sheet.broken.append(f"{event.table} breaks with players at it")
    yield from ()


def stage_ended(sheet: Sheet, event: StageEnded) -> Complaints:
    """As many as may go on from each table; their stacks are their chips, or the terms'."""
    ended, coming = sheet.stages[event.number - 1 : event.number + 1]
    for table, held in sheet.tables.items():
        here = [standing for standing in event.standings if standing.table == table]
        if len(here) > ended.go_on or not {*held} <= {standing.player for standing in here}:
            yield f"{table} has {', '.join(held) or 'nobody'} left, {len(here)} go on"
        stacks = coming.stacks_chips or tuple(held.get(one.player, 0) for one in here)
        for standing in here:
            if standing.stack_chips != stacks[min(standing.rank, len(stacks)) - 1]:
                yield f"{standing.player} goes on with {standing.stack_chips} chips"
        held.clear()
    sheet.total = sum(standing.stack_chips for standing in event.standings)
    sheet.chips = 0


def agreed(sheet: Sheet, event: DealAgreed) -> Complaints:
    """As many prizes as there are players left; what they sum to is judged with the money."""
    sheet.dealt = True
    left = sum(map(len, sheet.tables.values()))
    if len(event.prizes_cents) != left:
        yield f"{len(event.prizes_cents)} prizes are agreed for {left} players"


def told(sheet: Sheet, event: PlacesTold) -> Complaints:
    """Places of a field too large for one event."""
    sheet.places += event.places
    yield from ()


def finished(sheet: Sheet, event: TournamentFinished) -> Complaints:
    """The winner has all the chips; where several win together, all alike but for a cent."""
    sheet.finished = True
    sheet.places += event.places
    together = sheet.satellite or sheet.dealt
    if together:
        sheet.broken.clear()
    stacks = {player: chips for table in sheet.tables.values() for player, chips in table.items()}
    if not sheet.total and not stacks:
        return
    winners = sorted(sheet.places, key=lambda placing: placing.place)[: max(len(stacks), 1)]
    names = ", ".join(placing.player for placing in winners)
    if {placing.player for placing in winners} != {*stacks} or sheet.transit:
        yield f"{names} won, chips have {', '.join(stacks)}"
    if sum(stacks.values()) != sheet.total:
        yield f"{names} won with {sum(stacks.values())} of {sheet.total} chips"
    if len(winners) > 1 and not together:
        yield f"{names} won together"
    won = [placing.prize_cents for placing in winners]
    if sheet.satellite and max(won) - min(won) > 1:
        yield f"{names} won together with different prizes"


FOLLOW: dict[type[Any], Callable[[Sheet, Any], Complaints]] = {
    TournamentCreated: created,
    TournamentStarted: started,
    PlayerRegistered: registered,
    RebuyGranted: granted,
    ChipsAssigned: chips_assigned,
    TableFormed: formed,
    HandDigested: digested,
    MoveDecided: decided,
    SeatAssigned: assigned,
    TableBroken: broken,
    StageEnded: stage_ended,
    DealAgreed: agreed,
    PlacesTold: told,
    TournamentFinished: finished,
}


def wrong_tournament(sheet: Sheet, facts: Iterable[Fact]) -> Complaints:
    """Follow one tournament's facts."""
    for fact in facts:
        follow = FOLLOW.get(type(fact.event))
        if follow is not None:
            yield from (f"{fact.where}: {what}" for what in follow(sheet, fact.event))
    yield from sheet.broken
