"""Rules of the ranking, rulebook §8, and the range of ratings that a tournament admits (§5)."""

import pytest

from services.director.core import DECIDER
from services.director.core.terms import problems
from services.ranking.core import is_period, periods_at
from services.ranking.core.boards import points_of
from services.ranking.core.ratings import NEWCOMER, rating_of, skill_of
from services.ranking.core.state import Belief, Ranking
from shared.contracts.director import (
    CreateTournament,
    EntryAdmitted,
    EntryDeclined,
    EntryExpired,
    EntryFunded,
    EntryRequested,
    PlayerRegistered,
    Register,
    TournamentCancelled,
    TournamentFinished,
)
from shared.contracts.message import TimerFired
from shared.contracts.ranking import EntryRated
from shared.contracts.registry import ROUTES
from shared.kernel.decider import Refused
from tests.core.director.director_play import START_MS, TOURNAMENT, held, refusal, terms
from tests.core.ranking.finishing import asks, finished, played, rating, stepped

MICROS = 1_000_000
ANN = "ply_ann"
GATED = {"rating_min": 251, "rating_max": 500}


# --- PP-SKILL ---------------------------------------------------------------------------------


def test_pp_skill_a_new_player_is_a_beginner_of_150():
    assert NEWCOMER.rating == rating_of(NEWCOMER.belief, NEWCOMER.rating) == 150
    assert skill_of(NEWCOMER.rating) == "beginner"


@pytest.mark.parametrize(
    ("first", "last", "skill"),
    [
        (101, 250, "beginner"),
        (251, 500, "expert"),
        (501, 750, "professional"),
        (751, 1_000, "legend"),
    ],
)
def test_pp_skill_the_levels(first, last, skill):
    assert {skill_of(rated) for rated in range(first, last + 1)} == {skill}


@pytest.mark.parametrize(
    ("mu", "sigma", "rated"),
    [(25, 25 / 3, 150), (31, 2, 650), (20, 7, 130), (0, 8, 101), (60, 1, 1_000), (30.03, 2, 630)],
)
def test_pp_skill_the_mapping_is_the_one_that_is_written_down(mu, sigma, rated):
    assert rating_of(Belief(int(mu * MICROS), int(sigma * MICROS)), 150) == rated


@pytest.mark.parametrize(("before", "floor"), [(250, 101), (251, 251), (500, 251), (999, 751)])
def test_pp_skill_a_rating_never_falls_below_the_floor_of_the_level_reached(before, floor):
    assert rating_of(Belief(0, 8 * MICROS), before) == floor


def test_pp_skill_winning_makes_better_and_losing_worse():
    ranking = played((ANN, "ply_bea", "ply_cid"))
    assert rating(ranking, ANN) > 150 > rating(ranking, "ply_cid")


def test_pp_skill_cancelled_tournaments_rate_nobody():
    assert "ranking" in ROUTES[TournamentFinished]
    assert "ranking" not in ROUTES.get(TournamentCancelled, ())


@pytest.mark.parametrize(
    ("entries", "place", "points"),
    [(2, 1, 41), (2, 2, 0), (4, 1, 100), (100, 1, 900), (100, 2, 607), (10_000, 1, 9_900)],
)
def test_pp_skill_the_points_of_a_place(entries, place, points):
    assert points_of(entries, place) == points


def test_pp_skill_boards_are_of_months_and_years_in_utc():
    assert periods_at(1_796_083_199_999) == ("2026-11", "2026")
    assert periods_at(1_796_083_200_000) == ("2026-12", "2026")
    assert is_period("2026")
    assert is_period("2026-12")


@pytest.mark.parametrize(
    "text", ["", "26", "2026-", "2026-13", "2026-00", "2026-1", "٢٠٢٦", "x026"]
)
def test_pp_skill_what_is_no_month_or_year_has_no_board(text):
    assert not is_period(text)


# --- PP-LEVELGATE -----------------------------------------------------------------------------


class Desk:
    """A tournament that registers, under terms with a range of ratings."""

    def __init__(self, **changes) -> None:
        self.state = DECIDER.initial
        created = CreateTournament(tournament=TOURNAMENT, terms=terms(**{**GATED, **changes}))
        self.tell(created)

    def tell(self, command, at_ms: int = START_MS):
        decided = DECIDER.step(self.state, command, at_ms)
        if isinstance(decided, Refused):
            return decided
        events, self.state = decided
        return events

    def asked(self) -> EntryRequested:
        (requested,) = self.tell(Register(player=ANN))
        return requested


def rated(request: EntryRequested, rating: int) -> EntryRated:
    return EntryRated(
        tournament=request.tournament, entry=request.entry, player=request.player, rating=rating
    )


def entry(request: EntryRequested) -> dict[str, str]:
    return {"tournament": TOURNAMENT, "entry": request.entry, "player": ANN}


def counted(request: EntryRequested) -> PlayerRegistered:
    return PlayerRegistered(**entry(request), fee_cents=1_000, commission_cents=100)


def test_pp_levelgate_the_entry_carries_the_range_and_the_ranking_tells_the_rating():
    request = Desk().asked()
    assert (request.rating_min, request.rating_max) == (251, 500)
    (told,), _ = stepped(Ranking(), request)
    assert told == rated(request, 150)


@pytest.mark.parametrize("money_first", [True, False])
def test_pp_levelgate_an_entry_counts_once_money_and_rating_are_there(money_first):
    desk = Desk()
    request = desk.asked()
    admitted = EntryAdmitted(**entry(request), rating=300)
    if money_first:
        assert desk.tell(held(request)) == (EntryFunded(**entry(request)),)
        assert desk.tell(held(request)) == ()
        assert desk.tell(rated(request, 300)) == (admitted, counted(request))
    else:
        assert desk.tell(rated(request, 300)) == (admitted,)
        assert desk.tell(rated(request, 300)) == ()
        assert desk.tell(held(request)) == (counted(request),)
    assert ANN in desk.state.registered
    assert desk.tell(rated(request, 900)) == ()


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        (250, "rating_too_low"),
        (251, ""),
        (500, ""),
        (501, "rating_too_high"),
        (1_000, "rating_too_high"),
    ],
)
@pytest.mark.parametrize("money_first", [True, False])
def test_pp_levelgate_the_range_is_inclusive(told, outcome, money_first):
    desk = Desk()
    request = desk.asked()
    if money_first:
        desk.tell(held(request))
    first, *_ = desk.tell(rated(request, told))
    if outcome:
        assert first == EntryDeclined(**entry(request), reason=outcome)
        assert desk.tell(held(request)) == ()
        assert ANN not in desk.state.pending
    else:
        assert first == EntryAdmitted(**entry(request), rating=told)


def test_pp_levelgate_either_end_may_be_open():
    for changes, lowest, highest in (
        ({"rating_min": 0}, 101, 500),
        ({"rating_max": 0}, 251, 1_000),
    ):
        for told in (lowest, highest):
            desk = Desk(**changes)
            request = desk.asked()
            assert isinstance(desk.tell(rated(request, told))[0], EntryAdmitted)


def test_pp_levelgate_without_a_range_nobody_is_asked():
    desk = Desk(rating_min=0, rating_max=0)
    request = desk.asked()
    assert stepped(Ranking(), request)[0] == ()
    assert desk.tell(held(request)) == (counted(request),)


def test_pp_levelgate_is_checked_at_entry_only():
    desk = Desk()
    request = desk.asked()
    desk.tell(held(request))
    desk.tell(rated(request, 500))
    before = desk.state
    assert desk.tell(rated(request, 501)) == ()
    assert desk.state == before


def test_pp_levelgate_while_the_ranking_is_away_an_entry_expires():
    desk = Desk()
    request = desk.asked()
    desk.tell(held(request))
    timer = TimerFired(name=f"entry {request.entry}")
    assert desk.tell(timer, request.deadline_ms - 1) == ()
    assert desk.tell(timer, request.deadline_ms) == (EntryExpired(**entry(request)),)
    assert desk.tell(rated(request, 300)) == ()


def test_pp_levelgate_what_the_wallet_refuses_is_not_admitted():
    desk = Desk()
    request = desk.asked()
    desk.tell(rated(request, 300))
    (declined,) = desk.tell(refusal(request))
    assert declined.reason == "insufficient_funds"
    again = desk.asked()
    assert again.entry != request.entry
    assert desk.tell(held(again)) == (EntryFunded(**entry(again)),)


def test_pp_levelgate_another_entry_is_rated_anew():
    first, again = asks(ANN, rating_min=251), asks(ANN, rating_min=251, nth=2)
    ranking = Ranking()
    (told,), ranking = stepped(ranking, first)
    ranking = played(*[(ANN, "ply_bea")] * 10, ranking=ranking)
    (later,), _ = stepped(ranking, again)
    assert later.rating > told.rating


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"rating_min": 101, "rating_max": 1_000}, ()),
        ({"rating_min": 300, "rating_max": 300}, ()),
        ({"rating_min": 501, "rating_max": 500}, ("rating_min is at most rating_max",)),
        ({"rating_min": 100}, ("rating_min is from 101 to 1000",)),
        ({"rating_max": 1_001}, ("rating_max is from 101 to 1000",)),
        ({"rating_min": -1}, ("rating_min is from 101 to 1000",)),
    ],
)
def test_pp_levelgate_a_range_that_admits_nobody_is_no_terms(changes, found):
    assert problems(terms(**changes)) == found


def test_pp_levelgate_the_range_is_among_the_terms_before_anyone_pays():
    desk = Desk()
    assert (desk.state.agreed.rating_min, desk.state.agreed.rating_max) == (251, 500)
    refused = DECIDER.decide(
        DECIDER.initial,
        CreateTournament(tournament=TOURNAMENT, terms=terms(rating_min=400, rating_max=300)),
        START_MS,
    )
    assert refused == Refused("terms_invalid", "rating_min is at most rating_max")


def test_pp_skill_a_finish_of_the_director_is_what_the_ranking_follows():
    events, _ = stepped(Ranking(), finished((ANN, "ply_bea")))
    assert [finisher.player for finisher in events[0].finishers] == [ANN, "ply_bea"]
