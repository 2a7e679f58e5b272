"""The register: every event once, tagged as its owner's, and heard where it is routed to."""

import importlib
import re
from importlib.util import find_spec

import pytest

from shared.contracts.hand import HandEnded
from shared.contracts.message import tag_of
from shared.contracts.registry import OWNED, ROUTES, klass_of, upstreams_of
from shared.contracts.wallet import AccountOpened, EntryHeld

TAG = re.compile(r"[a-z]+\.[a-z]+(-[a-z]+)*\.v[1-9][0-9]*")
EVENTS = [(owner, event) for owner, events in OWNED.items() for event in events]
OWNER = {event: owner for owner, event in EVENTS}


def test_every_event_is_registered_once():
    tags = [tag_of(event) for _, event in EVENTS]
    assert len(tags) == len(set(tags))
    assert len(OWNER) == len(EVENTS)


@pytest.mark.parametrize(("owner", "event"), EVENTS)
def test_a_tag_is_service_name_and_version(owner, event):
    tag = tag_of(event)
    assert TAG.fullmatch(tag)
    service, name, _ = tag.split(".")
    assert service == owner
    assert name == re.sub(r"(?<!^)(?=[A-Z])", "-", event.__name__).lower()


def reactions_of(service: str) -> set[type]:
    name = f"services.{service}.shell.reactions"
    if find_spec(name) is None:
        pytest.skip(f"{service} has no reactions yet")
    return set(importlib.import_module(name).REACTIONS)


@pytest.mark.parametrize("service", sorted(OWNED))
def test_a_service_reacts_to_exactly_what_is_routed_to_it(service):
    routed = {event for event in OWNER if service in ROUTES.get(event, ())}
    if not routed:
        assert upstreams_of(service) == ()
        return
    assert reactions_of(service) == routed
    assert set(upstreams_of(service)) == {OWNER[event] for event in routed} - {""}


@pytest.mark.parametrize("event", [event for event in OWNER if event in ROUTES])
def test_nobody_follows_itself(event):
    assert OWNER[event] not in ROUTES[event]


def test_a_commit_is_of_class_m_when_any_event_is_routed():
    assert klass_of([AccountOpened]) == "d"
    assert klass_of([AccountOpened, EntryHeld]) == "m"
    assert klass_of([HandEnded]) == "m"
    assert klass_of([]) == "d"
