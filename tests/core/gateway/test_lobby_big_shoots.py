"""A Big Shoot in the lobby: who comes from where, with what money, and who has left (PP-LOBBY)."""

import pytest
from msgspec.structs import replace

from services.gateway.shell.api.stages import FeederView, QualifiedView, stage_view
from services.gateway.shell.api.views import tournament_summary
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.news import News
from services.gateway.shell.progress import Progress
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.standings import Happening
from services.gateway.shell.tables import Tables
from shared.contracts.director import (
    BigShoot,
    PlayersQualified,
    QualifiersNamed,
    QualifyingPrizes,
    StagePrizeDue,
    TournamentCancelled,
    TournamentCreated,
    TournamentStarted,
)
from shared.contracts.wallet import StagePrizePaid
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.gateway.facts import DIRECTOR, WALLET, Lines
from tests.core.gateway.test_models import ANN, BOB, CID, TERMS, Heard, NoCards

FINAL, FEEDER, OTHER = "trn_final", "trn_feeder", "trn_other"
PRIZES = QualifyingPrizes(winners=5_000, target=FINAL, withdrawal_cents=300)
STAGE_1 = replace(TERMS, prizes=PRIZES, big_shoot=BigShoot(series=FINAL, stage=1))
STAGE_2 = replace(
    TERMS,
    fee_cents=0,
    commission_cents=0,
    start_at_ms=1,
    big_shoot=BigShoot(series="", stage=2, fed_by=2),
)


def created(tournament, terms):
    return TournamentCreated(tournament=tournament, terms=terms, rule_set=BIG_HOLDEM)


def named(tournament, *players, cents=2_000):
    return QualifiersNamed(
        tournament=tournament,
        series=FINAL,
        target=FINAL,
        players=players,
        amount_cents=cents,
        fee_cents=1_000,
        commission_cents=100,
        withdrawal_cents=300,
    )


def qualified(source, *players, cents=2_000):
    return PlayersQualified(
        tournament=FINAL,
        from_tournament=source,
        players=players,
        amount_cents=cents,
        fee_cents=1_000,
        commission_cents=100,
        withdrawal_cents=300,
    )


def due(player, source, cents=300, *, withdrew=True):
    return StagePrizeDue(
        tournament=FINAL,
        from_tournament=source,
        player=player,
        amount_cents=cents,
        withdrew=withdrew,
    )


ANNOUNCED = (created(FINAL, STAGE_2), created(FEEDER, STAGE_1), created(OTHER, STAGE_1))
FIRST = (named(FEEDER, ANN, BOB), qualified(FEEDER, ANN, BOB))
SECOND = (named(OTHER, CID), qualified(OTHER, CID))
WITHDREW = due(ANN, FEEDER)
STARTED = TournamentStarted(tournament=FINAL, players=2, pool_cents=3_700, prizes_cents=(3_700,))
CANCELLED = TournamentCancelled(tournament=FINAL, author="ops", reason="rain")


def lobby_after(*facts):
    lines, lobby = Lines(), Lobby()
    for fact in (*ANNOUNCED, *facts):
        lobby.fold(lines.commit(DIRECTOR, fact.tournament, fact))
    return lobby


def shown(lobby, tournament=FINAL):
    view = stage_view(lobby.get(tournament), lobby, {ANN: "Ann"})
    assert view is not None
    return view


def registered_in(lobby):
    return [*lobby.get(FINAL).entries]


def test_pp_lobby_every_stage_tells_where_it_leads_and_what_may_be_taken_instead():
    """PP-LOBBY, BH-BIGSHOOT: before anybody pays."""
    lobby = lobby_after()
    first, last = shown(lobby, FEEDER), shown(lobby)
    assert (first.series, first.stage, first.target) == (FINAL, 1, FINAL)
    assert (first.withdrawal_cents, first.fed_by, first.feeders) == (300, 0, [])
    assert (last.series, last.stage, last.target) == (FINAL, 2, "")
    assert (last.withdrawal_cents, last.fed_by, last.fed) == (0, 2, 0)
    assert [feeder.tournament for feeder in last.feeders] == [FEEDER, OTHER]


def test_a_series_is_listed_by_its_final():
    lobby = lobby_after(created("trn_alone", TERMS))
    assert [known.tournament for known in lobby.stages(FINAL)] == [FINAL, FEEDER, OTHER]
    assert lobby.stages("trn_alone") == []
    lines = [tournament_summary(known) for known in lobby.all()]
    assert [(line.series, line.series_stage) for line in lines] == [
        (FINAL, 2),
        (FINAL, 1),
        (FINAL, 1),
        ("", 0),
    ]
    assert stage_view(lobby.get("trn_alone"), lobby, {}) is None


def test_bh_bigshoot_the_pool_comes_with_who_has_qualified():
    """BH-BIGSHOOT: the lobby tells which feeders are over, who comes and with how much."""
    lobby = lobby_after(*FIRST)
    view, known = shown(lobby), lobby.get(FINAL)
    assert (view.fed, view.carried_cents, view.withdrawn_cents) == (1, 2_000, 0)
    feeder = FeederView(
        tournament=FEEDER,
        name=TERMS.name,
        status="announced",
        over=True,
        players=2,
        amount_cents=2_000,
    )
    waited_for = replace(feeder, tournament=OTHER, over=False, players=0, amount_cents=0)
    assert view.feeders == [feeder, waited_for]
    assert [one.player for one in shown(lobby, FEEDER).going_on] == [ANN, BOB]
    assert known.entries == {ANN: "", BOB: ""}
    assert (known.entries_sold, known.players_left, known.pool_cents) == (2, 2, 2_000)
    assert [one.tournament for one in lobby.of(ANN)] == [FINAL]


def test_bh_bigshoot_who_withdraws_takes_money_and_leaves():
    """BH-BIGSHOOT: the pool is less by it, and the player none of this tournament's any more."""
    lobby = lobby_after(*FIRST, *SECOND, WITHDREW, STARTED)
    view, known = shown(lobby), lobby.get(FINAL)
    assert (view.fed, view.carried_cents, view.withdrawn_cents) == (2, 4_000, 300)
    assert known.pool_cents == 3_700
    assert registered_in(lobby) == [BOB, CID]
    assert lobby.of(ANN) == []
    assert view.qualified[0] == QualifiedView(
        player=ANN,
        name="Ann",
        from_tournament=FEEDER,
        withdrawal_cents=300,
        withdrew=True,
        instead_cents=300,
        paid=False,
    )
    assert [one.instead_cents for one in view.qualified] == [300, None, None]
    assert known.shown_players() == [BOB, CID, ANN]


def test_a_player_who_has_withdrawn_may_come_again():
    lobby = lobby_after(*FIRST, WITHDREW, named(OTHER, ANN), qualified(OTHER, ANN))
    assert registered_in(lobby) == [BOB, ANN]
    assert [(one.player, one.withdrew) for one in shown(lobby).qualified] == [
        (ANN, True),
        (BOB, False),
        (ANN, False),
    ]
    assert [one.tournament for one in lobby.of(ANN)] == [FINAL]


def test_what_the_wallet_has_paid_is_said():
    lobby = lobby_after(*FIRST, *SECOND, WITHDREW)
    paid = StagePrizePaid(
        tournament=FINAL,
        from_tournament=FEEDER,
        player=ANN,
        amount_cents=300,
        credited=f"cash/{ANN}",
        postings=(),
    )
    lobby.fold(Lines().commit(WALLET, "journal", paid))
    assert [one.paid for one in shown(lobby).qualified] == [True, False, False]


@pytest.mark.parametrize(
    ("before", "pool_cents", "here"),
    [((CANCELLED,), 0, []), ((STARTED,), 2_000, [ANN, BOB])],
    ids=["cancelled", "started"],
)
def test_a_share_is_no_withdrawal(before, pool_cents, here):
    """BH-BIGSHOOT: where there is nothing to play for, what has come is shared."""
    lobby = lobby_after(*FIRST, *before, named(OTHER, CID), due(CID, OTHER, 2_000, withdrew=False))
    view = shown(lobby)
    assert view.withdrawn_cents == 0
    assert (view.qualified[-1].player, view.qualified[-1].instead_cents) == (CID, 2_000)
    assert lobby.get(FINAL).pool_cents == pool_cents
    assert registered_in(lobby) == [ANN, BOB]
    assert [p for p in (ANN, BOB, CID) if lobby.of(p)] == here


def test_a_target_that_was_never_announced_is_not_shown():
    lobby = lobby_after(replace(due(ANN, FEEDER, withdrew=False), tournament="trn_nowhere"))
    assert lobby.get("trn_nowhere") is None


def test_the_feeds_tell_who_qualified_what_came_and_who_withdrew():
    lobby = lobby_after(*FIRST, WITHDREW, due(BOB, FEEDER, 1_700, withdrew=False))
    told = {one: [*lobby.standings.get(one).feed] for one in (FEEDER, FINAL)}
    came = {"at": told[FEEDER][-1].at, "number": told[FEEDER][-1].number}
    money = {"players": (ANN, BOB), "amount_cents": 2_000}
    assert told[FEEDER][-1] == Happening(what="qualified", tournament=FINAL, **money, **came)
    assert [(one.what, one.player, one.tournament, one.amount_cents) for one in told[FINAL]] == [
        ("announced", "", "", 0),
        ("pool_carried", "", FEEDER, 2_000),
        ("withdrew", ANN, "", 300),
        ("stage_prize", BOB, "", 1_700),
    ]


def test_who_has_qualified_hears_it_from_the_next_stage():
    lobby, sessions, lines = Lobby(), Sessions(), Lines()
    news = News(lobby, Tables(), sessions, NoCards(), Progress())
    ann = Heard(ANN)
    for fact in ANNOUNCED:
        news.take(lines.commit(DIRECTOR, fact.tournament, fact))
    news.enter(ann)
    news.take(lines.commit(DIRECTOR, FINAL, qualified(FEEDER, ANN, BOB)))
    news.take(lines.commit(DIRECTOR, FINAL, WITHDREW))
    news.take(lines.commit(DIRECTOR, FINAL, CANCELLED))
    assert ann.types() == ["welcome", "players-qualified", "stage-prize-due"]
