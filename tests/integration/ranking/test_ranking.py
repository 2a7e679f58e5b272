"""The ranking on real engines: killed between question and answer, read, and away at an entry."""

from collections import Counter
from itertools import pairwise

from services.ranking.core import periods_at
from shared.contracts.director import EntryRequested
from shared.contracts.edge import Declined
from shared.contracts.ranking import (
    BoardPage,
    EntryRated,
    PlayersRated,
    RatingsAwaited,
    RatingView,
    ReadBoard,
    ReadRating,
    TournamentRated,
)
from tests.core.ranking.finishing import played
from tests.integration.ranking.ratings import (
    RankingProcess,
    board,
    client_at,
    finish,
    folded,
    places_told,
    recorded,
)
from tests.integration.runtime.running import until
from tests.integration.wallet.director import directing

FIELD = 1_500
TOURNAMENTS = 3
PLAYERS = [f"ply_{number:04}" for number in range(FIELD)]
FIELDS = [PLAYERS[nth * 7 :] + PLAYERS[: nth * 7] for nth in range(TOURNAMENTS)]


def names(kind, dsn: str) -> list[str]:
    return [event.tournament for event in recorded(dsn) if isinstance(event, kind)]


def noted(dsn: str) -> int:
    """Count the places that are kept until the best ones are told."""
    return sum(map(len, folded(dsn).noted.values()))


async def test_killed_between_question_and_answer_it_rates_every_tournament_once(
    ranking_url, broker, nats_url
):
    tournaments = [f"trn_{nth}" for nth in range(TOURNAMENTS)]
    with RankingProcess(ranking_url, nats_url) as ranking:
        async with directing(ranking_url, broker) as director:
            await ranking.ready()
            for tournament, field in zip(tournaments, FIELDS, strict=True):
                await director.say(finish(tournament, field))
            kills = 0
            for tournament in tournaments:
                await until(lambda asked=tournament: asked in names(RatingsAwaited, ranking_url))
                ranking.kill()
                kills += tournament not in names(TournamentRated, ranking_url)
                ranking.start()
            assert kills >= TOURNAMENTS - 1, "the model has answered before the kill"
            await until(lambda: len(names(TournamentRated, ranking_url)) == TOURNAMENTS, 60)
            await ranking.ready()
            assert names(TournamentRated, ranking_url) == tournaments
            assert names(RatingsAwaited, ranking_url) == tournaments
            assert folded(ranking_url).standings == played(*FIELDS).standings
            points: Counter[tuple[str, str]] = Counter()
            for event in recorded(ranking_url):
                if isinstance(event, PlayersRated):
                    for period in periods_at(event.finished_at_ms):
                        points.update({(period, one.player): one.points for one in event.ratings})
            async with client_at(nats_url) as client:
                await client.read(ReadBoard(period="2026"), BoardPage)
            expected = {key: (value, TOURNAMENTS) for key, value in points.items()}
            assert board(ranking_url) == expected


async def test_killed_between_the_parts_of_a_large_field_it_rates_all_of_them(
    ranking_url, broker, nats_url
):
    best, others = FIELD // 3, (2 * FIELD // 3, FIELD)
    with RankingProcess(ranking_url, nats_url) as ranking:
        async with directing(ranking_url, broker) as director:
            await ranking.ready()
            for end in others:
                part = PLAYERS[end - best : end]
                await director.say(places_told("trn_1", part, end - best + 1))
                await until(lambda end=end: noted(ranking_url) == end - best)
                ranking.kill()
                ranking.start()
            await director.say(finish("trn_1", PLAYERS[:best]))
            await until(lambda: "trn_1" in names(TournamentRated, ranking_url), 60)
            assert folded(ranking_url).standings == played(PLAYERS).standings
            assert noted(ranking_url) == 0


async def test_boards_and_ratings_are_read_as_of_now(ranking_url, broker, nats_url):
    with RankingProcess(ranking_url, nats_url) as ranking:
        async with directing(ranking_url, broker) as director, client_at(nats_url) as client:
            await ranking.ready()
            await director.say(finish("trn_1", ["ply_a", "ply_b", "ply_c"]))
            await director.say(finish("trn_2", ["ply_d", "ply_e", "ply_f"]))
            await until(lambda: len(names(TournamentRated, ranking_url)) == 2)
            await client.read(ReadBoard(period="2026"), BoardPage)
            period = max(board(ranking_url))[0]
            page = await client.read(ReadBoard(period=period), BoardPage)
            told = [(line.rank, line.player, line.points) for line in page.lines]
            assert told == [
                (1, "ply_a", 73),
                (1, "ply_d", 73),
                (3, "ply_b", 22),
                (3, "ply_e", 22),
                (5, "ply_c", 0),
                (5, "ply_f", 0),
            ]
            assert page.next_after is None
            parts = [
                await client.read(ReadBoard(period=period, after=after, limit=2), BoardPage)
                for after in (0, 2, 4)
            ]
            assert [line for part in parts for line in part.lines] == list(page.lines)
            assert [part.next_after for part in parts] == [2, 4, None]
            assert all(one.number <= other.number for one, other in pairwise(parts))
            none = await client.read(ReadBoard(period="1999", after=-5, limit=10_000), BoardPage)
            assert none.lines == ()
            refused = await client.ask(ReadBoard(period="november"))
            assert isinstance(refused, Declined)
            assert refused.reason == "period_invalid"
            view = await client.read(ReadRating(player="ply_a"), RatingView)
            assert (view.skill, view.tournaments) == ("beginner", 1)
            assert view.rating == folded(ranking_url).standings["ply_a"].rating > 150


async def test_an_entry_asked_for_while_it_was_away_is_rated_once_when_it_is_back(
    ranking_url, broker, nats_url
):
    with RankingProcess(ranking_url, nats_url) as ranking:
        async with directing(ranking_url, broker) as director:
            await ranking.ready()
            ranking.kill()
            for gate in (0, 250):
                entry = EntryRequested(
                    tournament="trn_1",
                    entry=f"trn_1/ply_a/{gate}",
                    player="ply_a",
                    fee_cents=0,
                    commission_cents=0,
                    deadline_ms=0,
                    rating_max=gate,
                )
                await director.say(entry)
            ranking.start()
            await until(lambda: recorded(ranking_url))
            ranking.kill()
            ranking.start()
            await ranking.ready()
            told = EntryRated(
                tournament="trn_1", entry="trn_1/ply_a/250", player="ply_a", rating=150
            )
            assert recorded(ranking_url) == [told]
