"""An exported deal, judged without the server: right as it is, wrong with anything changed.

Whoever changes something here can also make every hash right: only what the cards, seats and
draws have to be tells.
"""

import asyncio

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from services.cli.deal.file import export_of
from services.cli.deal.judging import findings
from services.cli.verdicts.draws import order_made_of
from services.dealer.core import drawn_from
from shared.contracts.dealer import SeatsOpened
from shared.contracts.hand import HandMucked
from shared.runtime.exports import NotExported, draw_lines, hand_lines
from tests.core.cli.exported_deals import (
    ACTIONS,
    ASKED,
    BOARD,
    CARD,
    MADE,
    SHOWN,
    TAKEN,
    VIEWED,
    another_card,
    are_right,
    chained,
    draws,
    edited,
    first_opening,
    hands,
    other,
    read_stream,
    said_of_the_deal,
    tags_of,
    telling,
    without,
)
from tests.core.cli.tournament_world import TOURNAMENT


def test_every_hand_and_every_draw_of_a_tournament_is_right():
    for lines in hands().values():
        (finding,) = findings(export_of(lines))
        assert finding.right, finding
    found = findings(export_of(draws()))
    assert len(found) > 1
    assert all(finding.right for finding in found), found
    assert are_right([*telling(), *draws()])
    written_anew = chained([msgspec.json.decode(line) for line in telling()])
    assert written_anew == list(telling())


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
    (SHOWN, lambda e: e["seats"][0]["openings"].reverse()),
    (SHOWN, lambda e: e.update(hand="hnd_x")),
    (VIEWED, lambda e: e.update(seat=e["seat"] + 1)),
    (VIEWED, lambda e: e["positions"].reverse()),
    (VIEWED, lambda e: e["stated"].update(n=e["stated"]["n"] - 1)),
    ("table.hand-scheduled.v1", lambda e: e["roster"].pop()),
    ("table.hand-scheduled.v1", lambda e: e.update(hand="hnd_x")),
    ("table.hand-shown.v1", lambda e: e["cards"].reverse()),
    ("table.board-dealt.v1", lambda e: e["cards"].reverse()),
    ("table.hands-dealt.v1", lambda e: e.update(root=other(e["root"]))),
    ("table.hands-dealt.v1", lambda e: e["sealed"].reverse()),
    ("table.hands-dealt.v1", lambda e: e.update(hand="hnd_x")),
    ("table.deal-awaited.v1", lambda e: e["roster"].reverse()),
    ("table.deal-awaited.v1", lambda e: e.update(promise="AAAA")),
    ("table.board-awaited.v1", lambda e: e.update(hand="hnd_x")),
    ("table.hand-started.v1", lambda e: e["seats"].reverse()),
    ("table.hand-started.v1", lambda e: e.update(button_seat=e["button_seat"] % 3 + 1)),
    ("table.hand-mucked.v1", lambda e: e.update(seat=e["seat"] + 1)),
    ("table.pot-awarded.v1", lambda e: e["shares"][0].update(seat=9)),
    ("table.hand-ended.v1", lambda e: e["seats"][0].update(stack_chips=1)),
    ("table.hand-ended.v1", lambda e: e.update(hand="hnd_x")),
]


@pytest.mark.parametrize(("tag", "change"), TAMPERED)
def test_a_changed_hand_is_wrong(tag, change):
    lines = telling(SHOWN, VIEWED, BOARD, "table.hand-mucked.v1")
    assert not are_right(edited(lines, tag, change))


@pytest.mark.parametrize(
    "tag",
    [
        CARD,
        BOARD,
        SHOWN,
        VIEWED,
        "table.hand-scheduled.v1",
        "table.hand-started.v1",
        "table.deal-awaited.v1",
        "table.hands-dealt.v1",
        "table.board-awaited.v1",
        "table.board-dealt.v1",
        "table.view-awaited.v1",
        "table.opening-awaited.v1",
        "table.hand-shown.v1",
        "table.hand-mucked.v1",
        "table.pot-awarded.v1",
        "table.hand-ended.v1",
    ],
)
def test_a_fact_that_was_left_out_is_missed(tag):
    assert not are_right(without(telling(SHOWN, VIEWED, BOARD, "table.hand-mucked.v1"), tag))


@pytest.mark.parametrize(
    ("early", "late"), [(BOARD, CARD), ("table.board-dealt.v1", "table.board-awaited.v1")]
)
def test_what_was_opened_before_its_time_is_wrong(early, late):
    commits = [msgspec.json.decode(line) for line in telling(SHOWN, BOARD)]
    one, two = [next(c for c in commits if tag in tags_of(c)) for tag in (early, late)]
    one["events"], two["events"] = two["events"], one["events"]
    assert not are_right(chained(commits))


def test_an_action_before_the_cards_are_committed_to_is_wrong():
    commits = [msgspec.json.decode(line) for line in telling(SHOWN, BOARD)]
    dealt = next(c for c in commits if "table.hands-dealt.v1" in tags_of(c))
    acted = next(c for c in commits if any(tag in ACTIONS for tag in tags_of(c)))
    action = next(e for e in acted["events"] if e["type"] in ACTIONS)
    acted["events"].remove(action)
    dealt["events"].insert(0, action)
    assert not are_right(chained(commits))


def test_a_look_at_cards_while_players_still_bet_is_wrong():
    commits = [msgspec.json.decode(line) for line in telling(SHOWN, VIEWED)]
    (asked,) = [c for c in commits if "table.view-awaited.v1" in tags_of(c)]
    acted = next(c for c in commits if any(tag in ACTIONS for tag in tags_of(c)))
    question = next(e for e in asked["events"] if e["type"] == "table.view-awaited.v1")
    asked["events"].remove(question)
    acted["events"].insert(0, question)
    viewed = next(e for c in commits for e in c["events"] if e["type"] == VIEWED)
    viewed["stated"]["n"] = acted["n"]
    (finding,) = findings(export_of(chained(commits)))
    assert "viewed before the betting was over" in finding.detail


def test_more_than_happened_is_wrong():
    lines = telling(SHOWN, VIEWED, BOARD)
    for tag in (BOARD, SHOWN, VIEWED, CARD, "table.hand-started.v1", "table.hands-dealt.v1"):
        commits = [msgspec.json.decode(line) for line in lines]
        commit = next(c for c in commits if tag in tags_of(c))
        commit["events"].append(next(e for e in commit["events"] if e["type"] == tag))
        assert not are_right(chained(commits)), tag


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
        (TAKEN, lambda e: e.update(purpose="tie 1")),
        (MADE, lambda e: e["order"].pop()),
        (MADE, lambda e: e.update(source="")),
    ],
)
def test_a_changed_draw_is_wrong(tag, change):
    assert not are_right(edited(draws(), tag, change))


def test_a_file_that_lacks_a_line_or_has_one_twice_is_wrong():
    for lines in (*hands().values(), draws()):
        for number, line in enumerate(lines):
            assert not are_right([*lines[:number], *lines[number + 1 :]]), line
            assert not are_right([*lines[:number], line, *lines[number:]]), line


def test_a_file_that_ends_too_early_is_wrong():
    for lines in hands().values():
        for end in range(len(lines)):
            assert not are_right(lines[:end]), end


def test_draws_that_were_asked_for_at_once_or_taken_unasked_are_wrong():
    asked = [msgspec.json.decode(line) for line in draws()]
    first = next(c for c in asked if ASKED in tags_of(c))
    question = next(e for e in first["events"] if e["type"] == ASKED)
    first["events"].append({**question, "purpose": "again"})
    assert not are_right(chained(asked))
    taken = [msgspec.json.decode(line) for line in draws()]
    answer = next(e for c in taken for e in c["events"] if e["type"] == TAKEN)
    next(c for c in taken if ASKED in tags_of(c))["events"].insert(0, answer)
    assert not are_right(chained(taken))


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


BYTES = st.tuples(st.integers(0, 2**20), st.integers(1, 255))


def flipped(data, place, bits):
    place %= len(data)
    return data[:place] + bytes([data[place] ^ bits]) + data[place + 1 :]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(hands())), BYTES)
def test_no_byte_of_a_commit_that_another_follows_can_be_changed(hand, change):
    lines = hands()[hand]
    streams = [msgspec.json.decode(line)["stream"] for line in lines]
    followed = [n for n, stream in enumerate(streams) if stream in streams[n + 1 :]]
    number = followed[change[0] % len(followed)]
    changed = flipped(lines[number], *change).split(b"\n")
    assert not are_right([*lines[:number], *changed, *lines[number + 1 :]])


@settings(max_examples=600, deadline=None)
@given(st.sampled_from([*sorted(hands()), TOURNAMENT]), BYTES)
def test_a_file_with_any_byte_changed_is_wrong_or_says_the_same_of_the_deal(which, change):
    """The last commit of a stream has no successor: the other side holds what it says."""
    lines = draws() if which == TOURNAMENT else hands()[which]
    changed = [line for line in flipped(b"\n".join(lines), *change).split(b"\n") if line]
    if are_right(changed):
        assert said_of_the_deal(changed) == said_of_the_deal(lines)


@given(st.integers(0, 600), st.randoms(use_true_random=False))
def test_an_outsider_makes_the_same_order_of_the_same_bytes(count, chance):
    order, source = drawn_from(count, iter(lambda: chance.randbytes(256), b""))
    assert order_made_of(count, source) == order
    if source:
        assert order_made_of(count, source[:-1]) is None
        assert order_made_of(count, source + b"\x00") is None
