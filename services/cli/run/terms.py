"""The terms of the tournament that `rollforward run` plays: quick levels, the standard prizes."""

from shared.contracts.director import Level, StandardPrizes, Terms

SMALL_BLINDS = (10, 15, 25, 40, 60, 100, 150, 250, 400, 600, 1_000, 1_500, 2_500, 4_000, 6_000)
STARTING_CHIPS = 1_500
LEVEL_HANDS = 5
ANTES_FROM = 5


def quick_terms(
    players: int, seats: int, *, player_entropy: bool = False, rule_set: str = "big_holdem"
) -> Terms:
    """A Sit & Go for so many players."""
    levels = tuple(
        Level(small, 2 * small, small // 5 if number >= ANTES_FROM else 0)
        for number, small in enumerate(SMALL_BLINDS, 1)
    )
    return Terms(
        name=f"Sit & Go, {players} players",
        rule_set=rule_set,
        entries=players,
        seats=seats,
        fee_cents=1_000,
        commission_cents=100,
        starting_chips=STARTING_CHIPS,
        levels=levels,
        level_hands=LEVEL_HANDS,
        player_entropy=player_entropy,
        prizes=StandardPrizes(),
    )
