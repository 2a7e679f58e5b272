"""Exports of an in-memory tournament, and what somebody may do to them before they are judged."""

import asyncio
from functools import cache

import msgspec

from services.cli.deal.file import NotAnExport, export_of
from services.cli.deal.judging import findings
from shared.contracts.commit import hash_of
from shared.contracts.director import DirectorEvent, DrawAwaited, DrawTaken
from shared.runtime.exports import draw_lines, hand_lines
from shared.runtime.ports import Line
from tests.core.cli.tournament_world import TOURNAMENT, World, copies_of

CARD, SHOWN, BOARD = "dealer.deck-committed.v1", "dealer.seats-opened.v1", "dealer.board-opened.v1"
VIEWED = "dealer.seat-viewed.v1"
MADE, ASKED, TAKEN = "dealer.draw-made.v1", "director.draw-awaited.v1", "director.draw-taken.v1"
ACTIONS = {f"table.player-{did}.v1" for did in ("folded", "checked", "called", "raised")}
OF_DRAWS = (DrawAwaited, DrawTaken)
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
    """Change the first event of a kind, and write the file anew from there, chains and all."""
    commits = [msgspec.json.decode(line) for line in lines]
    change(next(e for commit in commits for e in commit["events"] if e["type"] == tag))
    return chained(commits)


def chained(commits):
    """Write commits as somebody would who can make every hash right."""
    lines, ends = [], {}
    for commit in commits:
        n, prev = ends.get(commit["stream"], (commit["n"] - 1, commit["prev"]))
        if n == commit["n"] - 1:
            commit["prev"] = prev
        lines.append(msgspec.json.encode(commit))
        ends[commit["stream"]] = commit["n"], hash_of(lines[-1]).hex()
    return lines


def without(lines, tag):
    """Drop the first event of a kind, and number and chain all others anew."""
    commits = [msgspec.json.decode(line) for line in lines]
    commit = next(c for c in commits if any(e["type"] == tag for e in c["events"]))
    commit["events"].remove(next(e for e in commit["events"] if e["type"] == tag))
    return chained(commits)


def tags_of(commit):
    return [event["type"] for event in commit["events"]]


NOT_OF_THE_DEAL = {
    "reason": "",
    "vault_key": "",
    "sealed_deck": b"",
    "auto": "",
    "tournament": "",
    "pot": 0,
    "number": 0,
    "out": False,
}


def said_of_the_deal(lines):
    """All that the facts of a file say of cards, seats and draws."""
    facts = export_of(lines).history.facts
    return sorted(
        (fact.stream, fact.n, plain(fact.event))
        for of_service in facts.values()
        for fact in of_service
        if not isinstance(fact.event, DirectorEvent) or isinstance(fact.event, OF_DRAWS)
    )


def plain(event):
    """Write an event without what only another copy of the commit holds."""
    fields = {name: value for name, value in NOT_OF_THE_DEAL.items() if hasattr(event, name)}
    return repr(msgspec.structs.replace(event, **fields))


def first_opening(event):
    return event["openings"][0] if "openings" in event else event["seats"][0]["openings"][0]


def other(text):
    """The same length, another value."""
    return ("A" if text[0] != "A" else "B") + text[1:]


def another_card(opening):
    opening["card"] = "2c" if opening["card"] != "2c" else "3c"
