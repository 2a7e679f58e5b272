"""What rows about the wallet begin with: people who are identified, and money of theirs."""

import pytest

from services.wallet.core import WalletRules, make_decider
from services.wallet.core.evolve import EVOLVES
from shared.contracts.director import EntryRequested, PlayerRegistered
from shared.contracts.wallet import (
    AccountClosed,
    AccountIdentified,
    AccountOpened,
    AccountSuspended,
    Deposit,
    Posting,
)
from shared.kernel.decider import Refused

ANN, BEA, NOBODY, TRN = "ply_ann", "ply_bea", "ply_nobody", "trn_1"
FEE, COMMISSION = 1_000, 100
PRICE = FEE + COMMISSION
DECIDER = make_decider(WalletRules(bonus_cents=0))


def after(*told):
    """Return the state after these events, as they stand in the log, and commands, all accepted."""
    wallet = DECIDER.initial
    for one in told:
        if type(one) in EVOLVES:
            wallet = DECIDER.evolve(wallet, one)
        else:
            stepped = DECIDER.step(wallet, one, 0)
            assert not isinstance(stepped, Refused), stepped
            _, wallet = stepped
    return wallet


def person(player, cents=0):
    """Somebody who may play, and has brought so much along."""
    known = (AccountOpened(player=player, name=player), AccountIdentified(player=player))
    paid = Deposit(player=player, amount_cents=cents, reference=f"first-{player}")
    return (*known, paid) if cents else known


def suspended(player):
    return AccountSuspended(player=player, author="opr_1", reason="a question is open")


def closed(player):
    return AccountClosed(player=player, author="opr_1", reason="as asked")


def entry(player, tournament=TRN, n=1):
    return {"tournament": tournament, "entry": f"{tournament}/{player}/{n}", "player": player}


def entered(player, tournament=TRN, fee=FEE, commission=COMMISSION):
    """Two facts: the price is held, and posted."""
    money = {"fee_cents": fee, "commission_cents": commission}
    about = entry(player, tournament)
    return (EntryRequested(**about, **money, deadline_ms=0), PlayerRegistered(**about, **money))


def postings(*lines):
    return tuple(Posting(*line) for line in lines)


def moved(event):
    """What an event's postings do to each ledger account."""
    return {posting.account: posting.amount_cents for posting in event.postings}


def decided(wallet, fact):
    """The first event of a decision; an errand may be asked for with it."""
    return DECIDER.decide(wallet, fact, 0)[0]


def unmoved(wallet, fact):
    """Tell whether a fact changes nothing."""
    return DECIDER.step(wallet, fact, 0) == ((), wallet)


def named(rows):
    """Parametrize by rows whose first cell is the name of the case."""
    return [pytest.param(*row[1:], id=row[0]) for row in rows]
