"""Law of versions: unknown fields are ignored in events and refused in requests."""

from typing import get_args

import msgspec
import pytest
from msgspec.inspect import type_info

from shared.contracts import dealer, director, table, wallet
from shared.contracts.registry import REGISTRY
from shared.contracts.strict import StrictDecoder, structs_within
from tests.contract.samples import samples

REQUESTS = [
    kind
    for union in (
        dealer.DealerRequest,
        director.DirectorRequest,
        table.TableRequest,
        wallet.WalletRequest,
    )
    for kind in get_args(union)
]


@pytest.mark.parametrize("tag", REGISTRY)
def test_no_event_holds_anything_that_refuses_what_a_newer_build_adds(tag):
    strict = [
        found.cls.__name__
        for found in structs_within(type_info(REGISTRY[tag].type))
        if found.forbid_unknown_fields
    ]
    assert not strict


def with_surplus(value):
    """Every variant of a message with one field more, at each of its objects."""
    if isinstance(value, dict):
        yield {**value, "surplus": 1}
        for key, inner in value.items():
            for changed in with_surplus(inner):
                yield {**value, key: changed}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            for changed in with_surplus(inner):
                yield [*value[:index], changed, *value[index + 1 :]]


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_request_with_an_unknown_field_anywhere_is_refused(kind):
    decoder = StrictDecoder(kind)
    fullest = samples(kind)[0]
    said = msgspec.to_builtins(fullest)
    assert decoder.decode(msgspec.json.encode(said)) == fullest
    for changed in with_surplus(said):
        with pytest.raises(msgspec.ValidationError, match="surplus"):
            decoder.decode(msgspec.json.encode(changed))
