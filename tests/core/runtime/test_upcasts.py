"""Old events are made new where they are decoded: nothing behind that ever sees an old one.

No event of the platform has a second version yet, so these are of the tests' own.
"""

from typing import Any, Generic, TypeVar, final

import msgspec
import pytest

from shared.contracts import registry
from shared.contracts.commit import raw
from shared.contracts.message import Event, tag_of
from shared.contracts.registry import REGISTRY, Registered, is_unknown_version, klass_of
from shared.contracts.upcasts import (
    UPCASTS,
    Upcast,
    commit_decoder,
    event_decoder,
    newest,
    newest_type,
    readable,
)

E = TypeVar("E")


@final
class Paid1(Event, frozen=True, tag="till.paid.v1"):
    """In euros."""

    euros: int


@final
class Paid2(Event, frozen=True, tag="till.paid.v2"):
    """In cents."""

    cents: int


@final
class Paid(Event, frozen=True, tag="till.paid.v3"):
    """In cents, and where."""

    cents: int
    till: str


@final
class Closed(Event, frozen=True, tag="till.closed.v1"):
    """Never changed."""

    till: str = ""


class Page(msgspec.Struct, Generic[E], frozen=True):
    number: int
    events: tuple[E, ...]


@pytest.fixture(autouse=True)
def till(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service whose payments were recorded in three ways."""
    monkeypatch.setitem(UPCASTS, Paid1, Upcast(Paid2, lambda paid: Paid2(cents=paid.euros * 100)))
    monkeypatch.setitem(UPCASTS, Paid2, Upcast(Paid, lambda paid: Paid(cents=paid.cents, till="")))
    for event in (Paid1, Paid2, Paid):
        followed = frozenset({"wallet"})
        monkeypatch.setitem(REGISTRY, tag_of(event), Registered(event, "till", followed))
        monkeypatch.setitem(registry.ROUTES, event, followed)


WRITTEN = {
    "first": (Paid1(euros=3), Paid(cents=300, till="")),
    "second": (Paid2(cents=31), Paid(cents=31, till="")),
    "newest": (Paid(cents=31, till="bar"), Paid(cents=31, till="bar")),
    "only": (Closed(till="bar"), Closed(till="bar")),
}


@pytest.mark.parametrize(("written", "read"), WRITTEN.values(), ids=WRITTEN)
def test_every_version_is_read_as_the_newest(written: Event, read: Event):
    assert newest(written) == read
    assert newest_type(type(written)) is type(read)
    assert event_decoder(type(written))(raw(written)) == read


def test_a_commit_of_all_versions_is_read_in_order():
    events = [written for written, _ in WRITTEN.values()]
    decode = commit_decoder(Page, (Paid, Closed))
    page = decode(msgspec.json.encode({"number": 7, "events": events}))
    assert page == Page[Any](7, tuple([read for _, read in WRITTEN.values()]))


def test_a_service_reads_its_events_and_all_that_became_them():
    assert readable((Closed, Paid)) == (Closed, Paid, Paid1, Paid2)
    assert readable((Closed,)) == (Closed,)


@pytest.mark.parametrize(
    ("tag", "service", "unknown"),
    [
        ("till.paid.v4", "wallet", True),
        ("till.paid.v4", "table", False),  # It skips the known ones, too.
        ("till.paid.v3", "wallet", False),
        ("till.paid.v1", "wallet", False),
        ("till.opened.v1", "wallet", False),
        ("till.paid", "wallet", False),
        ("", "wallet", False),
    ],
)
def test_a_version_that_only_others_know_is_told_from_a_type_that_does_not_concern_us(
    tag: str, service: str, unknown: bool
):
    assert is_unknown_version(tag, service) is unknown


def test_the_class_of_a_commit_is_that_of_what_is_written_now():
    assert klass_of([Paid]) == "m"
    assert klass_of([Closed]) == "d"


def test_old_versions_of_the_platform_are_registered_beside_the_new():
    for owner, events in registry.OWNED.items():
        for event in readable(events):
            assert REGISTRY[tag_of(event)].owner == owner
            assert event not in UPCASTS or event not in events
