"""Terms on which something is bought after the start, drawn by chance."""

import msgspec

from shared.contracts.director import Break, Level, Purchase, SatellitePrizes, StandardPrizes
from shared.poker.rule_sets import PRESETS
from tests.core.director.director_play import START_MS, equal_winners, terms

AT = START_MS + 60_000


def purchase(chance, levels):
    return Purchase(
        fee_cents=chance.choice((500, 997)),
        commission_cents=chance.choice((0, 50)),
        chips=chance.choice((500, 1_000, 3_000)),
        until_level=chance.randint(1, levels - 1),
        most=chance.randint(1, 3),
    )


def satellite(chance):
    """Let every third be one, with few winners or many."""
    if chance.random() < 0.67:
        return None
    target = chance.choice(("", "trn_final"))
    if chance.random() < 0.5:
        return SatellitePrizes(winners=chance.choice((500, 3_000, 9_000)), target=target)
    return SatellitePrizes(prize_cents=chance.choice((1_000, 5_000, 30_000)), target=target)


def chosen_by(chance, **changes):
    """Draw terms on which something is bought."""
    levels, entries = chance.randint(2, 6), chance.randint(2, 60)
    late = chance.choice((0, 1, chance.randint(1, levels - 1)))
    paid = chance.choice((0, 0, chance.randint(1, entries)))
    by_hands = chance.random() < 0.5
    bounty_cents = chance.choice((0, 0, 333))
    prizes = satellite(chance) or (equal_winners(paid) if paid and not late else StandardPrizes())
    fixed = isinstance(prizes, SatellitePrizes) and prizes.prize_cents
    drawn = terms(
        rule_set=chance.choice(sorted(PRESETS)),
        entries=entries,
        seats=chance.randint(2, 10),
        fee_cents=997,
        bounty_cents=bounty_cents,
        progressive=bounty_cents > 0 and chance.random() < 0.5,
        levels=tuple(Level(10 * n, 20 * n) for n in range(1, levels + 1)),
        level_ms=0 if by_hands else 600_000,
        level_hands=10 if by_hands else 0,
        rebuy_offer_ms=chance.choice((1_000, 60_000)),
        breaks=(Break(1, 30_000),) if chance.random() < 0.5 else (),
        prizes=prizes,
        start_at_ms=AT if late else 0,
        late_levels=late,
        reentries=chance.randint(0, 3) if late else 0,
        rebuy=purchase(chance, levels) if chance.random() < 0.7 else None,
        add_on=purchase(chance, levels) if chance.random() < 0.7 else None,
        guarantee_cents=0 if fixed else chance.choice((0, 0, 30_000)),
    )
    return msgspec.structs.replace(drawn, **changes)
