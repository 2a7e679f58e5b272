"""An exported deal, judged without the server: right as it is, wrong with anything changed."""

import asyncio
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from services.cli.deal.auditing import sealed_findings
from services.cli.deal.file import NotAnExport, export_of
from services.cli.deal.judging import findings
from services.cli.verdicts.draws import order_made_of
from services.dealer.core import drawn_from
from services.dealer.shell.vault import vault_of
from shared.contracts.dealer import SeatsOpened
from shared.contracts.hand import HandMucked
from shared.runtime.exports import NotExported, draw_lines, hand_lines
from shared.runtime.ports import Line
from tests.core.cli.tournament_world import TOURNAMENT, VAULT, World, copies_of

SEED = 3


@cache
def logs():
    return {line: copy.rows for line, copy in copies_of(World(SEED).play().commits).items()}


async def read_stream(service, stream):
    lines = [line for line in logs() if line.service == service]
    return [row for line in lines for row in logs()[line] if row.stream == stream]


@cache
def hands():
    """The lines of every hand."""
    dealer = {row.stream for row in logs()[Line("dealer", 0)] if row.stream.startswith("hnd_")}
    return {hand: asyncio.run(hand_lines(hand, read_stream)) for hand in sorted(dealer)}


@cache
def draws():
    return asyncio.run(draw_lines(TOURNAMENT, read_stream))


@cache
def telling(*tags):
    """The first hand in which all of this happens."""
    return next(
        lines
        for lines in hands().values()
        if all(any(tag.encode() in line for line in lines) for tag in tags)
    )


def are_right(lines):
    try:
        found = findings(export_of(lines))
    except NotAnExport:
        return False
    return bool(found) and all(finding.right for finding in found)


def edited(lines, tag, change):
    """Change the first event of a kind, and write its line anew."""
    for number, line in enumerate(lines):
        if tag.encode() in line:
            commit = msgspec.json.decode(line)
            event = next(e for e in commit["events"] if e["type"] == tag)
            change(event)
            return [*lines[:number], msgspec.json.encode(commit), *lines[number + 1 :]]
    raise AssertionError(f"no {tag}")


def test_every_hand_and_every_draw_of_a_tournament_is_right():
    for lines in hands().values():
        (finding,) = findings(export_of(lines))
        assert finding.right, finding
    found = findings(export_of(draws()))
    assert len(found) > 1
    assert all(finding.right for finding in found), found
    assert are_right([*telling(), *draws()])


def test_what_does_not_exist_or_has_not_ended_is_not_exported():
    for hand in ("hnd_unknown", "trn_w"):
        with pytest.raises(NotExported, match="was dealt"):
            asyncio.run(hand_lines(hand, read_stream))
    with pytest.raises(NotExported, match="has drawn"):
        asyncio.run(draw_lines("trn_other", read_stream))

    async def before_the_end(service, stream):
        rows = await read_stream(service, stream)
        return rows[:3] if service == "table" else rows

    with pytest.raises(NotExported, match="hand_not_ended"):
        asyncio.run(hand_lines(next(iter(hands())), before_the_end))


CARD, SHOWN, BOARD = "dealer.deck-committed.v1", "dealer.seats-opened.v1", "dealer.board-opened.v1"
MADE, ASKED, TAKEN = "dealer.draw-made.v1", "director.draw-awaited.v1", "director.draw-taken.v1"


def first_opening(event):
    return event["openings"][0] if "openings" in event else event["seats"][0]["openings"][0]


def other(text):
    """The same length, another value."""
    return ("A" if text[0] != "A" else "B") + text[1:]


def another_card(opening):
    opening["card"] = "2c" if opening["card"] != "2c" else "3c"


TAMPERED = [
    (CARD, lambda e: e.update(root=other(e["root"]))),
    (CARD, lambda e: e["roster"].reverse()),
    (CARD, lambda e: e["roster"][0].update(player="ply_x")),
    (CARD, lambda e: e.update(table="tbl_x")),
    (CARD, lambda e: e["sealed"][0].update(box=other(e["sealed"][0]["box"]))),
    (BOARD, lambda e: another_card(first_opening(e))),
    (BOARD, lambda e: first_opening(e).update(salt=other(first_opening(e)["salt"]))),
    (BOARD, lambda e: first_opening(e)["path"].reverse()),
    (BOARD, lambda e: first_opening(e).update(position=first_opening(e)["position"] + 1)),
    (BOARD, lambda e: e.update(street="turn")),
    (SHOWN, lambda e: another_card(first_opening(e))),
    (SHOWN, lambda e: e["seats"][0].update(seat=e["seats"][0]["seat"] + 1)),
    (SHOWN, lambda e: e["stated"].update(n=e["stated"]["n"] - 1)),
    ("table.hand-shown.v1", lambda e: e["cards"].reverse()),
    ("table.board-dealt.v1", lambda e: e["cards"].reverse()),
    ("table.hands-dealt.v1", lambda e: e.update(root=other(e["root"]))),
    ("table.hand-started.v1", lambda e: e["seats"].reverse()),
]


@pytest.mark.parametrize(("tag", "change"), TAMPERED)
def test_a_changed_hand_is_wrong(tag, change):
    lines = telling(SHOWN, BOARD)
    assert not are_right(edited(lines, tag, change))


@pytest.mark.parametrize(
    ("tag", "change"),
    [
        (MADE, lambda e: e["order"].reverse()),
        (MADE, lambda e: e.update(source=other(e["source"]))),
        (MADE, lambda e: e.update(purpose="tie 1")),
        (MADE, lambda e: e.update(draw="drw_w_1")),
        (ASKED, lambda e: e["candidates"].pop()),
        (ASKED, lambda e: e["candidates"].reverse()),
        (ASKED, lambda e: e.update(purpose="tie 1")),
        (TAKEN, lambda e: e["order"].reverse()),
        (TAKEN, lambda e: e["candidates"].reverse()),
    ],
)
def test_a_changed_draw_is_wrong(tag, change):
    assert not are_right(edited(draws(), tag, change))


def test_a_hand_that_lacks_a_line_or_has_one_twice_is_wrong():
    lines = telling(SHOWN, BOARD)
    for number in range(len(lines)):
        if b"table.hand-scheduled.v1" not in lines[number]:
            assert not are_right([*lines[:number], *lines[number + 1 :]]), lines[number]
        assert not are_right([*lines[:number], lines[number], *lines[number:]]), lines[number]
    for end in range(len(lines)):
        assert not are_right(lines[:end])


def test_a_stream_in_another_order_is_wrong():
    lines = telling(SHOWN, BOARD)
    for first in range(len(lines) - 1):
        pair = [msgspec.json.decode(line)["stream"] for line in lines[first : first + 2]]
        if pair[0] == pair[1]:
            turned = [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]]
            assert not are_right(turned), first


def test_another_hands_opening_and_foreign_lines_are_wrong():
    one, two = [lines for lines in hands().values() if any(BOARD.encode() in x for x in lines)][:2]
    stranger = msgspec.json.decode(next(line for line in two if BOARD.encode() in line))
    swapped = edited(one, BOARD, lambda e: e.update(openings=stranger["events"][0]["openings"]))
    assert not are_right(swapped)
    for line in (b"", b"{}", b"[1]", b"\xff", b"[" * 90_000):
        assert not are_right([*one, line])


def test_a_mucked_hand_that_is_opened_is_wrong():
    lines = telling("table.hand-mucked.v1", SHOWN)
    history = export_of(lines).history
    mucked = [f.event.seat for f in history.of("table") if isinstance(f.event, HandMucked)]
    opened = [
        s for f in history.of("dealer") if isinstance(f.event, SeatsOpened) for s in f.event.seats
    ]
    assert not set(mucked) & {seat.seat for seat in opened}
    extra = edited(lines, "table.hand-shown.v1", lambda e: e.update(seat=mucked[0]))
    assert not are_right(extra)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_byte_of_a_commit_that_another_follows_can_be_changed(data):
    lines = telling(SHOWN, BOARD)
    streams = [msgspec.json.decode(line)["stream"] for line in lines]
    followed = [n for n, stream in enumerate(streams) if stream in streams[n + 1 :]]
    number = data.draw(st.sampled_from(followed))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != lines[number][place]))
    changed = lines[number][:place] + bytes([byte]) + lines[number][place + 1 :]
    assert not are_right([*lines[:number], *changed.split(b"\n"), *lines[number + 1 :]])


@given(st.integers(0, 600), st.randoms(use_true_random=False))
def test_an_outsider_makes_the_same_order_of_the_same_bytes(count, chance):
    order, source = drawn_from(count, iter(lambda: chance.randbytes(256), b""))
    assert order_made_of(count, source) == order
    if source:
        assert order_made_of(count, source[:-1]) is None
        assert order_made_of(count, source + b"\x00") is None


def test_an_auditor_opens_every_sealed_deck_and_finds_it_committed_to():
    export = export_of(telling(SHOWN, BOARD))
    (deck, mixed) = sealed_findings(export, VAULT.keys)
    assert deck.right, deck
    assert mixed.right, mixed
    (foreign, _) = sealed_findings(export, vault_of([bytes(32)]).keys)
    assert "does not open" in foreign.detail
    tampered = edited(telling(SHOWN, BOARD), CARD, lambda e: e.update(root=other(e["root"])))
    (deck, _) = sealed_findings(export_of(tampered), VAULT.keys)
    assert deck.detail == "is not the one committed to"
