"""What can be won, for any number of entries that a tournament may start with."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from services.director.core.prizes import WHOLE, prizes_in_cents, qualifiers
from services.director.core.terms import least_entries
from shared.contracts.director import QualifyingPrizes, Terms

STEPS = 4


class Prizes(NamedTuple):
    """The pool of so many entries, what of it the operator adds, and its split; best place first.

    `why_not` says why it does not start with so many; then there is nothing to win.
    `bounties_cents` of the pool are for knock-outs. In a stage that qualifies for the next one
    `go_on` players do, with all that is not for knock-outs. Where the pool comes from the stage
    before, prizes are `in_shares` of it, hundredths of a percent.
    """

    entries: int
    pool_cents: int
    added_cents: int
    prizes_cents: tuple[int, ...]
    why_not: str = ""
    bounties_cents: int = 0
    go_on: int = 0
    in_shares: bool = False


def possible(terms: Terms) -> str:
    """Tell with how many players it may start."""
    least, most = least_entries(terms), f"{terms.entries:,}"
    return most if least == terms.entries else f"{least:,} to {most}"


def usual_entries(terms: Terms) -> tuple[int, ...]:
    """Return the least, the most, and a few numbers between them."""
    least = least_entries(terms)
    between = range(STEPS + 1)
    return tuple(sorted({least + (terms.entries - least) * step // STEPS for step in between}))


def prizes_of(terms: Terms, entries: int) -> Prizes:
    """Split the pool of so many entries, the guarantee included."""
    least = least_entries(terms)
    if not least <= entries <= terms.entries:
        return Prizes(entries, 0, 0, (), f"it starts with {possible(terms)} players")
    if terms.big_shoot is not None and terms.big_shoot.stage > 1:
        return with_prizes(terms, entries, Prizes(entries, 0, 0, (), in_shares=True), WHOLE)
    collected_cents = entries * terms.fee_cents
    pool_cents = max(collected_cents, terms.guarantee_cents)
    bounties_cents = entries * terms.bounty_cents
    added_cents = pool_cents - collected_cents
    found = Prizes(entries, pool_cents, added_cents, (), bounties_cents=bounties_cents)
    return with_prizes(terms, entries, found, pool_cents - bounties_cents)


def with_prizes(terms: Terms, entries: int, found: Prizes, for_places: int) -> Prizes:
    """Split what is for places, or let it go on with who has qualified (BH-BIGSHOOT)."""
    if isinstance(terms.prizes, QualifyingPrizes):
        return found._replace(go_on=qualifiers(terms.prizes, entries))
    return found._replace(prizes_cents=prizes_in_cents(terms.prizes, entries, for_places))


def bands(columns: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield from which to which place every column has one prize, until none has any."""
    paid = list(columns)
    last = max(map(len, paid), default=0)
    ends = {len(column) for column in paid} | {
        place for column in paid for place in range(1, len(column)) if changes(column, place)
    }
    first = 1
    for end in sorted(ends & set(range(1, last + 1))):
        yield first, end
        first = end + 1


def changes(column: Sequence[int], place: int) -> bool:
    """Tell whether the next place wins something else."""
    return column[place - 1] != column[place]
