"""The laws of Big Shoots (BH-BIGSHOOT): nobody is in two tournaments of a series at once.

In the end nobody is kept from its stage 1 any more.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from services.cli.verdicts.history import Fact, history_of
from services.wallet.core import DECIDER
from shared.contracts import director
from shared.runtime.ports import Line

if TYPE_CHECKING:
    from tests.simulation.world import World

WALLET = Line("wallet", 0)
LAST_TO_BUY_AGAIN = 2


class SeriesLaws:
    """Who is to play in which tournament of a series, as the director says."""

    def __init__(self, broken: Callable[[str, str], None]) -> None:
        self._broken = broken
        self._series: dict[str, str] = {}
        self._fed_by: dict[str, int] = {}
        self._in: dict[tuple[str, str], str] = {}
        self.handlers: dict[type[Any], Callable[[Fact], None]] = {
            director.TournamentCreated: self._created,
            director.PlayerRegistered: self._registered,
            director.PlayersQualified: self._qualified,
            director.TournamentStarted: self._started,
            director.PlayerUnregistered: self._is_out,
            director.PlayerEliminated: self._is_out,
            director.StagePrizeDue: self._is_out,
            director.TournamentFinished: self._is_over,
            director.TournamentCancelled: self._cancelled,
        }

    def _created(self, fact: Fact) -> None:
        stage = fact.event.terms.big_shoot
        if stage is not None:
            self._series[fact.stream] = stage.series or fact.stream
            self._fed_by[fact.stream] = stage.fed_by

    def _registered(self, fact: Fact) -> None:
        self._enter(fact, (fact.event.player,))

    def _qualified(self, fact: Fact) -> None:
        self._fed_by[fact.stream] -= 1
        self._enter(fact, fact.event.players)

    def _started(self, fact: Fact) -> None:
        if self._fed_by.get(fact.stream, 0) > 0:
            self._broken("a stage waits for those before it", f"{fact.where}: {fact.stream}")

    def _cancelled(self, fact: Fact) -> None:
        """Too few are too few once all have come; an operator may give it up before."""
        if not fact.event.author:
            self._started(fact)
        self._is_over(fact)

    def _enter(self, fact: Fact, players: Iterable[str]) -> None:
        series = self._series.get(fact.stream)
        for player in players if series else ():
            there = self._in.setdefault((series, player), fact.stream)
            if there != fact.stream:
                what = f"{fact.where}: {player} enters {fact.stream}, and is in {there}"
                self._broken("nobody is in two tournaments of a series", what)

    def _is_out(self, fact: Fact) -> None:
        series = self._series.get(fact.stream)
        if series and self._in.get((series, fact.event.player)) == fact.stream:
            del self._in[series, fact.event.player]

    def _is_over(self, fact: Fact) -> None:
        if fact.stream in self._series:
            self._in = {who: there for who, there in self._in.items() if there != fact.stream}


def still_bound(world: "World") -> list[str]:
    """Return whom the wallet keeps from stage 1; who was out in a third stage stays out of it."""
    stages = {name: terms.big_shoot for name, terms in world.crowd.terms.items()}
    if not any(stages.values()):
        return []
    journal = history_of({WALLET: world.disks[WALLET].rows}).of("wallet")
    wallet = DECIDER.fold(fact.event for fact in journal)
    return [
        f"{key} is still in {tournament}"
        for key, tournament in wallet.in_big_shoots.items()
        if (stage := stages[tournament]) is None or stage.stage <= LAST_TO_BUY_AGAIN
    ]
