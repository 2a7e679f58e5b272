"""The end of a world: what still waits, and the verdicts once nothing does."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from services.cli.verdicts import LineCopy, Message, judged_all
from services.cli.verdicts.hidden import hidden_in
from services.cli.verdicts.history import Fact, History, history_of
from services.cli.verdicts.leaks import Sent, find_leaks
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds
from services.cli.verdicts.streams import log_is_stream
from services.dealer.shell.vault import vault_of
from shared.contracts.director import (
    PayoutDue,
    Placing,
    PlayersQualified,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    StagePrizeDue,
    TableFormed,
    TableHalting,
    TournamentCancelled,
    TournamentFinished,
)
from shared.contracts.ranking import TournamentRated
from shared.contracts.table import TableHalted, TableOpened
from shared.contracts.wallet import (
    EntryRefunded,
    PayoutPaid,
    PoolCarried,
    PrizePaid,
    StagePrizePaid,
    TicketIssued,
    TicketsVoided,
)
from shared.runtime.ports import Line
from tests.simulation.laws_of_series import still_bound
from tests.simulation.loop import Broken
from tests.simulation.node import VAULT_KEY
from tests.simulation.visitor import forgotten

if TYPE_CHECKING:
    from tests.simulation.world import World

Due = tuple[str, str]
IN_PLAY = ("pool/", "hold/")
NOTHING_PLAYED = {"no hand was played", "no hand was dealt", "nothing was drawn"}
"""Where this is all that a verdict complains of, a tournament was given up very soon."""


def of_place(event: PrizeDue | PrizePaid | TicketIssued) -> Due:
    return event.tournament, f"place {event.place}"


def of_share(event: PayoutDue | PayoutPaid) -> Due:
    return event.tournament, f"the share of {event.player}"


def of_entry(event: PlayerUnregistered | EntryRefunded) -> Due:
    return event.tournament, f"the refund of {event.entry}"


def of_opening(event: TableFormed | TableOpened) -> Due:
    return event.tournament, f"the opening of {event.table}"


def of_halt(event: TableHalting | TableHalted) -> Due:
    return event.tournament, f"the halt of {event.table}"


def of_tickets(event: TournamentCancelled | TicketsVoided) -> Due:
    return event.tournament, "the end of its tickets"


def of_carrying(event: QualifiersNamed | PoolCarried) -> Due:
    source = event.tournament if isinstance(event, QualifiersNamed) else event.from_tournament
    return source, "the way of its pool"


def of_arrival(event: PoolCarried | PlayersQualified | StagePrizeDue) -> Due:
    return event.tournament, f"the arrival of {event.from_tournament}"


def of_stage_prize(event: StagePrizeDue | StagePrizePaid) -> Due:
    return event.tournament, f"what {event.player} gets who came from {event.from_tournament}"


def brings_nobody(event: Any) -> bool:
    """Tell whether a pool is carried that no next stage need say anything of."""
    return type(event) is PoolCarried and not event.players


DUE: dict[type[Any], Callable[[Any], Due]] = {
    PrizeDue: of_place,
    PayoutDue: of_share,
    PlayerUnregistered: of_entry,
    QualifiersNamed: of_carrying,
    PoolCarried: of_arrival,
    StagePrizeDue: of_stage_prize,
    TableFormed: of_opening,
    TableHalting: of_halt,
    TournamentCancelled: of_tickets,
}
DONE: dict[type[Any], Callable[[Any], Due]] = {
    PrizePaid: of_place,
    TicketIssued: of_place,
    PayoutPaid: of_share,
    EntryRefunded: of_entry,
    PoolCarried: of_carrying,
    PlayersQualified: of_arrival,
    StagePrizePaid: of_stage_prize,
    StagePrizeDue: of_arrival,
    TableOpened: of_opening,
    TableHalted: of_halt,
    TicketsVoided: of_tickets,
}


def at_rest(world: "World") -> list[str]:
    """Return what is still under way; nothing means that all is done."""
    if world.backups.restored is not None:
        return [f"{world.backups.restored} was restored alone"]
    ends = world.ends
    playing = [name for name in world.crowd.terms if not ends.ended(name)]
    if playing:
        return [f"{name} plays" for name in playing]
    if world.crowd.working:
        return [f"{world.crowd.working} players wait"]
    waits = [f"{name}: {what} is still due" for name, what in ends.still_due()]
    if world.weather.ranked:
        waits += [f"{name} is not rated" for name in ends.places if name not in ends.rated]
    waits += [f"{line} has live streams" for line, disk in world.disks.items() if disk.live]
    waits += [f"{line} has parked facts" for line, disk in world.disks.items() if disk.parked]
    for line, disk in world.disks.items():
        stream = world.streams.by_line.get(line)
        if stream is None or len(stream.kept) != len(disk.rows):
            waits.append(f"{line} is not all in its stream")
    for node in world.nodes:
        if not node.dead:
            waits += [f"{node.name}: {what}: {why}" for what, why in node.health.reasons().items()]
            waits += [
                f"{asked.stream} asks {asked.n}"
                for owned in node.owned.values()
                for asked in owned.owner.shard.questions.open
            ]
    if world.weather.leased:
        waits += [f"{line} has {n} owners" for line, n in owners(world).items() if n != 1]
    return waits or still_bound(world)


def owners(world: "World") -> dict[Line, int]:
    """How many processes work on each line."""
    living = [node for node in world.nodes if not node.dead]
    return {line: sum(line in node.owned for node in living) for line in world.disks}


class Ends:
    """Which tournaments have ended and are rated, and what is still owed.

    That is money, and what tables must answer.
    """

    def __init__(self) -> None:
        self.places: dict[str, tuple[Placing, ...]] = {}
        self.rated: set[str] = set()
        self.cancelled: dict[str, str] = {}
        self._due: dict[Due, None] = {}
        self._done: set[Due] = set()

    def see(self, events: Iterable[Any]) -> None:
        for event in events:
            kind = type(event)
            if kind in DUE and not brings_nobody(event):
                self._due[DUE[kind](event)] = None
            if kind in DONE:
                self._done.add(DONE[kind](event))
            if kind is TournamentFinished:
                self.places[event.tournament] = event.places
            elif kind is TournamentCancelled:
                self.cancelled[event.tournament] = event.sheet_hash
            elif kind is TournamentRated:
                self.rated.add(event.tournament)

    def ended(self, tournament: str) -> bool:
        """Whether it was played to its end, or given up."""
        return tournament in self.places or tournament in self.cancelled

    def still_due(self) -> list[Due]:
        """What somebody owes and has not done yet."""
        return [due for due in self._due if due not in self._done]


def copies_of(world: "World") -> dict[Line, LineCopy]:
    """Logs and streams as a reader finds them; a message that trouble deleted is put back."""
    copies = {}
    for line, disk in world.disks.items():
        messages = []
        previous_m = 0
        for row, kept in zip(disk.rows, world.streams.by_line[line].kept, strict=True):
            if kept is None and (line, row.number) in world.deleted:
                subject = line.subject(row.klass, row.stream)
                messages.append(Message(row.number, subject, str(previous_m), row.data))
            elif kept is not None:
                prev_m = str(kept.prev_m)
                messages.append(Message(row.number, kept.subject, prev_m, kept.data))
            if row.klass == "m":
                previous_m = row.number
        copies[line] = LineCopy(disk.rows, messages)
    return copies


def judged(world: "World") -> None:
    """The platform's own verdicts are all true, the auditor's included."""
    copies = copies_of(world)
    history = history_of({line: copy.rows for line, copy in copies.items()})
    vault_keys = vault_of([VAULT_KEY]).keys
    found = judged_all(history, log_is_stream(copies))
    for verdict in (*found, decks_follow_from_seeds(history, vault_keys)):
        if not (verdict.true or (verdict.detail in NOTHING_PLAYED and world.ends.cancelled)):
            raise Broken(verdict.name, verdict.detail)
    kept_nowhere(world.laws.play.balances)
    if world.weather.ranked:
        rated_once(history)
    if world.weather.strangers:
        forgotten(world, [fact.event for fact in history.of("wallet")])


def kept_nowhere(balances: Mapping[str, int]) -> None:
    """Every cent that tournaments took in is somebody's again: pools and holds are empty."""
    kept = {name: cents for name, cents in balances.items() if cents and name.startswith(IN_PLAY)}
    if kept:
        raise Broken("every cent is somebody's in the end", str(kept))


def rated_once(history: History) -> None:
    """Whatever has died, every finished tournament has become ratings, and none twice."""
    over = named(TournamentFinished, history.of("director"))
    rated = named(TournamentRated, history.of("ranking"))
    if over != rated:
        raise Broken("every finished tournament is rated once", f"{over} finished, {rated} rated")


def named(kind: type[Any], facts: Iterable[Fact]) -> list[str]:
    """Return the tournaments of which this is said, as often as it is said."""
    return sorted([fact.event.tournament for fact in facts if type(fact.event) is kind])


def remembered(world: "World") -> None:
    """What every owner has in memory is what its log says."""
    for node in world.nodes:
        for line, owned in node.owned.items() if not node.dead else ():
            shard = owned.owner.shard
            for stream, head in shard._memory._heads.items():
                rows = world.disks[line].read_stream(stream, 0, head.n)
                folded = shard._folding.fold(rows, shard._answers)
                if folded != head:
                    raise Broken("memory is what the log says", f"{node.name} {stream} {head.n}")


def leaks(world: "World") -> None:
    """Nothing hidden is in any stream or any reply."""
    copies = copies_of(world)
    history = history_of({line: copy.rows for line, copy in copies.items()})
    sent = [
        Sent(line.stream, [m.data for m in copy.messages], "json") for line, copy in copies.items()
    ]
    sent += [Sent(f"replies of {line}", [reply], "json") for line, reply in world.replies]
    keys = {player: key for player, key in world.person_keys.keys.items() if key is not None}
    found = find_leaks(hidden_in(history, vault_of([VAULT_KEY]), keys), sent)
    if found:
        raise Broken("nothing hidden has left", f"{found[0].where}: {found[0].what}")
