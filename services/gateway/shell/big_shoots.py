"""The stages of a Big Shoot, as the lobby shows them: who comes from where, and with what money.

All of it is the director's word; the wallet's is only what was paid.
"""

import msgspec

from services.gateway.shell.tournament import Fed, Qualified, Tournament
from shared.contracts.director import (
    PlayersQualified,
    QualifiersNamed,
    StagePrizeDue,
)


def series_of(known: Tournament) -> str:
    """Return the Big Shoot that a tournament is a stage of, "" for none: the final's own id."""
    stage = known.terms.big_shoot
    return (stage.series or known.tournament) if stage else ""


def named(known: Tournament, event: QualifiersNamed) -> None:
    """The pool leaves with who goes on."""
    known.sent = Fed(event.players, event.amount_cents)


def qualified(known: Tournament, event: PlayersQualified) -> None:
    """These are registered as if they had entered; what they bring is in the pool."""
    known.fed[event.from_tournament] = Fed(event.players, event.amount_cents)
    known.collected_cents += event.amount_cents
    known.entries_sold += len(event.players)
    known.not_before_ms = max(known.not_before_ms, event.not_before_ms)
    for player in event.players:
        known.entries[player] = ""
        known.qualified[player, event.from_tournament] = Qualified(event.withdrawal_cents)


def stage_prize_due(known: Tournament, event: StagePrizeDue) -> None:
    """Who withdraws leaves; others share what has come where there is nothing to play for."""
    if event.withdrew:
        del known.entries[event.player]
        known.entries_sold -= 1
        known.collected_cents -= event.amount_cents
    key = event.player, event.from_tournament
    before = known.qualified.get(key, Qualified(0))
    known.qualified[key] = msgspec.structs.replace(
        before, withdrew=event.withdrew, instead_cents=event.amount_cents
    )
