"""Every event: who owns it, who follows it, and with that the class of its commits.

A commit has class `m` when any of its events is routed to another service, else `d`; services
that decide follow `m` only. Routes name the services that must understand an event; a type
that is not routed to a service is skipped by it. Old versions (`upcasts.py`) are known for ever,
each with the routes that it was written under.
"""

from collections.abc import Iterable
from typing import Any, get_args

import msgspec

from shared.contracts import dealer, director, hand, ranking, table, wallet
from shared.contracts.message import tag_of
from shared.contracts.upcasts import readable, unversioned

SERVICES = ("table", "director", "wallet", "dealer", "ranking", "archive", "gateway")


class Registered(msgspec.Struct, frozen=True):
    """One event type in the register."""

    type: type[Any]
    owner: str
    routed_to: frozenset[str]


OWNED: dict[str, tuple[type[Any], ...]] = {
    "dealer": get_args(dealer.DealerEvent),
    "director": get_args(director.DirectorEvent),
    "ranking": get_args(ranking.RankingEvent),
    "table": get_args(table.TableEvent),
    "wallet": get_args(wallet.WalletEvent),
}

ROUTES: dict[type[Any], frozenset[str]] = {
    wallet.EntryHeld: frozenset({"director"}),
    wallet.EntryRefused: frozenset({"director"}),
    wallet.PoolCarried: frozenset({"director"}),
    ranking.EntryRated: frozenset({"director"}),
    director.EntryRequested: frozenset({"wallet", "ranking"}),
    director.PlayerRegistered: frozenset({"wallet"}),
    director.EntryDeclined: frozenset({"wallet"}),
    director.EntryExpired: frozenset({"wallet"}),
    director.PlayerUnregistered: frozenset({"wallet"}),
    director.PrizeDue: frozenset({"wallet"}),
    director.TournamentCancelled: frozenset({"wallet"}),
    director.RebuyRequested: frozenset({"wallet"}),
    director.RebuyGranted: frozenset({"wallet"}),
    director.RebuyLapsed: frozenset({"wallet"}),
    director.GuaranteeDue: frozenset({"wallet"}),
    director.PayoutDue: frozenset({"wallet"}),
    director.BountyDue: frozenset({"wallet"}),
    director.QualifiersNamed: frozenset({"wallet"}),
    director.StagePrizeDue: frozenset({"wallet"}),
    director.LeftBigShoot: frozenset({"wallet"}),
    director.TableFormed: frozenset({"table"}),
    director.HandCleared: frozenset({"table"}),
    director.MoveDecided: frozenset({"table"}),
    director.SeatAssigned: frozenset({"table"}),
    director.ChipsAssigned: frozenset({"table"}),
    director.TableBroken: frozenset({"table"}),
    director.TableHalting: frozenset({"table"}),
    director.TableReleased: frozenset({"table"}),
    director.PlacesTold: frozenset({"ranking"}),
    director.TournamentFinished: frozenset({"ranking"}),
    hand.HandEnded: frozenset({"director"}),
    table.SeatVacated: frozenset({"director"}),
    table.TableHalted: frozenset({"director"}),
    table.HandVoided: frozenset({"director"}),
}

REGISTRY: dict[str, Registered] = {
    tag_of(event): Registered(event, owner, ROUTES.get(event, frozenset()))
    for owner, events in OWNED.items()
    for event in readable(events)
}


def upstreams_of(service: str) -> tuple[str, ...]:
    """Return the services whose facts this one follows, in alphabetical order."""
    return tuple(sorted({r.owner for r in REGISTRY.values() if service in r.routed_to}))


def klass_of(events: Iterable[type[Any]]) -> str:
    """Return the class of a commit with these events."""
    return "m" if any(ROUTES.get(event) for event in events) else "d"


def is_unknown_version(tag: str, service: str) -> bool:
    """Say whether this is an event routed to a service, in a version that only others know."""
    if tag in REGISTRY:
        return False
    return any(
        service in known.routed_to and unversioned(other) == unversioned(tag)
        for other, known in REGISTRY.items()
    )
