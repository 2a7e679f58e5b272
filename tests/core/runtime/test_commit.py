"""The commit's format is frozen: these bytes and this hash must never change."""

import pytest

from shared.contracts.commit import (
    Actor,
    Cause,
    Commit,
    decode,
    encode,
    hash_of,
    moment,
    moment_ms,
    raw,
)
from shared.contracts.wallet import MoneyDeposited, Posting

GOLDEN = (
    b'{"v":1,"stream":"journal","n":7,"at":"2026-11-30T09:00:00.005Z",'
    b'"by":{"kind":"player","id":"ply_1"},"cause":{"command":"cmd_1"},"saga":null,'
    b'"build":"2026.1","prev":"ab","events":[{"type":"wallet.money-deposited.v1",'
    b'"player":"ply_1","amount_cents":100,"reference":"r\\u0000\\"\xc3\xa9","postings":'
    b'[{"account":"cash/ply_1","amount_cents":100,"balance_cents":100},'
    b'{"account":"external","amount_cents":-100,"balance_cents":-100}]}]}'
)
GOLDEN_HASH = "e9771d450ab08bba5268fef7190281099876a47a47bbdc3544bc4dec3ac6aea3"

COMMIT = Commit(
    stream="journal",
    n=7,
    at=moment(1_796_029_200_005),
    by=Actor("player", "ply_1"),
    cause=Cause(command="cmd_1"),
    saga=None,
    build="2026.1",
    prev="ab",
    events=(
        raw(
            MoneyDeposited(
                player="ply_1",
                amount_cents=100,
                reference='r\0"é',
                postings=(Posting("cash/ply_1", 100, 100), Posting("external", -100, -100)),
            )
        ),
    ),
)


def test_a_commit_is_these_bytes_for_ever():
    assert encode(COMMIT) == GOLDEN
    assert hash_of(GOLDEN).hex() == GOLDEN_HASH


def test_a_commit_is_read_back_and_written_again_as_it_was():
    assert encode(decode(GOLDEN)) == GOLDEN
    assert [bytes(event) for event in decode(GOLDEN).events] == [
        bytes(event) for event in COMMIT.events
    ]


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (Cause(command="cmd_1"), b'{"command":"cmd_1"}'),
        (Cause(fact="director-0", number=3), b'{"fact":"director-0","number":3}'),
        (Cause(answer=4), b'{"answer":4}'),
        (Cause(timer="act"), b'{"timer":"act"}'),
    ],
)
def test_a_cause_says_one_thing(cause, text):
    assert encode(cause) == text


@pytest.mark.parametrize(
    ("at_ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (999, "1970-01-01T00:00:00.999Z"),
        (1_796_029_200_000, "2026-11-30T09:00:00.000Z"),
        (951_782_400_001, "2000-02-29T00:00:00.001Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_moments_are_written_and_read_without_loss(at_ms, text):
    assert moment(at_ms) == text
    assert moment_ms(text) == at_ms


def test_every_millisecond_of_a_second_survives():
    for at_ms in range(1_796_029_200_000, 1_796_029_201_000):
        assert moment_ms(moment(at_ms)) == at_ms
