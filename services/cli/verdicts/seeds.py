"""Player entropy, judged: each deck has the promise that came first, and all the seeds since.

Anybody sees from the logs that the dealer was bound before the first seed, that every seed on
record went into the deck and no other, and that nobody gave one when the hand had begun. That
the deck follows from the promised secret and the seeds is seen with the vault key alone, since
whoever has the secret can read the folded cards: `mixed_decks.py` is for auditors.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from services.cli.verdicts.history import Fact, History
from shared.contracts.dealer import DeckCommitted, DeckPromised, DeckRepeated, SeatSeed
from shared.contracts.hand import (
    DealAwaited,
    HandStarted,
    PromiseAwaited,
    SeedGiven,
    SeedsInvited,
)
from shared.contracts.table import HandVoided, TableOpened

NOTHING = SeedsInvited(hand="", promise=b"", until_ms=0)


class Made(NamedTuple):
    """What the dealer's log says about the making of one hand's deck, in its order."""

    promised: list[DeckPromised]
    committed: list[DeckCommitted]
    repeated: list[DeckRepeated]
    late: list[DeckPromised]


def made_of(history: History) -> dict[str, Made]:
    """Collect promises and decks by hand; a promise after its deck is late."""
    made: defaultdict[str, Made] = defaultdict(lambda: Made([], [], [], []))
    for fact in history.of("dealer"):
        match fact.event:
            case DeckPromised() as event:
                found = made[event.hand]
                (found.late if found.committed else found.promised).append(event)
            case DeckCommitted() as event:
                made[event.hand].committed.append(event)
            case DeckRepeated() as event:
                made[event.hand].repeated.append(event)
            case _:
                pass
    return made


def wrong_seeds(history: History) -> Iterator[tuple[str, str]]:
    """Compare every table's seeds with the dealer's decks; say of which hand, and what is wrong."""
    made = made_of(history)
    for hand, found in made.items():
        if found.late or len(found.promised) > 1:
            yield hand, "its deck was promised after it was made, or twice"
    asked: set[str] = set()
    for facts in history.streams("table").values():
        for started, before, question in seeded_hands(facts):
            asked.add(started.hand)
            found = made.get(started.hand, Made([], [], [], []))
            wrong = [*wrong_order(started, before), *wrong_deck(question, before, found)]
            yield from ((started.hand, what) for what in wrong)
        yield from seeds_out_of_time(facts)
    for hand, found in made.items():
        if hand not in asked and any(deck.promise for deck in found.committed):
            yield hand, "its deck was promised, and no table invited seeds for it"


Seeded = tuple[HandStarted, list[object], DealAwaited | None]


def seeded_hands(facts: Iterable[Fact]) -> Iterator[Seeded]:
    """Yield every hand of a table with player entropy: its start, what came before, its question.

    In the commit of a hand's start the question to the dealer follows.
    """
    seeded, started = False, None
    before: list[object] = []
    since: list[object] = []
    for fact in facts:
        match fact.event:
            case TableOpened(player_entropy=seeded):
                pass
            case PromiseAwaited() | SeedsInvited() | SeedGiven():
                since.append(fact.event)
            case HandVoided():
                since = []
            case HandStarted():
                started, before, since = fact.event, since, []
            case DealAwaited() if started is not None:
                if seeded or before:
                    yield started, before, fact.event
                started = None
            case _:
                pass


def wrong_order(started: HandStarted, before: list[object]) -> Iterator[str]:
    """The dealer is asked, then bound, and then come seeds, one a player who is dealt in."""
    mine = [event for event in before if getattr(event, "hand", "") == started.hand]
    kinds = [type(event) for event in mine[:2]]
    if kinds != [PromiseAwaited, SeedsInvited] or len(mine) < len(before):
        yield "seeds were not invited before it, once, or were of another hand"
    given = [(e.seat, e.player) for e in mine if isinstance(e, SeedGiven)]
    if len(given) != len(mine[2:]):
        yield "something else came among its seeds"
    seats = [(dealt.seat, dealt.player) for dealt in started.seats]
    if len(set(given)) < len(given) or any(one not in seats for one in given):
        yield "a seed is of nobody who was dealt in, or one of two"


def wrong_deck(question: DealAwaited | None, before: list[object], made: Made) -> Iterator[str]:
    """Question and deck have the promise of the invitation, and exactly the seeds since."""
    given = {e.seat: e.seed for e in before if isinstance(e, SeedGiven)}
    invited = next((e for e in before if isinstance(e, SeedsInvited)), NOTHING)
    if [one.promise for one in made.promised] != [invited.promise]:
        yield "the invitation names another promise than the dealer's"
    for asked in (question, *made.committed):
        if asked is None:
            continue
        seats = [dealt.seat for dealt in asked.roster if dealt.seat in given]
        seeds = tuple(SeatSeed(seat, given[seat]) for seat in seats)
        if (asked.promise, asked.seeds) != (invited.promise, seeds):
            yield f"{type(asked).__name__} has another promise or other seeds than were given"


def seeds_out_of_time(facts: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    """No seed comes when its hand has begun."""
    begun: set[str] = set()
    for fact in facts:
        if isinstance(fact.event, HandStarted):
            begun.add(fact.event.hand)
        elif isinstance(fact.event, SeedGiven) and fact.event.hand in begun:
            yield fact.event.hand, "a seed was given when it had begun"
