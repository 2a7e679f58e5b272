"""The ranking's decisions, one by one: what is recorded of a finish, a question, an answer."""

import msgspec
import pytest

from services.ranking.core import (
    DECIDER,
    AwaitRatings,
    Belief,
    Ranking,
    ResultsReported,
    TakeRatings,
    awaiting,
    respond,
)
from services.ranking.core.decide import PART_PLAYERS
from services.ranking.core.ratings import UNKNOWN
from shared.contracts.director import Placing, TournamentFinished
from shared.contracts.ranking import (
    EntryRated,
    Finisher,
    PlacesNoted,
    PlacesRecorded,
    PlayersRated,
    RatingsAwaited,
    RatingView,
    ReadRating,
    TournamentRated,
)
from shared.kernel.decider import Refused
from shared.runtime.deciding import EVENTS_BYTES_MAX
from tests.core.ranking.finishing import (
    AT_MS,
    answered,
    asks,
    finished,
    finished_in_parts,
    played,
    rating,
    stepped,
)

PLAYERS = ("ply_ann", "ply_bea", "ply_cid")


def test_a_finish_is_recorded_with_the_question_that_it_raises():
    events, ranking = stepped(Ranking(), finished(PLAYERS))
    finishers = tuple(Finisher(place, player) for place, player in enumerate(PLAYERS, 1))
    assert events == (
        PlacesRecorded(tournament="trn_1", finished_at_ms=AT_MS, entries=3, finishers=finishers),
        RatingsAwaited(tournament="trn_1", players=3),
    )
    assert awaiting(ranking) == AwaitRatings("trn_1", (UNKNOWN,) * 3)


def test_the_answer_is_recorded_once():
    _, asked = stepped(Ranking(), finished(PLAYERS))
    (rated, done), ranking = answered(asked)
    assert isinstance(rated, PlayersRated)
    assert [one.player for one in rated.ratings] == list(PLAYERS)
    assert [one.points for one in rated.ratings] == [73, 22, 0]
    assert done == TournamentRated(tournament="trn_1", players=3)
    assert awaiting(ranking) is None
    again = TakeRatings("trn_1", (UNKNOWN,) * 3)
    assert stepped(ranking, again) == ((), ranking)


def test_a_finish_that_is_told_twice_is_rated_once():
    _, asked = stepped(Ranking(), finished(PLAYERS))
    assert stepped(asked, finished(PLAYERS)) == ((), asked)
    _, ranking = answered(asked)
    assert stepped(ranking, finished(PLAYERS)) == ((), ranking)


def test_tournaments_wait_for_each_other_in_the_order_of_their_finish():
    _, ranking = stepped(Ranking(), finished(PLAYERS, "trn_1"))
    events, ranking = stepped(ranking, finished(PLAYERS[::-1], "trn_2"))
    assert [type(event) for event in events] == [PlacesRecorded]
    events, ranking = answered(ranking)
    assert events[-1] == RatingsAwaited(tournament="trn_2", players=3)
    assert awaiting(ranking).beliefs[2] == ranking.standings["ply_ann"].belief
    _, ranking = answered(ranking)
    assert ranking.standings == played(PLAYERS, PLAYERS[::-1]).standings
    assert {standing.tournaments for standing in ranking.standings.values()} == {2}


def test_places_told_in_parts_are_recorded_as_if_told_at_once_whatever_comes_between():
    further, last = finished_in_parts(PLAYERS)
    others, end = finished_in_parts(PLAYERS[::-1], "trn_2", best=2)
    events, noted = stepped(Ranking(), further)
    parts = (Finisher(2, "ply_bea"), Finisher(3, "ply_cid"))
    assert events == (PlacesNoted(tournament="trn_1", finishers=parts),)
    assert awaiting(noted) is None
    assert stepped(noted, further) == ((), noted), "told twice"
    _, noted = stepped(noted, others)
    events, recorded = stepped(noted, last)
    assert events == stepped(Ranking(), finished(PLAYERS))[0]
    assert [*recorded.noted] == ["trn_2"]
    assert stepped(recorded, further) == ((), recorded), "told twice, and late"
    events, recorded = stepped(recorded, end)
    (places,) = events
    assert (places.entries, [one.player for one in places.finishers]) == (3, [*PLAYERS[::-1]])
    assert not recorded.noted


@pytest.mark.parametrize("meanwhile", [False, True])
def test_without_an_opponent_nobody_is_rated(meanwhile):
    ranking = Ranking()
    if meanwhile:
        _, ranking = stepped(ranking, finished(PLAYERS, "trn_0"))
    events, after = stepped(ranking, finished(["ply_ann"]))
    assert events == (TournamentRated(tournament="trn_1", players=0),)
    assert awaiting(after) == awaiting(ranking)
    assert stepped(after, finished(["ply_ann"])) == ((), after)


def test_who_bought_in_again_is_rated_by_the_best_place_among_all_entries():
    places = (Placing(1, "ply_ann", 0), Placing(2, "ply_bea", 0), Placing(3, "ply_ann", 0))
    fact = TournamentFinished(tournament="trn_1", places=places)
    events, _ = stepped(Ranking(), ResultsReported(fact, AT_MS))
    assert events[0].entries == 3
    assert events[0].finishers == (Finisher(1, "ply_ann"), Finisher(2, "ply_bea"))


@pytest.mark.parametrize(
    ("beliefs", "why"),
    [
        ((UNKNOWN,) * 2, "2 for 3 players"),
        ((UNKNOWN,) * 4, "4 for 3 players"),
        ((UNKNOWN, UNKNOWN, Belief(0, UNKNOWN.sigma_micros + 1)), "a result leaves no more doubt"),
        ((UNKNOWN, UNKNOWN, Belief(0, 0)), "a result leaves no more doubt"),
    ],
)
def test_what_is_no_answer_to_the_question_is_refused(beliefs, why):
    _, asked = stepped(Ranking(), finished(PLAYERS))
    refused = DECIDER.decide(asked, TakeRatings("trn_1", beliefs), AT_MS)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.detail[: len(why)]) == ("not_an_answer", why)


def test_an_answer_about_another_tournament_changes_nothing():
    _, asked = stepped(Ranking(), finished(PLAYERS))
    assert stepped(asked, TakeRatings("trn_2", (UNKNOWN,) * 3)) == ((), asked)


def test_ten_thousand_players_fit_in_events_of_bounded_size():
    field = [f"ply_{number:026}" for number in range(10_000)]
    further, last = finished_in_parts(field, best=2_000)
    noted, ranking = stepped(Ranking(), further)
    events, ranking = stepped(ranking, last)
    assert len(events) == 10_000 // PART_PLAYERS + 1
    assert events == stepped(Ranking(), finished(field))[0]
    answer = TakeRatings("trn_1", tuple(Belief(9_999_999, 8_000_000) for _ in field))
    rated, ranking = stepped(ranking, answer)
    assert len(ranking.standings) == ranking.known["trn_1"] == 10_000
    sizes = [len(msgspec.json.encode(event)) for event in (*noted, *events, *rated)]
    assert max(sizes) < EVENTS_BYTES_MAX


def test_entries_are_rated_where_a_range_is_set_and_nowhere_else():
    ranking = played(PLAYERS)
    assert stepped(ranking, asks("ply_ann")) == ((), ranking)
    told = EntryRated(
        tournament="trn_gated",
        entry="trn_gated/ply_ann/1",
        player="ply_ann",
        rating=rating(ranking, "ply_ann"),
    )
    assert stepped(ranking, asks("ply_ann", rating_min=101))[0] == (told,)
    assert stepped(ranking, asks("ply_ann", rating_max=101))[0] == (told,)
    assert stepped(ranking, asks("ply_new", rating_max=101))[0][0].rating == 150


def test_a_rating_is_read_of_everybody_and_of_nobody_else():
    ranking = played(PLAYERS)
    read = ReadRating(player="ply_cid")
    assert stepped(ranking, read) == ((), ranking)
    assert respond(ranking, read) == RatingView(
        player="ply_cid", rating=rating(ranking, "ply_cid"), skill="beginner", tournaments=1
    )
    newcomer = respond(ranking, ReadRating(player="ply_new"))
    assert (newcomer.rating, newcomer.tournaments) == (150, 0)
    refused = DECIDER.decide(ranking, ReadRating(player="journal"), AT_MS)
    assert refused == Refused("player_id_invalid")
