"""The tables of a tournament, one by one and as a whole.

What every commit asks of all tables (who is at rest, which is the shortest, how many are open) is
kept up with each change of one, so that a commit costs the same in a field of ten thousand.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec

from shared.contracts.hand import SeatStack
from shared.kernel.pmap import PMap

CROWD = 64  # Above all players of a table: a crowd's key holds two such counts.
DIGITS_MAX = 9


class Vacancy(msgspec.Struct, frozen=True):
    """The seat of the `nth` player out, which a moved one may take over (BH-BALANCE)."""

    seat: int
    nth: int


class Positions(msgspec.Struct, frozen=True):
    """Who was dealt in and posted what in a table's last ended hand."""

    button_seat: int
    small_blind_seat: int | None
    big_blind_seat: int
    dealt: tuple[int, ...]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table as of its last digested hand; seats ascend, `hand` is the last one cleared.

    What it reported last is commit `heard_number` of the line `heard_from`. `halting` counts how
    often it was told to halt and has not answered: each time it does, in order.

    `reserved` are the seats of players with a rebuy on offer, without chips. `last_out` tells
    which player out of the whole tournament, counted from 1, was the last one here; `saved` are
    those who sit here without chips, since they go on to the next stage, the best first.
    """

    table: str
    number: int
    seats_max: int
    seats: tuple[SeatStack, ...]
    arriving: tuple[SeatStack, ...] = ()
    reserved: tuple[SeatStack, ...] = ()
    departing: int = 0
    vacancies: tuple[Vacancy, ...] = ()
    last_out: int = 0
    outs: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    last: Positions
    hand: int = 0
    playing: bool = False
    dealt: tuple[int, ...] = ()
    level: int = 0
    hands_in_level: int = 0
    ended_at_ms: int = 0
    ended_as: int = 0
    heard_from: str = ""
    heard_number: int = 0
    halting: int = 0

    @property
    def size(self) -> int:
        """Players who sit here or are coming, and those who may buy again."""
        return len(self.seats) + len(self.arriving) + len(self.reserved)

    @property
    def not_out(self) -> int:
        """Players who are not Out (PP-OUT); who is still coming counts as present."""
        outs = sum(seat.player in self.outs for seat in self.seats) if self.outs else 0
        return self.size - outs

    @property
    def free_seats(self) -> tuple[int, ...]:
        """Seats that nobody has and nobody is coming to."""
        taken = {held.seat for held in self.seats + self.arriving + self.reserved}
        return tuple(seat for seat in range(1, self.seats_max + 1) if seat not in taken)


Numbers = PMap[int, bool]


class Hall(msgspec.Struct, frozen=True):
    """All tables by number, read by their names in the order of their numbers.

    `resting` are the numbers of tables that play no hand; `crowds` those of the tables that are
    not being closed, by the players there and how many of them are not Out.
    """

    tables: PMap[int, Table] = PMap()
    closing: tuple[str, ...] = ()
    resting: Numbers = PMap()
    crowds: PMap[int, Numbers] = PMap()

    # --- one table ----------------------------------------------------------------------------

    def get(self, name: str) -> Table | None:
        """Return the table of this name, or None where there is none."""
        table = self.tables.get(number_of(name))
        return table if table is not None and table.table == name else None

    def __getitem__(self, name: str) -> Table:
        table = self.get(name)
        if table is None:
            raise KeyError(name)
        return table

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[str]:
        return (table.table for table in self.values())

    def values(self) -> Iterator[Table]:
        """Walk all tables in the order of their numbers."""
        return self.tables.values()

    # --- all that are open --------------------------------------------------------------------

    @property
    def open(self) -> tuple[Table, ...]:
        """Tables that are not being closed, in the order of their numbers."""
        if not self.closing:
            return tuple(self.values())
        return tuple(table for table in self.values() if table.table not in self.closing)

    @property
    def with_room(self) -> tuple[Table, ...]:
        """Open tables that have a free chair, in the order of their numbers; all have as many."""
        roomy = (
            numbers
            for key, numbers in self.crowds.items()
            if key // CROWD < self.tables[next(iter(numbers))].seats_max
        )
        return tuple(self.tables[number] for number in sorted(chain.from_iterable(roomy)))

    @property
    def last(self) -> Table:
        """The open table with the highest number."""
        return self.tables[max(numbers.last for numbers in self.crowds.values())]

    @property
    def open_count(self) -> int:
        """How many tables are not being closed."""
        return len(self.tables) - len(self.closing)

    @property
    def at_rest(self) -> tuple[Table, ...]:
        """Tables that play no hand, those that are being closed among them."""
        return tuple(self.tables[number] for number in self.resting)

    @property
    def closing_at_rest(self) -> tuple[Table, ...]:
        """Tables that are being closed and have played their last hand."""
        return tuple(table for table in self.at_rest if table.table in self.closing)

    @property
    def any_playing(self) -> bool:
        """Whether any table plays a hand."""
        return len(self.resting) < len(self.tables)

    @property
    def seated(self) -> int:
        """How many players sit at open tables, or are coming there."""
        return sum(key // CROWD * len(numbers) for key, numbers in self.crowds.items())

    @property
    def least(self) -> int:
        """How many players the shortest open table has."""
        return next(iter(self.crowds)) // CROWD

    @property
    def most(self) -> int:
        """How many players the fullest open table has."""
        return max(self.crowds) // CROWD

    def by_shortness(self) -> Iterator[Table]:
        """Walk open tables by players, those not Out, number: the general order of moves."""
        keys = iter(self.crowds)
        return (self.tables[n] for n in chain.from_iterable(self.crowds[key] for key in keys))

    def by_presence(self) -> Iterator[Table]:
        """Walk open tables by players not Out, players, number (PP-CLOSE)."""
        keys = sorted(self.crowds, key=lambda key: (key % CROWD, key))
        return (self.tables[n] for n in chain.from_iterable(self.crowds[key] for key in keys))

    # --- changes ------------------------------------------------------------------------------

    @classmethod
    def of(cls, tables: Iterable[Table]) -> "Hall":
        """Open these tables."""
        hall = cls()
        for table in tables:
            hall = hall.with_table(table)
        return hall

    def with_table(self, table: Table) -> "Hall":
        """Return the hall with this table as it is now."""
        before, number = self.tables.get(table.number), table.number
        resting, crowds = self.resting, self.crowds
        if before is None or before.playing != table.playing:
            resting = without(resting, number) if table.playing else resting.insert(number, True)
        if table.table not in self.closing:
            old, new = None if before is None else crowd_of(before), crowd_of(table)
            if old != new:
                crowds = joined(left(crowds, old, number), new, number)
        return Hall(self.tables.insert(number, table), self.closing, resting, crowds)

    def close(self, name: str) -> "Hall":
        """Return the hall with a table marked that is being closed."""
        table = self[name]
        crowds = left(self.crowds, crowd_of(table), table.number)
        return Hall(self.tables, (*self.closing, name), self.resting, crowds)

    def without(self, name: str) -> "Hall":
        """Return the hall when a table has broken up, or the last one is not needed any more."""
        hall = self if name in self.closing else self.close(name)
        number = self[name].number
        closing = tuple(other for other in hall.closing if other != name)
        resting = without(hall.resting, number)
        return Hall(hall.tables.remove(number), closing, resting, hall.crowds)


def number_of(name: str) -> int:
    """Return the number that a table's name ends with, 0 for what is no such name."""
    digits = name.rpartition("_")[2]
    return int(digits) if digits.isdecimal() and len(digits) <= DIGITS_MAX else 0


def crowd_of(table: Table) -> int:
    """Return the key of the crowd that a table belongs to; keys ascend with the players."""
    return table.size * CROWD + table.not_out


def without(numbers: Numbers, number: int) -> Numbers:
    """Return the numbers without one that may be among them."""
    return numbers.remove(number) if number in numbers else numbers


def left(crowds: PMap[int, Numbers], key: int | None, number: int) -> PMap[int, Numbers]:
    """Return the crowds without a table; an empty crowd is none."""
    if key is None:
        return crowds
    numbers = without(crowds[key], number)
    return crowds.insert(key, numbers) if len(numbers) else crowds.remove(key)


def joined(crowds: PMap[int, Numbers], key: int, number: int) -> PMap[int, Numbers]:
    """Return the crowds with a table in one of them."""
    numbers = crowds.get(key) or PMap()
    return crowds.insert(key, numbers.insert(number, True))
