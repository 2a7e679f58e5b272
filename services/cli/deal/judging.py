"""What an outsider can say of an exported deal: commitment, openings, order of dealing, draws.

This module and all that it judges with share no code with the dealer; `pyproject.toml` keeps
it so. What it knows of decks and draws is written from the dealer's published words.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.cli.deal.course import around_hands, wrong_course
from services.cli.deal.file import Export, wrong_chains
from services.cli.verdicts.cards import Deck, decks_of, openings_in, statements_of, wrong_hand
from services.cli.verdicts.draws import (
    asked_in,
    made_in,
    tournaments_that_drew,
    wrong_draw,
    wrong_takings,
)
from services.cli.verdicts.history import PlayedHand, hands_of
from services.cli.verdicts.seeds import wrong_seeds
from shared.contracts.hand import BoardDealt, HandShown

Chains = Mapping[str, Sequence[str]]


class Finding(msgspec.Struct, frozen=True):
    """One hand or one draw: whether all is right, and what is wrong or what was seen."""

    what: str
    right: bool
    detail: str


def findings(export: Export) -> list[Finding]:
    """Judge everything in a file; what belongs to no hand and no draw is wrong."""
    chains: dict[str, list[str]] = {}
    for stream, wrong in wrong_chains(export):
        chains.setdefault(stream, []).append(wrong)
    for stream, wrong in wrong_takings(export.history):
        chains.setdefault(stream, []).append(wrong)
    found = [*of_hands(export, chains), *of_draws(export, chains)]
    told = {finding.what for finding in found}
    tables = {hand.table for hand in hands_of(export.history)}
    tournaments = tournaments_that_drew(export.history)
    for stream in export.streams():
        wrongs = chains.get(stream, [])
        if stream not in tournaments and not wrongs:
            wrongs = ["holds no hand and no draw"]
        if stream not in told and stream not in tables and wrongs:
            found.append(Finding(stream, right=False, detail="; ".join(wrongs)))
    if not told:
        found.append(Finding("file", right=False, detail="holds no hand and no draw"))
    return found + [Finding("file", right=False, detail=what) for what in export.history.unreadable]


def of_hands(export: Export, chains: Chains) -> Iterator[Finding]:
    """Judge every hand that either side speaks of."""
    hands, decks = played_in(export), decks_of(export.history)
    stated, seeds = statements_of(export.history), list(wrong_seeds(export.history))
    around = around_hands(export.history)
    for name in dict.fromkeys([*hands, *decks]):
        if len(played := hands.get(name, [])) != 1:
            lacking = "the table's side is not in the file"
            yield Finding(name, right=False, detail="was started twice" if played else lacking)
            continue
        (hand,) = played
        wrong = [
            *chains.get(name, ()),
            *chains.get(hand.table, ()),
            *wrong_hand(hand, decks, stated, going_on=False),
            *wrong_course(hand, around[name]),
            *(what for of_hand, what in seeds if of_hand == name),
        ]
        detail = "; ".join(wrong) if wrong else seen(hand, decks[name])
        yield Finding(name, right=not wrong, detail=detail)


def played_in(export: Export) -> dict[str, list[PlayedHand]]:
    """Collect the table's hands by name."""
    hands: dict[str, list[PlayedHand]] = {}
    for hand in hands_of(export.history):
        hands.setdefault(hand.name, []).append(hand)
    return hands


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


def of_draws(export: Export, chains: Chains) -> Iterator[Finding]:
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
            detail = f"{question.purpose}, from {question.count} candidates"
        yield Finding(draw, right=not wrong, detail=detail)
