"""What the lobby shows: the read models joined, with names beside ids."""

from collections.abc import Mapping

import msgspec

from services.gateway.shell.api.stages import StageView, stage_view
from services.gateway.shell.big_shoots import series_of
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tournament import (
    CurrentBreak,
    CurrentLevel,
    CurrentPause,
    OpenDeal,
    Status,
    Tournament,
)
from shared.contracts.director import Terms
from shared.poker.rule_sets import RuleSet

Names = Mapping[str, str]


class TournamentSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the lobby; `price_cents` is fee and commission together.

    `start_at_ms` is 0 where it starts when all entries are sold; a later stage of a Big Shoot may
    have to wait longer. `pool_cents` is what there is
    to win by now, the guarantee included. Ratings from `rating_min` to `rating_max` may enter; 0
    leaves that end open. One can enter until the end of `late_until_level`. A stage of a Big Shoot
    bears its `series` and number; entries into later ones are not sold.
    """

    tournament: str
    name: str
    status: Status
    paused: bool
    start_at_ms: int
    late_until_level: int
    entries: int
    entries_max: int
    price_cents: int
    pool_cents: int
    players_left: int
    rating_min: int
    rating_max: int
    series: str
    series_stage: int


class EntryView(msgspec.Struct, frozen=True):
    """A registered player; `participation_id` is the regulator's, "" until it is issued.

    Who has qualified in the stage before has bought nothing here: `entry` is "".
    """

    player: str
    name: str
    entry: str
    participation_id: str


class WaitingView(msgspec.Struct, frozen=True):
    """Somebody on the waiting list; `position` counts from 1."""

    position: int
    player: str
    name: str


class OfferView(msgspec.Struct, frozen=True):
    """A rebuy on offer until its deadline (BH-REBUY)."""

    player: str
    deadline_ms: int


class SeatView(msgspec.Struct, frozen=True):
    """A taken seat; the stack is the one between hands."""

    seat: int
    player: str
    name: str
    stack_chips: int
    out: bool


class TableView(msgspec.Struct, frozen=True):
    """A table that plays; `hand` is None between hands."""

    table: str
    number: int
    hand: str | None
    seats: list[SeatView]


class PlaceView(msgspec.Struct, frozen=True):
    """Where a player finished; `paid` says whether the wallet has paid the prize."""

    place: int
    player: str
    name: str
    prize_cents: int
    paid: bool


class TournamentView(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament as everybody may see it, as of these numbers of the lines.

    `session_id` is the regulator's (BP-REGULATOR-IDS), "" until it is issued. `rule_set` stands
    in full. `pool_cents` is what there is to win by now: the fees collected, or the guarantee
    where that is more. `cancelled_because` is "" unless it is cancelled; while it is `cancelling`
    it stands still, and goes on or is shared out. `stage` counts those of the terms, from 1.
    `late_until_level` is the level until whose end one can enter after the start, 0 where one
    cannot or not any more; as long as anything can be bought, `prizes_cents` and places are open.
    `entries_sold` counts re-entries. `big_shoot` is None but for a stage of one; before the final
    `prizes_cents` are as many as go on, who take them along, and no place is paid.
    """

    tournament: str
    session_id: str
    status: Status
    cancelling: bool
    cancelled_because: str
    terms: Terms
    rule_set: RuleSet
    price_cents: int
    collected_cents: int
    pool_cents: int
    prizes_cents: tuple[int, ...]
    entries: list[EntryView]
    entries_sold: int
    late_until_level: int
    waiting: list[WaitingView]
    offers: list[OfferView]
    players_left: int
    level: CurrentLevel | None
    on_break: CurrentBreak | None
    paused: CurrentPause | None
    hand_for_hand: bool
    stage: int
    deal: OpenDeal | None
    tables: list[TableView]
    places: list[PlaceView]
    big_shoot: StageView | None
    as_of: dict[str, int]


def tournament_summary(known: Tournament) -> TournamentSummary:
    """Show one tournament in one line."""
    return TournamentSummary(
        tournament=known.tournament,
        name=known.terms.name,
        status=known.status,
        paused=known.paused is not None,
        start_at_ms=max(known.terms.start_at_ms, known.not_before_ms),
        late_until_level=known.late_until_level,
        entries=known.entries_sold,
        entries_max=known.terms.entries,
        price_cents=known.terms.fee_cents + known.terms.commission_cents,
        pool_cents=known.pool_cents,
        players_left=known.players_left,
        rating_min=known.terms.rating_min,
        rating_max=known.terms.rating_max,
        series=series_of(known),
        series_stage=known.terms.big_shoot.stage if known.terms.big_shoot else 0,
    )


def tournament_view(known: Tournament, gateway: Gateway, names: Names) -> TournamentView:
    """Show one tournament whole; `names` has what its players go by."""
    return TournamentView(
        tournament=known.tournament,
        session_id=gateway.lobby.regulator_id(known.tournament),
        status=known.status,
        cancelling=known.cancelling,
        cancelled_because=known.cancelled_because,
        terms=known.terms,
        rule_set=known.rule_set,
        price_cents=known.terms.fee_cents + known.terms.commission_cents,
        collected_cents=known.collected_cents,
        pool_cents=known.pool_cents,
        prizes_cents=known.prizes_cents,
        entries=entries_of(known, gateway, names),
        entries_sold=known.entries_sold,
        late_until_level=known.late_until_level,
        waiting=[
            WaitingView(position, player, names.get(player, player))
            for position, player in enumerate(known.waiting, 1)
        ],
        offers=[OfferView(player, deadline_ms) for player, deadline_ms in known.offers.items()],
        players_left=known.players_left,
        level=known.level,
        on_break=known.on_break,
        paused=known.paused,
        hand_for_hand=known.hand_for_hand,
        stage=known.stage,
        deal=known.deal,
        tables=tables_of(known, gateway, names),
        places=places_of(known, gateway, names),
        big_shoot=stage_view(known, gateway.lobby, names),
        as_of=gateway.progress.as_of(),
    )


def entries_of(known: Tournament, gateway: Gateway, names: Names) -> list[EntryView]:
    """List the registered players in the order of their registration."""
    return [
        EntryView(player, names.get(player, player), entry, gateway.lobby.regulator_id(entry))
        for player, entry in known.entries.items()
    ]


def tables_of(known: Tournament, gateway: Gateway, names: Names) -> list[TableView]:
    """List the tables that have opened, by number."""
    numbered = sorted(known.tables.items(), key=lambda named: named[1])
    tables = [(number, gateway.tables.get(table)) for table, number in numbered]
    return [
        TableView(
            table.table,
            number,
            table.hand,
            [
                SeatView(
                    seat,
                    taken.player,
                    names.get(taken.player, taken.player),
                    taken.stack_chips,
                    taken.out,
                )
                for seat, taken in sorted(table.seats.items())
            ],
        )
        for number, table in tables
        if table is not None
    ]


def places_of(known: Tournament, gateway: Gateway, names: Names) -> list[PlaceView]:
    """List the places that are certain, the best first."""
    ranked = sorted(known.results.items(), key=lambda result: (result[1].place, result[0]))
    return [
        PlaceView(
            result.place,
            player,
            names.get(player, player),
            result.prize_cents,
            gateway.lobby.is_paid(known.tournament, result.place, player),
        )
        for player, result in ranked
    ]
