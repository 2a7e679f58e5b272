"""Scheduled, cancelled, paused and resting tournaments in the lobby's read model (PP-LOBBY)."""

import pytest
from msgspec.structs import replace

from services.gateway.shell.api.views import TournamentView, tournament_summary
from services.gateway.shell.conduct import Conducts
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.news import News
from services.gateway.shell.progress import Progress
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.tables import Tables
from services.gateway.shell.time_limits import TimeLimits
from services.gateway.shell.tournament import CurrentBreak, CurrentLevel, CurrentPause, Tournament
from shared.contracts.director import (
    BreakBegan,
    BreakExtended,
    CancellationOpened,
    CancellationWithdrawn,
    DealOffered,
    EntryDeclined,
    Level,
    LevelBegan,
    PlacesTold,
    Placing,
    PlayerUnregistered,
    TournamentCancelled,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.gateway.facts import DIRECTOR, Lines
from tests.core.gateway.test_models import (
    ANN,
    BOB,
    CREATED,
    TERMS,
    TRN,
    Heard,
    NoCards,
    entry_of,
    lobby_after,
    registered,
    requested,
)

EVENING_MS = 1_800_000_000_000
GUARANTEED = replace(TERMS, guarantee_cents=1_500, start_at_ms=EVENING_MS)
SCHEDULED = replace(CREATED, terms=GUARANTEED)
ENTERED = (requested(ANN), registered(ANN), requested(BOB))
CANCELLED = TournamentCancelled(tournament=TRN, author="ops", reason="the hall burns")
REFUNDED = (
    EntryDeclined(**entry_of(BOB), reason="tournament_cancelled"),
    PlayerUnregistered(**entry_of(ANN), refund_cents=1_100, tournament_cancelled=True),
)
LEVEL = LevelBegan(tournament=TRN, number=2, level=Level(10, 20), ends_at_ms=60_000)
REST = BreakBegan(tournament=TRN, after_level=2, ends_at_ms=90_000)
PAUSED = TournamentPaused(tournament=TRN, author="ops", reason="fire alarm", at_ms=50_000)


def known(lobby: Lobby) -> Tournament:
    found = lobby.get(TRN)
    assert found is not None
    return found


def resumed(ends_at_ms: int | None) -> TournamentResumed:
    return TournamentResumed(tournament=TRN, author="ops", at_ms=70_000, ends_at_ms=ends_at_ms)


def test_pp_lobby_the_guarantee_is_in_the_pool_before_anyone_pays():
    """PP-LOBBY; pool = max(collected, guarantee)."""
    lobby = lobby_after(SCHEDULED)
    assert (known(lobby).collected_cents, known(lobby).pool_cents) == (0, 1_500)
    lobby = lobby_after(SCHEDULED, *ENTERED)
    assert (known(lobby).collected_cents, known(lobby).pool_cents) == (1_000, 1_500)
    lobby = lobby_after(SCHEDULED, *ENTERED, registered(BOB))
    assert (known(lobby).collected_cents, known(lobby).pool_cents) == (2_000, 2_000)


def test_pp_lobby_the_pool_at_the_start_is_the_one_announced():
    """PP-LOBBY: the director says the same."""
    started = TournamentStarted(tournament=TRN, players=1, pool_cents=1_500, prizes_cents=(1_500,))
    tournament = known(lobby_after(SCHEDULED, *ENTERED[:2], started))
    assert (tournament.status, tournament.pool_cents) == ("running", started.pool_cents)


def test_bh_mtt_the_start_is_in_the_list():
    """BH-MTT, PP-LOBBY."""
    summary = tournament_summary(known(lobby_after(SCHEDULED)))
    assert (summary.start_at_ms, summary.pool_cents, summary.paused) == (EVENING_MS, 1_500, False)
    assert tournament_summary(known(lobby_after())).start_at_ms == 0


def test_pp_lobby_all_terms_and_the_rule_set_in_full_are_in_the_view():
    """PP-LOBBY."""
    fields = set(TournamentView.__struct_fields__)
    assert {"terms", "rule_set", "pool_cents", "collected_cents", "price_cents"} <= fields
    assert known(lobby_after()).rule_set == BIG_HOLDEM


def test_pp_crash_reg_cancelled_it_has_no_pool_and_is_no_players_any_more():
    """PP-CRASH-REG."""
    lobby = lobby_after(SCHEDULED, *ENTERED, CANCELLED)
    assert (known(lobby).status, known(lobby).pool_cents) == ("cancelled", 0)
    assert known(lobby).cancelled_because == "the hall burns"
    assert lobby.of(ANN) == lobby.of(BOB) == []
    lobby = lobby_after(SCHEDULED, *ENTERED, CANCELLED, *REFUNDED)
    tournament = known(lobby)
    assert (tournament.entries, tournament.pending, tournament.players_left) == ({}, {}, 0)
    assert (tournament.collected_cents, tournament.pool_cents) == (0, 0)
    assert lobby.of(ANN) == lobby.of(BOB) == []


async def test_pp_crash_reg_who_waits_for_an_entry_hears_that_it_was_declined():
    """PP-CRASH-REG."""
    lines, lobby = Lines(), Lobby()
    lobby.fold(lines.commit(DIRECTOR, TRN, SCHEDULED, *ENTERED))
    with lobby.outcomes(TRN, BOB) as outcomes:
        lobby.fold(lines.commit(DIRECTOR, TRN, CANCELLED, *REFUNDED))
        assert outcomes.get_nowait() == REFUNDED[0]


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_pp_crash_reg_all_who_were_in_are_told_also_when_it_takes_several_commits(cut):
    """PP-CRASH-REG: a decision that is too long for one commit is cut into several."""
    lines, sessions = Lines(), Sessions()
    lobby = Lobby()
    news = News(lobby, Tables(), sessions, NoCards(), Progress(), TimeLimits(), Conducts())
    heard = {player: Heard(player) for player in (ANN, BOB)}
    news.take(lines.commit(DIRECTOR, TRN, SCHEDULED, *ENTERED))
    for session in heard.values():
        sessions.add(session)
    ending = (CANCELLED, *REFUNDED)
    for events in (ending[:cut], ending[cut:]):
        if events:
            news.take(lines.commit(DIRECTOR, TRN, *events))
    assert heard[ANN].types() == ["tournament-cancelled", "entry-declined", "player-unregistered"]
    assert heard[BOB].types()[:2] == ["tournament-cancelled", "entry-declined"]


RUNNING = (
    *ENTERED,
    registered(BOB),
    TournamentStarted(tournament=TRN, players=2, pool_cents=2_000, prizes_cents=(2_000,)),
    LEVEL,
    CancellationOpened(tournament=TRN, author="ops", reason="a fault"),
    replace(PAUSED, reason="a fault"),
)


def test_a_running_tournament_that_is_given_up_stands_still_with_its_players():
    lobby = lobby_after(*RUNNING)
    tournament = known(lobby)
    assert (tournament.status, tournament.cancelling) == ("running", True)
    assert tournament.paused == CurrentPause(50_000, "a fault")
    assert lobby.of(ANN) == [tournament]


def test_a_cancellation_that_is_withdrawn_leaves_nothing():
    withdrawn = CancellationWithdrawn(tournament=TRN, author="ops", reason="it was nothing")
    tournament = known(lobby_after(*RUNNING, withdrawn, resumed(80_000)))
    assert (tournament.status, tournament.cancelling, tournament.paused) == ("running", False, None)


def test_nobody_enters_while_it_is_given_up_and_again_once_that_is_withdrawn():
    """PP-LOBBY: the lobby says what the director would answer."""
    selling = replace(SCHEDULED, terms=replace(GUARANTEED, late_levels=2))
    started = TournamentStarted(tournament=TRN, players=1, pool_cents=1_500, prizes_cents=())
    running = (selling, *ENTERED[:2], started, LEVEL)
    assert known(lobby_after(*running)).late_until_level == 2
    given_up = (*running, *RUNNING[-2:])
    assert known(lobby_after(*given_up)).late_until_level == 0
    withdrawn = CancellationWithdrawn(tournament=TRN, author="ops", reason="it was nothing")
    assert known(lobby_after(*given_up, withdrawn)).late_until_level == 2


def test_shared_out_it_is_over_and_its_pool_was_what_it_was():
    shared = replace(CANCELLED, sheet_hash="ab")
    lobby = lobby_after(*RUNNING, shared)
    tournament = known(lobby)
    assert (tournament.status, tournament.cancelling, tournament.paused) == (
        *("cancelled", False, None),
    )
    assert (tournament.pool_cents, list(tournament.entries)) == (2_000, [ANN, BOB])
    assert lobby.of(ANN) == lobby.of(BOB) == []


def test_shared_out_while_entries_were_open_its_pool_was_what_it_was():
    """PP-LOBBY: no prizes had been announced yet."""
    started = TournamentStarted(tournament=TRN, players=1, pool_cents=1_000, prizes_cents=())
    tournament = known(lobby_after(SCHEDULED, *ENTERED[:2], started, CANCELLED))
    assert (tournament.status, tournament.pool_cents) == ("cancelled", 1_500)


def test_nothing_of_what_was_open_is_shown_when_it_has_finished():
    """A deal offered in the last hand, a break in which one was agreed."""
    offered = DealOffered(tournament=TRN, player=ANN, method="icm")
    places = (Placing(1, ANN, 2_000), Placing(2, BOB, 0))
    finished = TournamentFinished(tournament=TRN, places=places)
    tournament = known(lobby_after(*RUNNING[:-2], offered, REST, finished))
    assert (tournament.status, tournament.deal, tournament.on_break) == ("finished", None, None)


def test_all_places_of_a_large_field_are_shown():
    told = PlacesTold(tournament=TRN, places=(Placing(2, BOB, 500),))
    finished = TournamentFinished(tournament=TRN, places=(Placing(1, ANN, 1_500),))
    tournament = known(lobby_after(*RUNNING[:-2], told, finished))
    results = {player: (won.place, won.prize_cents) for player, won in tournament.results.items()}
    assert results == {ANN: (1, 1_500), BOB: (2, 500)}


def test_a_break_is_shown_with_its_end_until_the_next_level():
    extended = BreakExtended(
        tournament=TRN,
        after_level=2,
        down_from_ms=61_000,
        up_at_ms=66_000,
        by_ms=5_000,
        ends_at_ms=95_000,
    )
    assert known(lobby_after(LEVEL)).on_break is None
    assert known(lobby_after(LEVEL, REST)).on_break == CurrentBreak(2, 90_000)
    assert known(lobby_after(LEVEL, REST, extended)).on_break == CurrentBreak(2, 95_000)
    assert known(lobby_after(LEVEL, REST, extended, replace(LEVEL, number=3))).on_break is None


def test_a_pause_is_shown_and_what_it_took_is_given_back():
    paused = known(lobby_after(LEVEL, PAUSED))
    assert paused.paused == CurrentPause(50_000, "fire alarm")
    assert tournament_summary(paused).paused
    on = known(lobby_after(LEVEL, PAUSED, resumed(80_000)))
    assert (on.paused, on.level) == (None, CurrentLevel(2, Level(10, 20), 80_000))


def test_a_pause_in_a_break_puts_off_the_end_of_the_break_alone():
    on = known(lobby_after(LEVEL, REST, PAUSED, resumed(110_000)))
    assert on.on_break == CurrentBreak(2, 110_000)
    assert on.level == CurrentLevel(2, Level(10, 20), 60_000)


def test_a_level_without_an_end_has_none_after_a_pause():
    endless = replace(LEVEL, ends_at_ms=None)
    on = known(lobby_after(endless, PAUSED, resumed(None)))
    assert on.level == CurrentLevel(2, Level(10, 20), None)


def test_a_tournament_that_ends_in_a_pause_is_paused_no_more():
    places = (Placing(1, ANN, 1_000), Placing(2, BOB, 0))
    finished = TournamentFinished(tournament=TRN, places=places)
    ended = known(lobby_after(*ENTERED, registered(BOB), PAUSED, finished))
    assert (ended.status, ended.paused) == ("finished", None)
