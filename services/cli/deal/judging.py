"""What an outsider can say of an exported deal: commitment, openings, order of dealing, draws.

This module and all that it judges with share no code with the dealer; `pyproject.toml` keeps
it so. What it knows of decks and draws is written from the dealer's published words.
"""

from collections.abc import Iterator

import msgspec

from services.cli.deal.file import Export, wrong_chains
from services.cli.verdicts.cards import Deck, decks_of, openings_in, statements_of, wrong_hand
from services.cli.verdicts.draws import asked_in, made_in, wrong_draw
from services.cli.verdicts.history import PlayedHand, hands_of
from services.cli.verdicts.seeds import wrong_seeds
from shared.contracts.hand import ActionEvent, BoardDealt, HandMucked, HandsDealt, HandShown


class Finding(msgspec.Struct, frozen=True):
    """One hand or one draw: whether all is right, and what is wrong or what was seen."""

    what: str
    right: bool
    detail: str


def findings(export: Export) -> list[Finding]:
    """Judge everything in a file; what belongs to no hand and no draw is judged as a stream."""
    chains: dict[str, list[str]] = {}
    for stream, wrong in wrong_chains(export):
        chains.setdefault(stream, []).append(wrong)
    found = [*of_hands(export, chains), *of_draws(export, chains)]
    told = {finding.what for finding in found}
    return [
        *found,
        *(
            Finding(stream, right=False, detail="; ".join(wrong))
            for stream, wrong in chains.items()
            if stream not in told
        ),
        *(Finding("file", right=False, detail=what) for what in export.history.unreadable),
    ]


def of_hands(export: Export, chains: dict[str, list[str]]) -> Iterator[Finding]:
    """Judge every hand that either side speaks of."""
    hands, decks = {hand.name: hand for hand in hands_of(export.history)}, decks_of(export.history)
    stated, seeds = statements_of(export.history), list(wrong_seeds(export.history))
    for name in dict.fromkeys([*hands, *decks]):
        hand = hands.get(name)
        if hand is None:
            yield Finding(name, right=False, detail="the table's side is not in the file")
            continue
        wrong = [
            *chains.get(name, ()),
            *chains.get(hand.table, ()),
            *wrong_hand(hand, decks, stated, going_on=False),
            *wrong_course(hand),
            *(what for of_hand, what in seeds if of_hand == name),
        ]
        detail = "; ".join(wrong) if wrong else seen(hand, decks[name])
        yield Finding(name, right=not wrong, detail=detail)


def wrong_course(hand: PlayedHand) -> Iterator[str]:
    """Nobody acts before the deck is committed to, nobody who mucks is opened, all ends."""
    if hand.ended is None:
        yield "its end is not in the file"
    kinds = [type(fact.event) for fact in hand.facts]
    dealt = kinds.index(HandsDealt) if HandsDealt in kinds else len(kinds)
    if any(isinstance(fact.event, ActionEvent | BoardDealt) for fact in hand.facts[:dealt]):
        yield "somebody acted before the deck was committed to"
    events = [fact.event for fact in hand.facts]
    mucked = {event.seat for event in events if isinstance(event, HandMucked)}
    shown = {event.seat for event in events if isinstance(event, HandShown)}
    yield from (f"seat {seat} mucked and was shown" for seat in sorted(mucked & shown))


def seen(hand: PlayedHand, deck: Deck) -> str:
    """Say of a hand that is right what anybody may know of its cards."""
    events = [fact.event for fact in hand.facts]
    board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
    shown = [
        f"seat {event.seat} {' '.join(event.cards)}"
        for event in events
        if isinstance(event, HandShown)
    ]
    parts = [f"{len(openings_in(deck))} of 52 cards opened"]
    parts += [f"board {' '.join(board)}"] if board else []
    return ", ".join([*parts, *shown])


def of_draws(export: Export, chains: dict[str, list[str]]) -> Iterator[Finding]:
    """Judge every draw that either side speaks of."""
    asked, made = asked_in(export.history), made_in(export.history)
    for draw in dict.fromkeys([*asked, *made]):
        if draw not in made:
            yield Finding(draw, right=False, detail="the dealer's side is not in the file")
            continue
        wrong = [*chains.get(draw, ()), *wrong_draw(draw, made[draw], asked)]
        if draw in asked and not asked[draw].taken:
            wrong.append("what was taken of it is not in the file")
        detail = "; ".join(wrong)
        if not wrong:
            question = asked[draw].question
            detail = f"{question.purpose}, from {len(question.candidates)} candidates"
        yield Finding(draw, right=not wrong, detail=detail)
