"""Player entropy: what players add to the chance of a deck that the dealer is bound to already.

A seed is refused for the first of these that holds:

    unknown_hand        no hand with this name is scheduled or runs here
    no_player_entropy   the terms have none
    not_seated          the player has no seat at this table
    not_dealt_in        the player has a seat, but is not in the cleared roster
    seeds_not_open      the dealer is not bound yet, or the hand has started
    seed_given          this player has given one; it stands
    bad_seed            it has not 32 bytes

Nobody is waited for but those who are dealt in and not Out, and for them until `until_ms`. That
is no clock of a player: an outage is not given back to it, since who gives no seed loses no chips.
As with an action, a seed that comes after `until_ms` still counts as long as the hand waits.
"""

from services.table.core.flow import Step, recorded
from services.table.core.state import Table, opened, seat_of
from shared.contracts.dealer import PLAYER_SEED_BYTES, DealtIn, PromisedDeck, SeatSeed
from shared.contracts.hand import HandScheduled, SeedGiven, SeedsInvited
from shared.contracts.table import GiveSeed
from shared.kernel.decider import Refused


def take_promise(table: Table, answer: PromisedDeck, at_ms: int) -> Step | Refused:
    """The dealer is bound: now the players' seeds may come."""
    coming, seeding = table.scheduled, table.seeding
    if coming is None or coming.hand != answer.hand:
        return Refused("unknown_hand")
    if seeding is None or seeding.promise:
        return Refused("not_awaited")
    if not answer.promise:
        return Refused("no_promise")
    until_ms = max(at_ms + opened(table).seed_ms, coming.not_before_ms)
    invited = SeedsInvited(hand=coming.hand, promise=answer.promise, until_ms=until_ms)
    return recorded(table, (invited,))


def give_seed(table: Table, request: GiveSeed, _at_ms: int) -> Step | Refused:
    """Record one player's seed."""
    coming, player = table.scheduled, request.player
    roster = roster_of(table, request.hand)
    if roster is None:
        return Refused("unknown_hand")
    if not opened(table).player_entropy:
        return Refused("no_player_entropy")
    if seat_of(table.seats, player) is None:
        return Refused("not_seated")
    seat = next((dealt.seat for dealt in roster if dealt.player == player), None)
    if seat is None:
        return Refused("not_dealt_in")
    seeding = table.seeding
    if coming is None or coming.hand != request.hand or seeding is None or not seeding.promise:
        return Refused("seeds_not_open")
    if any(given.player == player for given in seeding.given):
        return Refused("seed_given")
    if len(request.seed) != PLAYER_SEED_BYTES:
        return Refused("bad_seed", f"a seed has {PLAYER_SEED_BYTES} bytes")
    given = SeedGiven(hand=coming.hand, seat=seat, player=player, seed=request.seed)
    return recorded(table, (given,))


def roster_of(table: Table, hand: str) -> tuple[DealtIn, ...] | None:
    """Return who is dealt in, in the hand that is scheduled or in the one that runs."""
    if table.scheduled is not None and table.scheduled.hand == hand:
        return table.scheduled.roster
    if table.hand is not None and table.hand.started.hand == hand:
        return tuple([DealtIn(dealt.seat, dealt.player) for dealt in table.hand.started.seats])
    return None


def due_ms(table: Table, coming: HandScheduled) -> int | None:
    """Return when the scheduled hand starts; None while the dealer is not bound."""
    seeding = table.seeding
    if seeding is None:
        return coming.not_before_ms
    if not seeding.promise:
        return None
    giving = [given.player for given in seeding.given]
    awaited = [
        dealt.player
        for dealt in coming.roster
        if dealt.player not in giving and dealt.player not in table.out
    ]
    return seeding.until_ms if awaited else coming.not_before_ms


def seeds_of(table: Table) -> tuple[bytes, tuple[SeatSeed, ...]]:
    """Return the promise and what was given since, as the dealer is asked with it."""
    if table.seeding is None:
        return b"", ()
    given = tuple([SeatSeed(given.seat, given.seed) for given in table.seeding.given])
    return table.seeding.promise, given
