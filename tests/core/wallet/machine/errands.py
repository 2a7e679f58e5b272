"""Errands come back from outside: done, failed for ever, or left for a later batch."""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from services.wallet.core import (
    KeyErased,
    Mailed,
    ParticipationIssued,
    PaymentRejected,
    PaymentStarted,
    SessionIssued,
    TakeOutcomes,
    Unmailable,
    awaiting,
)
from shared.contracts.wallet import (
    EraseKey,
    IssueParticipationId,
    IssueSessionId,
    MailWarning,
    SendDeposit,
    SendWithdrawal,
)
from shared.kernel.decider import Refused
from tests.core.wallet.machine.journal import Journal

PAYMENTS = [
    lambda it: PaymentStarted(it.payment, f"prv_{it.payment}", ""),
    lambda it: PaymentRejected(it.payment, "not_today"),
]
OUTCOMES = {
    # how each errand can come out; what stands not here is left for a later batch
    SendDeposit: PAYMENTS,
    SendWithdrawal: PAYMENTS,
    MailWarning: [
        lambda it: Mailed(it.player, it.number),
        lambda it: Unmailable(it.player, it.number, "address_unknown"),
    ],
    EraseKey: [lambda it: KeyErased(it.player)],
    IssueSessionId: [lambda it: SessionIssued(it.tournament, f"M/{it.tournament}")],
    IssueParticipationId: [
        lambda it: ParticipationIssued(it.tournament, it.entry, it.player, f"N/{it.entry}")
    ],
}


class ErrandsOut(Journal):
    """Rules about the batch that is out."""

    @precondition(lambda self: awaiting(self.wallet))
    @rule(data=st.data())
    def a_batch_comes_back(self, data):
        batch = awaiting(self.wallet)
        other = TakeOutcomes(number=batch.number + 1, outcomes=(), left=())
        assert isinstance(self.ask(other), Refused)
        outcomes, left = [], []
        for errand in batch.errands:
            come = data.draw(st.sampled_from([*OUTCOMES.get(type(errand), []), None]))
            if come is None:
                left.append(errand)
            else:
                outcomes.append(come(errand))
        back = TakeOutcomes(number=batch.number, outcomes=tuple(outcomes), left=tuple(left))
        assert not isinstance(self.ask(back), Refused)
