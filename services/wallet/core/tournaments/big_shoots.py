"""Big Shoots (BH-BIGSHOOT): pools carried to the next stage, and who is still in a series.

Here all of a player's entries meet, so here is known who may buy into a stage 1 again. A pool goes
with who has qualified, once a tournament; what they get instead of playing on is never refused.
"""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import JournalContradicted, pool, posted
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.from_pool import is_paid, paid_out
from services.wallet.core.tournaments.state import Carried, series_key, stage_prize_key
from services.wallet.core.tournaments.tickets import Buying
from shared.contracts.director import (
    EntryRequested,
    LeftBigShoot,
    QualifiersNamed,
    StagePrizeDue,
)
from shared.contracts.wallet import BigShootLeft, PoolCarried, StagePrizePaid, WalletEvent


def series_of(fact: Buying) -> str:
    """Return the Big Shoot that an entry is for, "" for none: more chips change nothing there."""
    return fact.series if isinstance(fact, EntryRequested) else ""


def big_shoot_obstacle(wallet: Wallet, fact: Buying) -> str | None:
    """Nobody buys into a stage 1 while in another tournament of the series."""
    tournament = wallet.in_big_shoots.get(series_key(series_of(fact), fact.player))
    return None if tournament in (None, fact.tournament) else "still_in_big_shoot"


def carry_pool(wallet: Wallet, fact: QualifiersNamed, _now: Now) -> tuple[WalletEvent, ...]:
    """Let the pool follow who has qualified; the same tournament said otherwise is no retry."""
    due = carried_as(fact)
    known = wallet.carried.get(fact.tournament)
    if known == due:
        return ()
    if known is not None:
        raise JournalContradicted(f"the pool of {fact.tournament} was carried as {known}")
    if min(due.amount_cents, due.fee_cents, due.commission_cents, due.withdrawal_cents) < 0:
        raise JournalContradicted(f"the pool of {fact.tournament} is carried below nothing")
    if fact.target == fact.tournament:
        raise JournalContradicted(f"the pool of {fact.tournament} is carried to itself")
    lines = ((pool(fact.tournament), -due.amount_cents), (pool(fact.target), due.amount_cents))
    carried = PoolCarried(
        tournament=fact.target,
        from_tournament=fact.tournament,
        series=fact.series,
        players=fact.players,
        amount_cents=fact.amount_cents,
        fee_cents=fact.fee_cents,
        commission_cents=fact.commission_cents,
        withdrawal_cents=fact.withdrawal_cents,
        postings=posted(wallet, *lines),
    )
    return (carried,)


def carried_as(fact: QualifiersNamed) -> Carried:
    """Say what is carried, to tell a retry from a contradiction."""
    return Carried(
        target=fact.target,
        series=fact.series,
        players=fact.players,
        amount_cents=fact.amount_cents,
        fee_cents=fact.fee_cents,
        commission_cents=fact.commission_cents,
        withdrawal_cents=fact.withdrawal_cents,
    )


def pay_stage_prize(wallet: Wallet, fact: StagePrizeDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay who does not play on, out of the target's pool; another amount is not a retry."""
    key = stage_prize_key(fact)
    if is_paid(key, wallet.stage_prizes.get(key), fact.amount_cents):
        return ()
    credited, postings = paid_out(wallet, fact.tournament, fact.player, fact.amount_cents)
    prize = StagePrizePaid(
        tournament=fact.tournament,
        from_tournament=fact.from_tournament,
        player=fact.player,
        amount_cents=fact.amount_cents,
        credited=credited,
        postings=postings,
    )
    return (prize,)


def free(wallet: Wallet, fact: LeftBigShoot, _now: Now) -> tuple[WalletEvent, ...]:
    """Let go of those whom this tournament was the last to keep in the series."""
    players = tuple(
        player
        for player in fact.players
        if wallet.in_big_shoots.get(series_key(fact.series, player)) == fact.tournament
    )
    if not players:
        return ()
    return (BigShootLeft(tournament=fact.tournament, series=fact.series, players=players),)


DECIDES: Decides = {
    QualifiersNamed: carry_pool,
    StagePrizeDue: pay_stage_prize,
    LeftBigShoot: free,
}
