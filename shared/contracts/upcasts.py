"""Old events made new where they are decoded, so that everything behind sees the newest only.

A changed meaning is a new Struct with a new tag (`counter.added.v2`), never another reading of
the old one. The old Struct stays in its contract module for ever, out of the service's union of
events; a row here leads from it to the next version, and so on to the newest. It keeps its own
row in the registry's `ROUTES`, since that row says which class its commits have.

Who follows the events is rolled out first. A service that meets a version it does not know parks
the fact, and takes it after its own rollout by `rollforward inbox retry`.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from shared.contracts.director import TournamentStarted, TournamentStarted1


class Upcast(msgspec.Struct, frozen=True):
    """From one version of an event to the next: `make` is pure and never fails."""

    newer: type[Any]
    make: Callable[[Any], Any]


def counted(event: TournamentStarted1) -> TournamentStarted:
    """Say how many players start, whose names were told when they came."""
    return TournamentStarted(
        tournament=event.tournament,
        players=len(event.players),
        pool_cents=event.pool_cents,
        prizes_cents=event.prizes_cents,
    )


UPCASTS: dict[type[Any], Upcast] = {TournamentStarted1: Upcast(TournamentStarted, counted)}


def newest(event: Any) -> Any:
    """Return what this event says in the newest version."""
    while upcast := UPCASTS.get(type(event)):
        event = upcast.make(event)
    return event


def newest_type(event: type[Any]) -> type[Any]:
    """Return the newest version of an event type."""
    while upcast := UPCASTS.get(event):
        event = upcast.newer
    return event


def readable(events: Iterable[type[Any]]) -> tuple[type[Any], ...]:
    """Return these event types, each followed by the older ones that become it."""
    return tuple(
        known
        for event in events
        for known in (event, *[old for old in UPCASTS if newest_type(old) is event])
    )


def event_decoder(event: type[Any]) -> Callable[[bytes | msgspec.Raw], Any]:
    """Return what decodes events of one version to the newest."""
    decode = msgspec.json.Decoder(event).decode
    if event not in UPCASTS:
        return decode
    return lambda data: newest(decode(data))


def commit_decoder(commit: Any, events: Iterable[type[Any]]) -> Callable[[bytes], Any]:
    """Return what decodes commits whole, as a generic Struct of its events, to the newest."""
    types = readable(events)
    union: Any = reduce(or_, types)
    decode: Callable[[bytes], Any] = msgspec.json.Decoder(commit[union]).decode
    if UPCASTS.keys().isdisjoint(types):
        return decode

    def upcasting(data: bytes) -> Any:
        read = decode(data)
        return msgspec.structs.replace(read, events=tuple([newest(e) for e in read.events]))

    return upcasting


def unversioned(tag: str) -> str:
    """Return a tag without its version: `counter.added` of `counter.added.v2`."""
    return tag.rpartition(".")[0]
