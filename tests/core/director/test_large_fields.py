"""The largest field, played, given up before it starts and while it runs: every event fits."""

from collections import Counter

import msgspec
import pytest

from services.director.core import HaltReported, part_of, sheet_in_full
from services.director.core.state import LISTED_MAX
from services.director.core.terms import ENTRIES_MAX, problems
from shared.contracts.director import (
    ApproveSheet,
    BigShoot,
    BountyDue,
    CancelTournament,
    CutTold,
    DrawAwaited,
    DrawTaken,
    EntriesClosed,
    PayoutDue,
    PlacesTold,
    PlayerBusted,
    PlayerUnregistered,
    ReadSheet,
    Register,
    SatellitePrizes,
    SheetFinal,
    Stage,
    TournamentFinished,
    TournamentStarted,
    WaitingListClosed,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import TableHalted
from shared.kernel.money import AMOUNT_CENTS_MAX
from shared.runtime.deciding import EVENTS_BYTES_MAX
from tests.core.director.director_play import START_MS, terms
from tests.core.director.large_field import TOURNAMENT, Field, name_of

UPSTREAM = "table-63"
MESSAGE_BYTES_MAX = 1024 * 1024  # What NATS carries.
PLACES = (PlacesTold, TournamentFinished)
GIVE_UP = CancelTournament(author="ops_1", reason="the power is gone")


def page_bytes(field):
    """Measure a page of the sheet, as an operator reads it."""
    sheet = sheet_in_full(field.state)
    return len(msgspec.json.encode(part_of(sheet, ReadSheet(limit=500))))


class Heard:
    """Keeps what a test looks at of a large field's events; none is too large for a commit."""

    def __init__(self, *kept):
        self.kept, self.events, self.counts = kept, [], Counter()

    def __call__(self, event):
        assert len(msgspec.json.encode(event)) < EVENTS_BYTES_MAX, type(event)
        self.counts[type(event)] += 1
        if isinstance(event, self.kept):
            self.events.append(event)

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]


def halted(field):
    """Every table halts, far on in its line."""
    for number, table in enumerate(tuple(field.state.tables.values())):
        hand = f"hnd_{field.state.token}_{table.number}_{table.hand}"
        fact = TableHalted(
            tournament=TOURNAMENT,
            table=table.table,
            hand=hand if table.playing else "",
            seats=table.seats,
        )
        field.tell(HaltReported(fact, UPSTREAM, 90_000_000 + number))


def test_ten_thousand_play_to_the_last_and_all_places_are_told_in_parts():
    heard = Heard(TournamentStarted, DrawAwaited, DrawTaken, PlacesTold, TournamentFinished)
    field = Field(ENTRIES_MAX, heard).enter()
    field.play()
    (started,) = heard.of(TournamentStarted)
    asked, taken = heard.of(DrawAwaited)[0], heard.of(DrawTaken)[0]
    assert started.players == asked.count == len(taken.order) == ENTRIES_MAX
    assert (asked.purpose, asked.candidates, taken.candidates) == ("seats", (), ())
    *told, finished = heard.of(PLACES)
    assert [type(event) for event in (*told, finished)] == [PlacesTold] * 4 + [TournamentFinished]
    places = [placing.place for event in (finished, *told) for placing in event.places]
    assert places == list(range(1, ENTRIES_MAX + 1))
    ranked = [placing for event in (finished, *told) for placing in event.places]
    assert {placing.player for placing in ranked} == {*field.state.registered}
    assert sum(placing.prize_cents for placing in ranked) == ENTRIES_MAX * 1_000
    assert tuple(ranked) == tuple(field.state.places.values())


def test_who_sits_where_follows_from_the_draw_and_the_order_of_the_ids():
    heard = Heard(DrawTaken)
    field = Field(ENTRIES_MAX, heard).enter()
    taken = heard.of(DrawTaken)[0]
    drawn = [name_of(index) for index in taken.order]
    tables = field.state.tables.values()
    assert [seat.player for table in tables for seat in table.seats] == drawn


def test_nearly_everybody_wins_a_satellite_and_thousands_tie_for_a_place():
    """PP-TIES: whoever goes out of one round with as many chips is drawn from, by number."""
    heard = Heard(DrawAwaited, PlacesTold, TournamentFinished)
    prizes = SatellitePrizes(winners=9_900)
    field = Field(ENTRIES_MAX, heard, prizes=prizes, fee_cents=AMOUNT_CENTS_MAX, seats=4).enter()
    field.play()
    told = [placing for event in heard.of(PLACES) for placing in event.places]
    assert sum(placing.prize_cents > 0 for placing in told) >= 9_900
    tie = max(heard.of(DrawAwaited)[1:], key=lambda asked: asked.unnamed)
    assert tie.purpose.startswith("tie "), tie
    assert tie.count == tie.unnamed > LISTED_MAX


def test_a_large_field_that_plays_for_bounties_and_buys_late_is_ranked_when_entries_close():
    heard = Heard(EntriesClosed, BountyDue, *PLACES)
    on_sale = {"start_at_ms": START_MS + 10_000_000, "late_levels": 1, "reentries": 1}
    bounties = {"bounty_cents": 400, "progressive": True}
    field = Field(ENTRIES_MAX, heard, **on_sale, **bounties).enter(ENTRIES_MAX - 1)
    field.now_ms = START_MS + 10_000_000
    field.tell(TimerFired(name="start"))
    field.tell(Register(player=name_of(ENTRIES_MAX)))
    field.play()
    (closed,) = heard.of(EntriesClosed)
    assert (closed.players, closed.entries) == (ENTRIES_MAX, ENTRIES_MAX)
    assert heard.counts[PlayerBusted] > LISTED_MAX
    assert sum(len(event.places) for event in heard.of(PLACES)) == ENTRIES_MAX
    assert sum(due.amount_cents for due in heard.of(BountyDue)) == ENTRIES_MAX * 400


def test_five_thousand_tables_halt_and_their_cut_is_told_in_parts():
    heard = Heard(CutTold, SheetFinal, PayoutDue)
    field = Field(ENTRIES_MAX, heard, seats=2).enter()
    tables = {*field.state.tables}
    field.tell(GIVE_UP)
    assert page_bytes(field) < MESSAGE_BYTES_MAX, "all tables are waited for"
    halted(field)
    assert page_bytes(field) < MESSAGE_BYTES_MAX
    *told, final = heard.events
    assert [type(event) for event in told] == [CutTold] * 4
    cut = [one.table for event in (final, *told) for one in event.cut]
    assert len(cut) == len({*cut}) == ENTRIES_MAX // 2
    assert {*cut} == tables
    field.tell(ApproveSheet(author="ops_2", sheet_hash=final.sheet_hash))
    assert field.state.phase == "cancelled"
    assert len(heard.of(PayoutDue)) == ENTRIES_MAX


def test_given_up_before_the_start_all_prices_come_back_and_all_who_wait_are_told():
    heard = Heard(PlayerUnregistered, WaitingListClosed)
    field = Field(ENTRIES_MAX, heard, start_at_ms=2_000_000_000_000).enter(ENTRIES_MAX + 1_000)
    field.tell(GIVE_UP)
    assert field.state.phase == "cancelled"
    assert len(heard.of(PlayerUnregistered)) == ENTRIES_MAX
    (closed,) = heard.of(WaitingListClosed)
    assert len(closed.players) == 1_000


@pytest.mark.parametrize(
    "stages",
    [
        {"stages": (Stage(seats=2),) * 11},
        {"big_shoot": BigShoot(series="trn_9", stage=1)},
        {"big_shoot": BigShoot(series="", stage=3, fed_by=1)},
    ],
)
def test_stages_take_fewer_since_whoever_goes_on_is_told_in_one_event(stages):
    """BH-SHOOTOUT, BH-BIGSHOOT."""
    why = "entries: at most 2000 in stages, since one event tells who goes on"
    assert why in problems(terms(entries=LISTED_MAX + 1, **stages))
    assert why not in problems(terms(entries=LISTED_MAX, **stages))
    assert why not in problems(terms(entries=ENTRIES_MAX))
