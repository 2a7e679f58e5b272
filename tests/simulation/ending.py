"""The end of a world: what still waits, and the verdicts once nothing does."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from services.cli.verdicts import LineCopy, Message, judged_all
from services.cli.verdicts.hidden import hidden_in
from services.cli.verdicts.history import Fact, History, history_of
from services.cli.verdicts.leaks import Sent, find_leaks
from services.cli.verdicts.mixed_decks import decks_follow_from_seeds
from services.cli.verdicts.streams import log_is_stream
from services.dealer.shell.vault import vault_of
from shared.contracts.director import Placing, TournamentFinished
from shared.contracts.ranking import TournamentRated
from shared.contracts.wallet import PrizePaid
from shared.runtime.ports import Line
from tests.simulation.loop import Broken
from tests.simulation.node import VAULT_KEY
from tests.simulation.visitor import forgotten

if TYPE_CHECKING:
    from tests.simulation.world import World


def at_rest(world: "World") -> list[str]:
    """Return what is still under way; nothing means that all is done."""
    if world.backups.restored is not None:
        return [f"{world.backups.restored} was restored alone"]
    ends = world.ends
    playing = [name for name in world.crowd.terms if name not in ends.places]
    if playing:
        return [f"{name} plays" for name in playing]
    if world.crowd.working:
        return [f"{world.crowd.working} players wait"]
    waits = [f"{name}: place {place} is not paid" for name, place in ends.unpaid()]
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
    return waits


def owners(world: "World") -> dict[Line, int]:
    """How many processes work on each line."""
    living = [node for node in world.nodes if not node.dead]
    return {line: sum(line in node.owned for node in living) for line in world.disks}


class Ends:
    """Which tournaments have finished and are rated, and which of their prizes have been paid."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[Placing, ...]] = {}
        self.paid: set[tuple[str, int]] = set()
        self.rated: set[str] = set()

    def see(self, events: Iterable[Any]) -> None:
        for event in events:
            kind = type(event)
            if kind is TournamentFinished:
                self.places[event.tournament] = event.places
            elif kind is PrizePaid:
                self.paid.add((event.tournament, event.place))
            elif kind is TournamentRated:
                self.rated.add(event.tournament)

    def unpaid(self) -> list[tuple[str, int]]:
        """Places whose prize is still due."""
        due = [
            (name, p.place) for name, places in self.places.items() for p in places if p.prize_cents
        ]
        return [place for place in due if place not in self.paid]


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
        if not verdict.true:
            raise Broken(verdict.name, verdict.detail)
    if world.weather.ranked:
        rated_once(history)
    forgotten(world, [fact.event for fact in history.of("wallet")])


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
