"""Bounties as an auditor wins them anew: whose, from whom and how much, by the hands' own words."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from services.cli.verdicts.history import History
from shared.contracts.director import (
    BountyDue,
    HandDigested,
    PlayerRegistered,
    PlayerUnregistered,
    RebuyGranted,
    StageEnded,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
)
from shared.contracts.hand import HandEnded

Share = tuple[str, int, int]


class Ledger(msgspec.Struct):
    """One tournament's bounties; `fallen` are players whose last hand has left them no chips.

    `knock_outs` are by hand and loser the shares that are still to come: winner, cents, and cents
    that are added to the winner's own.
    """

    brought_cents: int = 0
    progressive: bool = False
    over: bool = False
    on: dict[str, int] = {}
    fallen: set[str] = set()
    knock_outs: dict[tuple[str, str], list[Share]] = {}

    def bring(self, player: str) -> None:
        """An entry or a rebuy has a bounty in its fee."""
        self.change(player, self.brought_cents)
        self.fallen.discard(player)

    def change(self, player: str, by_cents: int) -> None:
        """There is so much more to win of a player, or less."""
        self.on[player] = self.on.get(player, 0) + by_cents


def wrong_bounties(history: History) -> Iterator[str]:
    """Follow every tournament that has bounties."""
    ended = {f.event.hand: f.event for f in history.of("table") if isinstance(f.event, HandEnded)}
    for name, facts in history.streams("director").items():
        ledger = Ledger()
        for fact in facts:
            yield from (f"{name}: {what}" for what in follow(ledger, fact.event, ended))
        if ledger.over:
            yield from (f"{name}: {what}" for what in left_over(ledger))


def follow(ledger: Ledger, event: Any, ended: Mapping[str, HandEnded]) -> Iterator[str]:
    """Take in one fact of the director's."""
    match event:
        case TournamentCreated():
            ledger.brought_cents = event.terms.bounty_cents
            ledger.progressive = event.terms.progressive
        case BountyDue(hand=""):
            yield from own(ledger, event)
        case BountyDue():
            yield from won(ledger, event, ended)
        case TournamentFinished() | TournamentCancelled():
            ledger.over = True
        case _:
            note_players(ledger, event)


def note_players(ledger: Ledger, event: Any) -> None:
    """Take in who comes, buys, falls or goes on."""
    match event:
        case PlayerRegistered() | RebuyGranted(kind="rebuy"):
            ledger.bring(event.player)
        case RebuyGranted():
            ledger.fallen.discard(event.player)
        case PlayerUnregistered():
            ledger.on.pop(event.player, None)
        case HandDigested():
            ledger.fallen -= {seat.player for seat in event.seats}
            ledger.fallen |= {seat.player for seat in event.seats if not seat.stack_chips}
        case StageEnded():
            ledger.fallen -= {standing.player for standing in event.standings}
        case _:
            pass


def own(ledger: Ledger, event: BountyDue) -> Iterator[str]:
    """Who was not knocked out gets the own one, whole."""
    whole = ledger.on.pop(event.knocked_out, 0)
    if event.player != event.knocked_out or event.player in ledger.fallen:
        yield f"{event.player} gets the bounty of {event.knocked_out} without a hand"
    if (event.amount_cents, event.added_cents) != (whole, 0):
        yield f"the bounty of {event.player} is {whole} cents, {event.amount_cents} are due"


def won(ledger: Ledger, event: BountyDue, ended: Mapping[str, HandEnded]) -> Iterator[str]:
    """Who took the last chips shares it; a hand that no log has is judged with the chips."""
    hand = ended.get(event.hand)
    if hand is None:
        ledger.change(event.knocked_out, -event.amount_cents - event.added_cents)
    else:
        yield from wrong_share(ledger, event, hand)
    ledger.change(event.player, event.added_cents)


def wrong_share(ledger: Ledger, event: BountyDue, hand: HandEnded) -> Iterator[str]:
    """Shares come in the order that the table has paid the winners in."""
    key = event.hand, event.knocked_out
    if key not in ledger.knock_outs:
        takers, whole = takers_of(hand, event.knocked_out), ledger.on.pop(event.knocked_out, 0)
        ledger.knock_outs[key] = shares_of(whole, takers, progressive=ledger.progressive)
    due = ledger.knock_outs[key]
    wanted = due.pop(0) if due else None
    if wanted != (event.player, event.amount_cents, event.added_cents):
        yield (
            f"of {event.knocked_out} in {event.hand} {event.player} gets {event.amount_cents} and "
            f"{event.added_cents} more to lose, not {wanted}"
        )


def takers_of(ended: HandEnded, player: str) -> tuple[str, ...]:
    """Read in the hand who won the last pot that a player contested."""
    player_at = {seat.seat: seat.player for seat in ended.seats}
    return tuple(
        player_at[seat]
        for fallen in ended.knock_outs
        if player_at[fallen.seat] == player
        for seat in fallen.by
    )


def shares_of(cents: int, takers: tuple[str, ...], *, progressive: bool) -> list[Share]:
    """Share a bounty evenly, odd cents to the first; of a progressive one half is kept, floored."""
    found: list[Share] = []
    for nth, taker in enumerate(takers):
        share = (cents + len(takers) - 1 - nth) // len(takers)
        kept = share // 2 if progressive else 0
        if share:
            found.append((taker, share - kept, kept))
    return found


def left_over(ledger: Ledger) -> Iterator[str]:
    """In the end every bounty is won, in all its shares."""
    yield from (
        f"the bounty of {player} was never won" for player, left in ledger.on.items() if left
    )
    for (hand, player), shares in ledger.knock_outs.items():
        yield from (f"{taker} gets nothing of {player} in {hand}" for taker, _, _ in shares)
