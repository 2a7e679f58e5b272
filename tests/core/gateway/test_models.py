"""The read models folded from facts, and who is told what."""

import msgspec
import pytest
from msgspec.structs import replace

from services.gateway.shell.conduct import Conducts
from services.gateway.shell.facts import told
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.news import News
from services.gateway.shell.progress import Progress
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Table, Tables
from services.gateway.shell.time_limits import TimeLimits
from services.gateway.shell.tournament import CurrentLevel
from shared.contracts import hand as hands
from shared.contracts.commit import Actor
from shared.contracts.director import (
    ClockExtended,
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    Level,
    LevelBegan,
    Placing,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Terms,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
    WinnersPrizes,
)
from shared.contracts.hand import HandEnded, HandScheduled, HandStarted, SeatAtEnd, SeatStack
from shared.contracts.table import (
    PlayerCameBack,
    PlayerWentOut,
    SeatTaken,
    SeatVacated,
    TableClosed,
    TableOpened,
)
from shared.contracts.wallet import ParticipationIdIssued, PrizePaid, SessionIdIssued
from shared.poker.rule_sets import BIG_HOLDEM
from shared.runtime.follow import Fact
from shared.runtime.supervisor import LineStopped
from tests.core.gateway.facts import DIRECTOR, TABLES, WALLET, Lines

GATEWAY = Actor("service", "gateway")
TRN, TBL, HND = "trn_1", "tbl_1_1", "hnd_1_1_1"
ANN, BOB, CID = "ply_a", "ply_b", "ply_c"
SEATS = (SeatStack(1, ANN, 500), SeatStack(3, BOB, 500))
OPENED = TableOpened(
    tournament=TRN,
    table=TBL,
    rule_set=BIG_HOLDEM,
    seats_max=6,
    action_ms=1_000,
    button_seat=1,
    seats=SEATS,
)
WENT_OUT = PlayerWentOut(player=BOB, seat=3)
SCHEDULED = HandScheduled(
    hand=HND,
    number=1,
    small_blind_chips=10,
    big_blind_chips=20,
    ante_chips=0,
    roster=(),
    not_before_ms=0,
)
STARTED = HandStarted(
    hand=HND,
    number=1,
    small_blind_chips=10,
    big_blind_chips=20,
    ante_chips=0,
    button_seat=1,
    small_blind_seat=1,
    big_blind_seat=3,
    seats=SEATS,
)
ENDED = HandEnded(
    tournament=TRN,
    table=TBL,
    hand=HND,
    number=1,
    button_seat=1,
    small_blind_seat=1,
    big_blind_seat=3,
    seats=(SeatAtEnd(1, ANN, 1_000, out=False), SeatAtEnd(3, BOB, 0, out=False)),
)
TURN = hands.TurnStarted(
    seat=3, decision=1, act_by_ms=20_000, call_chips=10, min_raise_to=40, max_raise_to=500
)
TURN_EXTENDED = hands.ClockExtended(
    seat=3, decision=1, down_from_ms=5_000, up_at_ms=9_000, by_ms=4_000, act_by_ms=24_000
)
CID_COMES = SeatTaken(tournament=TRN, table=TBL, seat=5, player=CID, stack_chips=700)
TERMS = Terms(
    name="Evening",
    rule_set="big_holdem",
    entries=2,
    seats=6,
    fee_cents=1_000,
    commission_cents=100,
    starting_chips=500,
    levels=(Level(10, 20),),
    level_hands=5,
    prizes=WinnersPrizes((10_000,)),
)
CREATED = TournamentCreated(tournament=TRN, terms=TERMS, rule_set=BIG_HOLDEM)


def entry_of(player: str) -> dict[str, str]:
    return {"tournament": TRN, "entry": f"{TRN}/{player}/1", "player": player}


def requested(player: str) -> EntryRequested:
    return EntryRequested(
        **entry_of(player), fee_cents=1_000, commission_cents=100, deadline_ms=10_000
    )


def registered(player: str) -> PlayerRegistered:
    return PlayerRegistered(**entry_of(player), fee_cents=1_000, commission_cents=100)


def tables_told(*events, by=None) -> Tables:
    lines, tables = Lines(), Tables()
    tables.fold(lines.commit(TABLES, TBL, OPENED))
    for event in events:
        tables.fold(lines.commit(TABLES, TBL, event, by=by))
    return tables


def tables_after(*events, by=None) -> Table:
    table = tables_told(*events, by=by).get(TBL)
    assert table is not None
    return table


def lobby_after(*events) -> Lobby:
    lines, lobby = Lines(), Lobby()
    for event in (CREATED, *events):
        of_wallet = isinstance(event, PrizePaid | SessionIdIssued | ParticipationIdIssued)
        line, stream = (WALLET, "journal") if of_wallet else (DIRECTOR, TRN)
        lobby.fold(lines.commit(line, stream, event))
    return lobby


def test_a_snapshot_has_the_seats_and_the_facts_of_the_hand_so_far():
    table = tables_after(SCHEDULED, STARTED, CID_COMES)
    snapshot = msgspec.json.decode(table.snapshot())["snapshot"]
    assert (snapshot["table"], snapshot["hand"], snapshot["line"]) == (TBL, HND, "table-0")
    assert (snapshot["number"], snapshot["n"]) == (4, 4)
    assert [seat["player"] for seat in snapshot["seats"]] == [ANN, BOB, CID]
    types = [fact["event"]["type"] for fact in snapshot["facts"]]
    assert types == ["table.hand-scheduled.v1", "table.hand-started.v1"]
    assert snapshot["facts"][1]["n"] == 3


def test_who_comes_in_the_middle_of_a_turn_is_told_of_the_time_given_back():
    table = tables_after(SCHEDULED, STARTED, TURN, TURN_EXTENDED)
    facts = msgspec.json.decode(table.snapshot())["snapshot"]["facts"]
    assert [fact["event"]["act_by_ms"] for fact in facts[2:]] == [20_000, 24_000]


def test_after_a_hand_stacks_are_new_and_who_has_no_chips_is_gone():
    table = tables_after(SCHEDULED, STARTED, ENDED)
    assert {seat.player: seat.stack_chips for seat in table.seats.values()} == {ANN: 1_000}
    assert (table.hand, table.told) == (None, [])


def test_who_set_a_player_out_stands_in_the_commit():
    for actor in (GATEWAY, Actor("player", BOB)):
        tables = tables_told(WENT_OUT, by=actor)
        table = tables.get(TBL)
        assert (table.seats[3].out, tables.out_by(table, BOB)) == (True, actor)
    tables = tables_told(WENT_OUT, PlayerCameBack(player=BOB, seat=3), by=GATEWAY)
    table = tables.get(TBL)
    assert (table.seats[3].out, tables.out_by(table, BOB)) == (False, None)


def test_who_set_a_player_out_goes_along_to_the_next_table():
    tables = tables_told(WENT_OUT, by=GATEWAY)
    lines = Lines()
    taken = SeatTaken(
        tournament=TRN, table="tbl_1_2", seat=5, player=BOB, stack_chips=500, out=True
    )
    opened = replace(OPENED, table="tbl_1_2", seats=())
    tables.fold(lines.commit(TABLES, "tbl_1_2", opened))
    tables.fold(lines.commit(TABLES, "tbl_1_2", taken))
    table = tables.get("tbl_1_2")
    assert (table.seats[5].out, tables.out_by(table, BOB)) == (True, GATEWAY)


def test_players_are_found_at_their_tables_until_they_leave_or_it_closes():
    lines, tables = Lines(), Tables()
    tables.fold(lines.commit(TABLES, TBL, OPENED))
    assert [table.table for table in tables.of(BOB)] == [TBL]
    vacated = SeatVacated(tournament=TRN, table=TBL, seat=3, player=BOB, stack_chips=500)
    tables.fold(lines.commit(TABLES, TBL, vacated))
    assert tables.of(BOB) == []
    tables.fold(lines.commit(TABLES, TBL, TableClosed(tournament=TRN, table=TBL)))
    assert (tables.of(ANN), tables.get(TBL), tables.open()) == ([], None, [])


@pytest.mark.parametrize(
    "late", [PlayerWentOut(player=BOB, seat=3), PlayerCameBack(player=BOB, seat=3)]
)
def test_what_a_table_tells_after_it_has_closed_opens_it_for_nobody(late):
    lines, tables = Lines(), Tables()
    tables.fold(lines.commit(TABLES, TBL, OPENED))
    tables.fold(lines.commit(TABLES, TBL, TableClosed(tournament=TRN, table=TBL)))
    tables.fold(lines.commit(TABLES, TBL, late))
    assert (tables.of(BOB), tables.get(TBL), tables.open()) == ([], None, [])


def test_pp_lobby_the_pool_grows_with_every_entry():
    lobby = lobby_after(requested(ANN), registered(ANN), requested(BOB))
    known = lobby.get(TRN)
    assert known is not None
    assert (known.pool_cents, known.players_left, list(known.entries)) == (1_000, 1, [ANN])
    assert list(lobby.audience(TRN)) == [ANN, BOB]


@pytest.mark.parametrize(
    "end",
    [
        EntryDeclined(**entry_of(ANN), reason="insufficient_funds"),
        EntryExpired(**entry_of(ANN)),
        PlayerUnregistered(**entry_of(ANN), refund_cents=1_100),
    ],
)
def test_an_entry_that_is_over_leaves_nothing(end):
    before = [requested(ANN)]
    if isinstance(end, PlayerUnregistered):
        before.append(registered(ANN))
    lobby = lobby_after(*before, end)
    known = lobby.get(TRN)
    assert known is not None
    assert (known.pool_cents, known.entries, known.pending) == (0, {}, {})
    assert lobby.of(ANN) == []


async def test_who_waits_for_an_outcome_hears_of_this_player_only():
    lines, lobby = Lines(), Lobby()
    with lobby.outcomes(TRN, ANN) as outcomes:
        for event in (CREATED, requested(ANN), requested(BOB), registered(BOB), registered(ANN)):
            lobby.fold(lines.commit(DIRECTOR, TRN, event))
        assert outcomes.get_nowait() == registered(ANN)
        assert outcomes.empty()


def test_pp_lobby_the_end_of_a_level_is_put_off_by_what_is_given_back():
    began = LevelBegan(tournament=TRN, number=2, level=Level(10, 20), ends_at_ms=60_000)
    extended = [
        ClockExtended(
            tournament=TRN,
            level_number=2,
            down_from_ms=down,
            up_at_ms=down + 1_000,
            by_ms=1_000,
            ends_at_ms=ends,
        )
        for down, ends in ((3_000, 61_000), (9_000, 62_000))
    ]
    known = lobby_after(began, *extended).get(TRN)
    assert known is not None
    assert known.level == CurrentLevel(2, Level(10, 20), 62_000)


def test_a_tournament_ends_with_places_prizes_and_what_was_paid():
    started = TournamentStarted(tournament=TRN, players=2, pool_cents=2_000, prizes_cents=(2_000,))
    level = LevelBegan(tournament=TRN, number=2, level=Level(10, 20), ends_at_ms=None)
    out = PlayerEliminated(tournament=TRN, player=BOB, table=TBL, hand=HND, place=2)
    due = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=2_000)
    paid = PrizePaid(
        tournament=TRN, place=1, player=ANN, amount_cents=2_000, credited="cash", postings=()
    )
    finished = TournamentFinished(
        tournament=TRN, places=(Placing(1, ANN, 2_000), Placing(2, BOB, 0))
    )
    entries = [requested(ANN), registered(ANN), requested(BOB), registered(BOB)]
    lobby = lobby_after(paid, *entries, started, level, out, due, finished)
    known = lobby.get(TRN)
    assert known is not None
    assert (known.status, known.players_left, known.pool_cents) == ("finished", 1, 2_000)
    results = {player: (r.place, r.prize_cents) for player, r in known.results.items()}
    assert results == {ANN: (1, 2_000), BOB: (2, 0)}
    assert known.level is not None
    assert known.level.number == 2
    assert lobby.is_paid(TRN, 1, ANN)
    assert not lobby.is_paid(TRN, 2, BOB)
    assert lobby.of(ANN) == []


def test_the_regulators_ids_are_known_from_the_moment_that_they_are_issued():
    """BP-REGULATOR-IDS: both ids are shown with the game."""
    entry = entry_of(ANN)["entry"]
    session = SessionIdIssued(tournament=TRN, session_id="M1")
    right = ParticipationIdIssued(tournament=TRN, entry=entry, player=ANN, participation_id="N1")
    lobby = lobby_after(session, right)
    assert (lobby.regulator_id(TRN), lobby.regulator_id(entry)) == ("M1", "N1")
    assert lobby_after().regulator_id(TRN) == ""


class NoCards:
    """Stands where the dealer would be asked: nobody is, in these tests."""

    def dealt(self, table: Table) -> None: ...

    def entered(self, session: Session) -> None: ...

    def ended(self, hand: str) -> None: ...


def test_facts_go_to_those_at_the_table_and_newcomers_get_it_as_it_was():
    lines, sessions, tables = Lines(), Sessions(), Tables()
    news = News(Lobby(), tables, sessions, NoCards(), Progress(), TimeLimits(), Conducts())
    heard = {player: Heard(player) for player in (ANN, BOB, CID)}
    for session in heard.values():
        sessions.add(session)
    news.take(lines.commit(TABLES, TBL, OPENED))
    news.take(lines.commit(TABLES, TBL, SCHEDULED, STARTED))
    news.take(lines.commit(TABLES, TBL, TURN))
    news.take(lines.commit(TABLES, TBL, TURN_EXTENDED))
    news.take(lines.commit(TABLES, TBL, CID_COMES))
    news.take(lines.commit(TABLES, TBL, ENDED))
    news.take(lines.commit(TABLES, TBL, PlayerWentOut(player=CID, seat=5)))
    hand = ["hand-scheduled", "hand-started", "turn-started", "clock-extended"]
    assert heard[ANN].types() == [
        *("snapshot", "table-opened", *hand, "seat-taken", "hand-ended", "player-went-out")
    ]
    assert heard[BOB].types() == ["snapshot", "table-opened", *hand, "seat-taken", "hand-ended"]
    assert heard[CID].types() == ["snapshot", "seat-taken", "hand-ended", "player-went-out"]
    assert heard[CID].snapshot_players() == [ANN, BOB]


class Heard(Session):
    """A session that keeps what it is told."""

    def __init__(self, player: str) -> None:
        super().__init__(player, 100)
        self.messages: list[dict] = []

    def push(self, texts) -> None:
        self.messages += [msgspec.json.decode(text) for text in texts]

    def types(self) -> list[str]:
        return [
            message["event"]["type"].split(".")[1] if "event" in message else next(iter(message))
            for message in self.messages
        ]

    def snapshot_players(self) -> list[str]:
        return [seat["player"] for seat in self.messages[0]["snapshot"]["seats"]]


def test_an_event_of_a_newer_build_is_passed_on_and_a_broken_one_stops_the_line():
    data = b'{"stream":"tbl_1","n":1,"at":"","by":{"kind":"service","id":"x"},"cause":{},'
    data += b'"saga":null,"build":"","prev":"","events":[%s]}'
    newer = told(TABLES, Fact(1, data % b'{"type":"table.sang.v1","song":1}'))
    assert newer.facts[0].event is None
    assert msgspec.json.decode(newer.facts[0].text)["event"] == {"type": "table.sang.v1", "song": 1}
    for broken in (b'{"type":"table.table-closed.v1"}', b"{}", b"7"):
        with pytest.raises(LineStopped):
            told(TABLES, Fact(1, data % broken))
