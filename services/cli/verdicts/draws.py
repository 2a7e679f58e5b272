"""*Draws = their bytes*: every draw was asked for on record, and follows from the bytes given.

Written from the words of `services/dealer/core/shuffle.py`, as anybody could; nothing of the
dealer's is used. A draw `drw_<token>_<n>` answers commit n of the tournament with that token:
the names drawn from stand there, before the dealer was asked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from services.cli.verdicts.history import Fact, History
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.dealer import DrawMade
from shared.contracts.director import CancellationOpened, DrawAwaited, DrawTaken

NAME = "draws = their bytes"
ONE_BYTE = 256


class Asked(NamedTuple):
    """A question of a tournament, and the answers that it recorded before its next question.

    `others` were asked in the same commit, which a draw's name cannot tell apart.
    """

    question: DrawAwaited
    taken: list[DrawTaken]
    others: list[DrawAwaited]


def draws_follow_from_bytes(history: History) -> Verdict:
    """Make every draw again."""
    asked, made, dropped = asked_in(history), made_in(history), dropped_in(history)
    found = [
        *history.unreadable,
        *(f"{draw}: {what}" for draw in made for what in wrong_draw(draw, made[draw], asked)),
        *(
            f"{draw}: was asked for and never made"
            for draw in asked
            if draw not in made and draw not in dropped
        ),
        *(f"{tournament} {what}" for tournament, what in wrong_takings(history)),
    ]
    if not asked and history.at_rest:
        found.append("nothing was drawn")
    if not history.at_rest:
        found = [what for what in found if not what.endswith("never made")]
    return judged(NAME, found, f"{len(made):,} draws made again")


def asked_in(history: History) -> dict[str, Asked]:
    """Collect the questions of all tournaments by the draws that answer them."""
    asked: dict[str, Asked] = {}
    for tournament, facts in history.streams("director").items():
        latest: Asked | None = None
        for fact in facts:
            if isinstance(fact.event, DrawAwaited):
                draw = draw_of(tournament, fact.n)
                if draw in asked:
                    asked[draw].others.append(fact.event)
                else:
                    latest = asked[draw] = Asked(fact.event, [], [])
            elif isinstance(fact.event, DrawTaken) and latest is not None:
                latest.taken.append(fact.event)
    return asked


def dropped_in(history: History) -> set[str]:
    """Return the draws that were open when their tournament was given up: nobody waits for them."""
    dropped: set[str] = set()
    for tournament, facts in history.streams("director").items():
        latest = ""
        for fact in facts:
            if isinstance(fact.event, DrawAwaited):
                latest = draw_of(tournament, fact.n)
            elif isinstance(fact.event, DrawTaken):
                latest = ""
            elif isinstance(fact.event, CancellationOpened) and latest:
                dropped.add(latest)
    return dropped


def tournaments_that_drew(history: History) -> set[str]:
    """Return who has asked for a draw or taken one."""
    facts = history.of("director")
    return {fact.stream for fact in facts if isinstance(fact.event, DrawAwaited | DrawTaken)}


def wrong_takings(history: History) -> Iterator[tuple[str, str]]:
    """Yield each tournament that has taken a draw before it asked for any."""
    for tournament, facts in history.streams("director").items():
        kinds = [type(fact.event) for fact in facts]
        taken = [fact.n for fact in facts if isinstance(fact.event, DrawTaken)]
        if taken and DrawAwaited not in kinds[: kinds.index(DrawTaken)]:
            yield tournament, f"took a draw in its commit {taken[0]} that it had not asked for"


def draw_of(tournament: str, n: int) -> str:
    """Name the draw that answers a commit."""
    return f"drw_{tournament.removeprefix('trn_')}_{n}"


def made_in(history: History) -> Mapping[str, list[tuple[Fact, DrawMade]]]:
    """Collect what the dealer made, by draw."""
    made: defaultdict[str, list[tuple[Fact, DrawMade]]] = defaultdict(list)
    for fact in history.of("dealer"):
        if isinstance(fact.event, DrawMade):
            made[fact.event.draw].append((fact, fact.event))
    return made


def wrong_draw(
    draw: str, made: Sequence[tuple[Fact, DrawMade]], asked: Mapping[str, Asked]
) -> Iterator[str]:
    """Compare one draw with its question, its bytes and what was taken of it."""
    if len(made) != 1:
        yield f"was made {len(made)} times"
        return
    ((fact, event),) = made
    if fact.stream != draw:
        yield f"stands in {fact.stream}"
    if draw not in asked:
        yield "nobody asked for it"
        return
    question, taken, others = asked[draw]
    if others:
        yield "was one of several that were asked for at once"
    if event.purpose != question.purpose:
        yield f"was asked for {question.purpose}, made for {event.purpose}"
    if event.order != order_made_of(question.count, event.source):
        yield "does not follow from its bytes"
    if any(
        (one.purpose, one.candidates, one.order)
        != (question.purpose, question.candidates, event.order)
        for one in taken
    ):
        yield "another order was taken"
    if len(taken) > 1:
        yield f"was taken {len(taken)} times"


def order_made_of(count: int, source: bytes) -> tuple[int, ...] | None:
    """Make an order of so many from its bytes; None where these are not of any order."""
    order, at = list(range(count)), 0
    for last in range(count - 1, 0, -1):
        width = 1 if last + 1 <= ONE_BYTE else 2
        accepted = ONE_BYTE**width // (last + 1) * (last + 1)
        number = accepted
        while number >= accepted:
            if at + width > len(source):
                return None
            number = int.from_bytes(source[at : at + width], "big")
            at += width
        pick = number % (last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order) if at == len(source) else None
