"""Conduct end to end: chat at a table, and what operators do about it, over real engines."""

import asyncio
import mailbox
import time
from typing import Any

import pytest

from tests.integration.gateway.guests import PERSON, PRICE_CENTS, SECONDS, terms

REASON = {"reason": "insults in the chat"}


class Desk:
    """An operator who looks after one player."""

    def __init__(self, house, player: str) -> None:
        self._http = house.operator
        self._path = f"/api/operator/players/{player}/conduct"

    async def reads(self) -> dict[str, Any]:
        answer = await self._http.get(self._path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def does(self, step: str, **more: Any) -> dict[str, Any]:
        answer = await self._http.post(f"{self._path}/{step}", json={**REASON, **more})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def ends(self, step: str):
        return await self._http.delete(f"{self._path}/{step}", params=REASON)


async def recorded(desk: Desk, kind: str) -> dict[str, Any]:
    """Wait until the history has a fact of this kind, and return it."""
    async with asyncio.timeout(SECONDS):
        while True:
            for fact in (await desk.reads())["history"]:
                if fact["event"]["type"] == f"wallet.{kind}.v1":
                    return dict(fact["event"])
            await asyncio.sleep(0.05)


def kinds(conduct: dict[str, Any]) -> list[str]:
    return [fact["event"]["type"].split(".")[1] for fact in conduct["history"]]


async def said(guest, text: str):
    """Say something until it is no longer too soon."""
    while True:
        await guest.say(do="say", text=text)
        answer = await guest.answer()
        if answer.get("reason") != "too_many_messages":
            return answer
        await asyncio.sleep(0.05)


def told(guest, text: str) -> bool:
    return any(message.get("event", {}).get("text") == text for message in guest.heard)


async def heard(guest, text: str) -> None:
    """Listen until somebody has said this, perhaps before."""
    while not told(guest, text):
        await guest.hear()


# --- chat -------------------------------------------------------------------------------------


async def test_what_is_said_is_heard_at_the_table_and_logged(table, written):
    await written.begin()
    answer = await said(table.actor, "hello, è la mano buona")
    assert answer["answer"] == "accepted"
    for guest in (table.actor, table.other):
        await heard(guest, "hello, è la mano buona")
    (commit,) = await written.by_people()
    assert (commit.stream, commit.by.id) == (table.table, table.actor.player)
    assert b"table.said.v1" in bytes(commit.events[0])


async def test_chat_goes_over_http_too_and_not_too_fast(table):
    path = f"/api/tables/{table.table}/chat"
    first = await table.actor.http.post(path, json={"text": "hello"})
    assert first.status_code == 200, first.text
    (event,) = first.json()["events"]
    assert (event["text"], event["player"]) == ("hello", table.actor.player)
    await heard(table.other, "hello")
    again = await table.actor.http.post(path, json={"text": "hello?"})
    assert (again.status_code, again.json()["reason"]) == (429, "too_many_messages")
    blank = await table.actor.http.post(path, json={"text": " "})
    assert (blank.status_code, blank.json()["reason"]) == (422, "text_invalid")


async def test_a_stranger_is_not_heard(table, guest):
    answer = await guest.http.post(f"/api/tables/{table.table}/chat", json={"text": "hello"})
    assert (answer.status_code, answer.json()["reason"]) == (403, "not_seated")


async def test_bp_chat_others_messages_can_be_hidden_and_shown_again(table):
    """A later message that the listener hears proves that the hidden one was passed over."""
    talker, listener = table.actor, table.other
    await listener.say(do="hide", player=talker.player)
    assert (await listener.answer())["answer"] == "accepted"
    assert (await said(talker, "psst"))["answer"] == "accepted"
    await heard(talker, "psst")
    assert (await said(listener, "anybody?"))["answer"] == "accepted"
    await heard(listener, "anybody?")
    assert not told(listener, "psst")
    await listener.say(do="unhide", player=talker.player)
    await listener.answer()
    assert (await said(talker, "me"))["answer"] == "accepted"
    await heard(listener, "me")


# --- suspensions ------------------------------------------------------------------------------


async def test_pp_conduct_a_suspended_chat_counts_at_the_next_message(house, table):
    player = table.actor
    desk = Desk(house, player.player)
    assert (await said(player, "hello"))["answer"] == "accepted"
    await desk.does("warning")
    until_ms = time.time_ns() // 1_000_000 + 3_600_000
    conduct = await desk.does("chat-suspension", until_ms=until_ms)
    assert conduct["account"]["chat_suspended"] == {"until_ms": until_ms, **REASON}
    answer = await said(player, "and what now?")
    assert (answer["answer"], answer["reason"]) == ("refused", "chat_suspended")
    assert answer["detail"].startswith("until 2")
    path = f"/api/tables/{table.table}/chat"
    over_http = await player.http.post(path, json={"text": "and here?"})
    assert (over_http.status_code, over_http.json()["reason"]) == (403, "chat_suspended")
    assert (await said(table.other, "good"))["answer"] == "accepted"
    assert (await player.http.get("/api/me")).json()["chat_suspended"]["until_ms"] == until_ms
    assert (await desk.ends("chat-suspension")).status_code == 200
    assert (await said(player, "thank you"))["answer"] == "accepted"


async def test_pp_conduct_what_has_an_end_ends_by_itself(house, guest):
    desk = Desk(house, guest.player)
    await desk.does("warning")
    await desk.does("play-suspension", until_ms=time.time_ns() // 1_000_000 + 1_000)
    resumed = await recorded(desk, "play-resumed")
    assert (resumed["author"], resumed["reason"]) == ("", "its time is over")
    assert (await desk.reads())["account"]["play_suspended"] is None


async def test_pp_conduct_who_is_suspended_from_play_enters_nothing(house, guest):
    desk = Desk(house, guest.player)
    await desk.does("warning")
    await desk.does("play-suspension")
    tournament = await house.announce(terms())
    entry = f"/api/tournaments/{tournament}/entries"
    refused = await guest.http.post(entry)
    assert (refused.status_code, refused.json()["reason"]) == (409, "play_suspended")
    me = (await guest.http.get("/api/me")).json()
    assert (me["cash_cents"], me["held_cents"]) == (PRICE_CENTS, 0)
    assert me["play_suspended"] == {"until_ms": None, **REASON}
    assert (await desk.ends("play-suspension")).status_code == 200
    assert (await guest.http.post(entry)).status_code == 201


async def test_pp_conduct_the_history_tells_who_did_what_and_why(house, guest):
    desk = Desk(house, guest.player)
    for step in ("warning", "chat-suspension", "closure-request", "report"):
        await desk.does(step)
    conduct = await desk.does("report", reason="something else")
    steps = [kind for kind in kinds(conduct) if not kind.startswith("warning")]
    reports = ["reported-to-authorities"] * 2
    assert steps == ["player-warned", "chat-suspended", "closure-asked", *reports]
    decided = [fact["event"] for fact in conduct["history"] if "author" in fact["event"]]
    assert {event["author"] for event in decided} == {"operator"}
    assert decided[-1]["reason"] == "something else"
    assert conduct["history"][0]["at"].startswith("2")


# --- the warning ------------------------------------------------------------------------------


async def test_pp_conduct_a_warning_goes_out_by_e_mail(house, guest, platform):
    desk = Desk(house, guest.player)
    conduct = await desk.does("warning")
    assert (conduct["account"]["warnings"], kinds(conduct)[0]) == (1, "player-warned")
    assert (await recorded(desk, "warning-mailed"))["number"] == 1
    outbox = mailbox.Maildir(platform.home / "outbox", create=False)
    (letter,) = [one for one in outbox if guest.player in one["Message-ID"]]
    assert PERSON.email in letter["To"]
    assert REASON["reason"] in letter.get_payload(decode=True).decode()


async def test_pp_conduct_a_warning_that_nobody_can_deliver_says_so(house):
    stranger = await house.stranger("Bob")
    desk = Desk(house, stranger.player)
    await desk.does("warning")
    assert (await recorded(desk, "warning-not-mailed"))["why"] == "address_unknown"
    assert (await desk.does("chat-suspension"))["account"]["warnings"] == 1


@pytest.mark.parametrize("step", ["chat-suspension", "play-suspension"])
async def test_what_is_not_suspended_cannot_be_resumed(house, guest, step):
    answer = await Desk(house, guest.player).ends(step)
    assert (answer.status_code, answer.json()["reason"]) == (409, "not_suspended")


async def test_resuming_needs_a_reason(house, guest):
    path = f"/api/operator/players/{guest.player}/conduct/chat-suspension"
    answer = await house.operator.delete(path)
    assert (answer.status_code, answer.json()["reason"]) == (400, "malformed")
