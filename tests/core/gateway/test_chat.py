"""Chat at the gateway: who is let speak, who hears it, and what operators can read afterwards."""

import msgspec
import pytest

from services.gateway.shell.conduct import Conducts
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.moves import AnyWord, command_of, table_of
from services.gateway.shell.news import News
from services.gateway.shell.progress import Progress
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.tables import Tables
from services.gateway.shell.time_limits import TimeLimits
from shared.contracts.table import Said, Say
from shared.contracts.wallet import (
    ChatResumed,
    ChatSuspended,
    MoneyDeposited,
    PlayerWarned,
    WarningMailed,
)
from tests.core.gateway.facts import TABLES, WALLET, Lines
from tests.core.gateway.test_models import (
    ANN,
    BOB,
    CID_COMES,
    OPENED,
    SCHEDULED,
    STARTED,
    TBL,
    Heard,
    NoCards,
    tables_after,
    tables_told,
)

UNTIL_MS = 1_800_000_000_000
STEP = {"player": ANN, "author": "carla", "reason": "vulgar chat"}
WARNED = PlayerWarned(**STEP, number=1)
MAILED = WarningMailed(player=ANN, number=1)
SILENCED = ChatSuspended(**STEP, until_ms=UNTIL_MS)
FOR_GOOD = ChatSuspended(**STEP, until_ms=None)
RESUMED = ChatResumed(**STEP)
HELLO = Said(player=ANN, seat=1, text="hello", at_ms=1)


def conducts_after(*events):
    lines, conducts = Lines(), Conducts()
    for event in events:
        conducts.fold(lines.commit(WALLET, "journal", event))
    return conducts


def may_speak(conducts, now_ms, player=ANN):
    try:
        conducts.let_speak(player, now_ms)
    except Refusal as refusal:
        return (refusal.reason, refusal.detail)
    return True


SUSPENDED = ("chat_suspended", "until 2027-01-15T08:00:00.000Z")
SILENCE = [
    # events, at, answer
    ((), UNTIL_MS, True),
    ((WARNED,), UNTIL_MS, True),
    ((WARNED, SILENCED), UNTIL_MS - 1, SUSPENDED),
    ((WARNED, SILENCED), UNTIL_MS, True),
    ((WARNED, SILENCED, RESUMED), 0, True),
    ((WARNED, FOR_GOOD), UNTIL_MS, ("chat_suspended", "for good")),
    ((WARNED, FOR_GOOD, SILENCED), UNTIL_MS, True),
    ((WARNED, SILENCED, FOR_GOOD), UNTIL_MS, ("chat_suspended", "for good")),
]


@pytest.mark.parametrize(("events", "now_ms", "answer"), SILENCE)
def test_whose_chat_is_suspended_is_not_heard_until_it_is_over(events, now_ms, answer):
    conducts = conducts_after(*events)
    assert may_speak(conducts, now_ms) == answer
    assert may_speak(conducts, now_ms, BOB) is True


def test_the_history_has_every_step_as_it_was_recorded_and_nothing_else():
    other = ChatSuspended(**{**STEP, "player": BOB}, until_ms=None)
    paid = MoneyDeposited(player=ANN, amount_cents=1, reference="r", postings=())
    conducts = conducts_after(WARNED, paid, other, MAILED, SILENCED)
    read = [msgspec.json.decode(text) for text in conducts.history(ANN)]
    assert [fact["event"]["type"] for fact in read] == [
        "wallet.player-warned.v1",
        "wallet.warning-mailed.v1",
        "wallet.chat-suspended.v1",
    ]
    assert read[0]["event"]["author"] == "carla"
    assert (read[2]["line"], read[2]["number"]) == ("wallet-0", 5)
    assert conducts.history("ply_z") == []


def test_a_message_is_heard_by_the_table_but_by_no_socket_that_hides_its_player():
    lines, sessions = Lines(), Sessions()
    news = News(Lobby(), Tables(), sessions, NoCards(), Progress(), TimeLimits(), Conducts())
    ann, bob, deaf = Heard(ANN), Heard(BOB), Heard(BOB)
    for session in (ann, bob, deaf):
        sessions.add(session)
    news.take(lines.commit(TABLES, TBL, OPENED))
    deaf.hidden.add(ANN)
    news.take(lines.commit(TABLES, TBL, HELLO))
    deaf.hidden.discard(ANN)
    news.take(lines.commit(TABLES, TBL, HELLO))
    assert ann.types().count("said") == bob.types().count("said") == 2
    assert deaf.types().count("said") == 1


def test_hiding_a_player_hides_no_fact_of_play():
    lines, sessions = Lines(), Sessions()
    news = News(Lobby(), Tables(), sessions, NoCards(), Progress(), TimeLimits(), Conducts())
    session = Heard(BOB)
    session.hidden.add(ANN)
    sessions.add(session)
    for event in (OPENED, SCHEDULED, STARTED, CID_COMES):
        news.take(lines.commit(TABLES, TBL, event))
    facts = ["table-opened", "hand-scheduled", "hand-started", "seat-taken"]
    assert session.types() == ["snapshot", *facts]


def test_chat_stands_in_no_snapshot():
    assert tables_after(SCHEDULED, STARTED, HELLO).told == tables_after(SCHEDULED, STARTED).told


def test_who_sits_at_one_table_needs_no_name_for_it():
    said = msgspec.convert({"do": "say", "text": "hello"}, AnyWord)
    assert table_of(said, ANN, tables_told()) == TBL
    assert command_of(said, ANN) == Say(player=ANN, text="hello")
    named = msgspec.convert({"do": "say", "text": "hello", "table": "tbl_2"}, AnyWord)
    assert table_of(named, ANN, tables_told()) == "tbl_2"


@pytest.mark.parametrize("tables", [Tables(), None])
def test_who_sits_nowhere_or_at_several_tables_is_told_so(tables):
    said = msgspec.convert({"do": "say", "text": "hello"}, AnyWord)
    if tables is None:
        tables = tables_told()
        other = msgspec.structs.replace(OPENED, table="tbl_2")
        tables.fold(Lines().commit(TABLES, "tbl_2", other))
    with pytest.raises(Refusal) as refusal:
        table_of(said, ANN, tables)
    assert refusal.value.reason == ("unknown_table" if tables.of(ANN) else "not_seated")
