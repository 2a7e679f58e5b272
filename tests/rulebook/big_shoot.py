"""Stages of a Big Shoot for its rules: one that is sold, later ones, and how they are fed."""

from msgspec.structs import replace

from services.director.core import HaltReported
from services.director.core.rollforward.cutting import sheet_now
from shared.contracts.director import (
    ApproveSheet,
    BigShoot,
    CancelTournament,
    LeftBigShoot,
    QualifyingPrizes,
    SheetFinal,
    StagePrizeDue,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import TableHalted
from shared.contracts.wallet import PoolCarried
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    of,
    players_named,
    terms,
)

FINAL = "trn_final"
NOON_MS = START_MS + 3_600_000
ANN, BEA, CAT, DAN = "ply_ann", "ply_bea", "ply_cat", "ply_dan"


def feeder(players=6, seats=6, winners=3_400, withdrawal_cents=0, stage=1, **changes):
    """Stage 1: two of six go on."""
    return terms(
        entries=players,
        seats=seats,
        prizes=QualifyingPrizes(winners=winners, target=FINAL, withdrawal_cents=withdrawal_cents),
        big_shoot=BigShoot(series=FINAL, stage=stage),
        **changes,
    )


def later(fed_by=1, stage=2, series="", **changes):
    """A later stage, that begins at noon; by itself the final."""
    chosen = terms(
        entries=100,
        seats=6,
        fee_cents=0,
        commission_cents=0,
        start_at_ms=NOON_MS,
        big_shoot=BigShoot(series=series, stage=stage, fed_by=fed_by),
    )
    return replace(chosen, **changes)


def carried(*players, source="trn_a", amount_cents=6_000, price=(1_000, 100), withdrawal_cents=0):
    fee_cents, commission_cents = price
    return PoolCarried(
        tournament=TOURNAMENT,
        from_tournament=source,
        series=TOURNAMENT,
        players=players,
        amount_cents=amount_cents,
        fee_cents=fee_cents,
        commission_cents=commission_cents,
        withdrawal_cents=withdrawal_cents,
        postings=(),
    )


def noon(play):
    """The scheduled start has come."""
    play.now_ms = NOON_MS
    return play.must(TimerFired(name="start"))


def stage_prizes(events):
    return [(due.player, due.amount_cents, due.withdrew) for due in of(StagePrizeDue, events)]


def free(events):
    return [player for left in of(LeftBigShoot, events) for player in left.players]


def begun(chosen, players=6, **more):
    """A later stage in play, fed by one tournament of the stage before."""
    play = Play(chosen)
    fact = carried(*players_named(players), **more)
    play.must(replace(fact, series=play.state.series))
    noon(play)
    return play.answer_all_draws()


def rolled_forward(play, meanwhile=lambda: None):
    """Give it up, halt its tables, approve the sheet; return the sheet and what is due then."""
    play.must(CancelTournament(author="ope_1", reason="broken"))
    meanwhile()
    for table in tuple(play.state.tables.values()):
        halted = TableHalted(tournament=TOURNAMENT, table=table.table, hand="", seats=table.seats)
        play.must(HaltReported(halted, "table-1", len(play.events)))
    (final,) = of(SheetFinal, play.events)
    sheet = sheet_now(play.state)
    return sheet, play.must(ApproveSheet(author="ope_2", sheet_hash=final.sheet_hash))
