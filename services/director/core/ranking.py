"""Places: PP-TIES within a hand and within a hand-for-hand round, BH-RANKING, and the finish."""

from services.director.core import big_shoot
from services.director.core.bounties import bounties_won, own_bounties
from services.director.core.drawing import drawn_from
from services.director.core.prizes import shared_cents
from services.director.core.satellite import (
    due_cents,
    full_prizes_of,
    ticket_for,
    winners_at_the_end,
)
from services.director.core.stages import is_in_stages
from services.director.core.state import LISTED_MAX, Bust, Tournament
from shared.contracts.director import (
    DirectorEvent,
    DrawTaken,
    HandForHandBegan,
    PlacesTold,
    Placing,
    PlayerEliminated,
    PrizeDue,
    TableBroken,
    TournamentFinished,
)
from shared.contracts.hand import SeatStack
from shared.kernel.parts import parts


def eliminate(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Rank the worst of the oldest round; a tie between tables has to be drawn first."""
    if not tournament.unranked or round_is_open(tournament):
        return ()
    worst = last_of_round(tournament)
    if len(worst) == 1:
        return placed(tournament, worst)
    best_place = tournament.left - len(worst) + 1
    return (drawn_from(f"tie {best_place}", names_of(worst)),)


def last_of_round(tournament: Tournament) -> tuple[Bust, ...]:
    """Return who is next to have a place: one player, or all who tie for it."""
    share = tournament.rule_set.ties_across_tables == "share"
    return worst_of(tournament.unranked[0], share=share)


def names_of(busts: tuple[Bust, ...]) -> tuple[str, ...]:
    """Return the players in the order in which they are drawn from."""
    return tuple(sorted(bust.player for bust in busts))


def round_is_open(tournament: Tournament) -> bool:
    """Hand for hand, places wait until every table has ended its hand of the round."""
    return tournament.hand_for_hand and tournament.tables.any_playing


def worst_of(busts: tuple[Bust, ...], *, share: bool) -> tuple[Bust, ...]:
    """Return the last of a round: one player, or all who tie across tables (PP-TIES).

    Those of one table never tie. Across tables equal chips do, or whatever chips with `share`.
    """
    tables = dict.fromkeys(bust.table for bust in busts)
    if share and len(tables) > 1:
        return tuple(worst_at(tuple(b for b in busts if b.table == table)) for table in tables)
    fewest = min(bust.chips_at_start for bust in busts)
    equal = tuple(bust for bust in busts if bust.chips_at_start == fewest)
    if any(bust.table != equal[0].table for bust in equal):
        return equal
    return (worst_at(equal),)


def worst_at(busts: tuple[Bust, ...]) -> Bust:
    """Return the last of one table's: by chips, then by the distance from the dealer."""
    return min(busts, key=lambda bust: (bust.chips_at_start, -bust.from_dealer))


def placed_by_draw(tournament: Tournament, taken: DrawTaken) -> tuple[DirectorEvent, ...]:
    """Give a tie its places in the drawn order; the prizes of these places are shared."""
    busts = {bust.player: bust for bust in tournament.unranked[0]}
    candidates = taken.candidates or names_of(last_of_round(tournament))
    return placed(tournament, tuple(busts[candidates[index]] for index in taken.order))


def placed(tournament: Tournament, tied: tuple[Bust, ...]) -> tuple[DirectorEvent, ...]:
    """Eliminate players who share their prizes, the worst place first (BH-RANKING)."""
    best_place = tournament.left - len(tied) + 1
    prizes = shared_cents(due_cents(tournament), best_place, len(tied))
    events: list[DirectorEvent] = []
    for behind in reversed(range(len(tied))):
        events += in_place(tournament, tied[behind], best_place + behind, prizes[behind])
    return tuple(events)


def in_place(
    tournament: Tournament, bust: Bust, place: int, prize_cents: int
) -> tuple[DirectorEvent, ...]:
    """Give a player who is out a place, and its prize if it has one."""
    eliminated = PlayerEliminated(
        tournament=tournament.tournament,
        player=bust.player,
        table=bust.table,
        hand=bust.hand,
        place=place,
    )
    prize = prize_due(tournament, place, bust.player, prize_cents)
    left = big_shoot.out(tournament, bust.player, place)
    return (eliminated, *bounties_won(tournament, bust), *prize, *left)


def prize_due(
    tournament: Tournament, place: int, player: str, amount_cents: int
) -> tuple[DirectorEvent, ...]:
    """In a freeze-out a place is certain at once; nothing is due for an unpaid one."""
    if not amount_cents:
        return ()
    return (
        PrizeDue(
            tournament=tournament.tournament,
            place=place,
            player=player,
            amount_cents=amount_cents,
            ticket_for=ticket_for(tournament, place, amount_cents),
        ),
    )


def begin_hand_for_hand(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """From paid places + 1 left, as long as more than one table plays (PP-TIES).

    Of a satellite its whole prizes count: it is over when so many are left.
    """
    bubble = (full_prizes_of(tournament) or len(tournament.prizes_cents)) + 1
    if tournament.selling or tournament.hand_for_hand or not tournament.rule_set.hand_for_hand:
        return ()
    if is_in_stages(tournament):
        return ()
    if tournament.left > bubble or tournament.tables.open_count < 2:
        return ()
    return (HandForHandBegan(tournament=tournament.tournament, players_left=tournament.left),)


def is_over(tournament: Tournament) -> bool:
    """Say whether nobody has to go any more: all who are left have won."""
    enough = tournament.left <= winners_at_the_end(tournament) or tournament.deal_agreed
    return tournament.in_play and enough and not tournament.selling


def finish(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Once nobody plays or is on the way, the tables break up and all places are known."""
    if tournament.selling or tournament.moves or tournament.tables.any_playing:
        return ()
    name, prizes = tournament.tournament, due_cents(tournament)
    winners = tuple(
        Placing(place, seat.player, prizes[place - 1])
        for place, seat in enumerate(holders_by_chips(tournament), 1)
    )
    best_first = tuple(won.player for won in winners)
    out = (placing for placing in tournament.places.values() if placing.place > len(winners))
    return (
        *(
            due
            for won in winners
            for due in prize_due(tournament, won.place, won.player, won.prize_cents)
        ),
        *own_bounties(tournament, best_first),
        *(TableBroken(tournament=name, table=table) for table in tournament.tables),
        *told_in_parts(name, (*winners, *out)),
        *big_shoot.finished(tournament, best_first),
    )


def told_in_parts(name: str, places: tuple[Placing, ...]) -> tuple[DirectorEvent, ...]:
    """Tell all places: those that do not fit into the last event, in others before it."""
    further = parts(places[LISTED_MAX:], LISTED_MAX)
    told = (PlacesTold(tournament=name, places=part) for part in further)
    return (*told, TournamentFinished(tournament=name, places=places[:LISTED_MAX]))


def holders_by_chips(tournament: Tournament) -> tuple[SeatStack, ...]:
    """Order who is left by chips; equal ones, of a satellite or a deal, by table and seat."""
    held = ((seat, table.number) for table in tournament.tables.values() for seat in table.seats)
    ranked = sorted(held, key=lambda at: (-at[0].stack_chips, at[1], at[0].seat))
    return tuple(seat for seat, _ in ranked)
