"""A hall keeps up what is asked of all tables, as if it were counted anew each time."""

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.director.core.hall import Hall, Positions, Table, number_of
from shared.contracts.hand import SeatStack

LAST = Positions(1, 2, 3, ())
NUMBERS = st.integers(1, 12)


def table_of(number, players=2, outs=0, *, playing=False):
    seats = tuple(SeatStack(seat, f"ply_{number}_{seat}", 100) for seat in range(1, players + 1))
    return Table(
        table=f"tbl_a_{number}",
        number=number,
        seats_max=10,
        seats=seats,
        outs=tuple(seat.player for seat in seats[:outs]),
        last=LAST,
        playing=playing,
    )


changes = st.one_of(
    st.tuples(st.just("table"), NUMBERS, st.integers(0, 10), st.integers(0, 10), st.booleans()),
    st.tuples(st.just("close"), NUMBERS),
    st.tuples(st.just("without"), NUMBERS),
)


@given(st.lists(changes, max_size=60))
def test_what_is_kept_up_is_what_would_be_counted(told):
    hall = Hall()
    for kind, number, *what in told:
        name = f"tbl_a_{number}"
        if kind == "table":
            hall = hall.with_table(table_of(number, what[0], what[1], playing=what[2]))
        elif kind == "without" and name in hall:
            hall = hall.without(name)
        elif kind == "close" and name in hall and name not in hall.closing:
            hall = hall.close(name)
    tables = list(hall.values())
    still_open = [table for table in tables if table.table not in hall.closing]
    assert [table.number for table in tables] == sorted(table.number for table in tables)
    assert list(hall) == [table.table for table in tables]
    assert list(hall.open) == still_open
    assert hall.open_count == len(still_open)
    assert hall.at_rest == tuple(table for table in tables if not table.playing)
    assert hall.closing_at_rest == tuple(
        table for table in hall.at_rest if table.table in hall.closing
    )
    assert hall.any_playing == any(table.playing for table in tables)
    assert hall.seated == sum(table.size for table in still_open)
    assert list(hall.by_shortness()) == sorted(
        still_open, key=lambda table: (table.size, table.not_out, table.number)
    )
    assert list(hall.by_presence()) == sorted(
        still_open, key=lambda table: (table.not_out, table.size, table.number)
    )
    assert hall.with_room == tuple(table for table in still_open if table.free_seats)
    if still_open:
        assert hall.last == still_open[-1]
        assert hall.least == min(table.size for table in still_open)
        assert hall.most == max(table.size for table in still_open)


@pytest.mark.parametrize(
    "name",
    ["", "tbl_a_", "tbl_a_x", "tbl_b_1", "1", "tbl_a_01", "tbl_a_" + "9" * 5000, "tbl_a_\u0661"],
)
def test_a_name_of_no_table_finds_none(name):
    hall = Hall.of([table_of(1)])
    assert name not in hall
    assert hall.get(name) is None
    with pytest.raises(KeyError):
        hall[name]


def test_a_table_is_found_by_its_name():
    hall = Hall.of([table_of(1), replace(table_of(12), hand=7)])
    assert hall["tbl_a_12"].hand == 7
    assert number_of("tbl_a_12") == 12
