"""How corrections change the journal."""

from msgspec.structs import replace

from services.wallet.core.corrections.state import Correction
from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.payments.evolve import agreed
from services.wallet.core.state import Wallet
from shared.contracts.wallet import CorrectionLine, CorrectionPosted


def corrected(wallet: Wallet, event: CorrectionPosted) -> Wallet:
    """The lines are told by the postings: none of them is of nothing."""
    lines = tuple(CorrectionLine(one.account, one.amount_cents) for one in event.postings)
    correction = Correction(event.corrects, lines, event.author, event.reason, event.settles)
    if event.settles:
        wallet = agreed(wallet, event.settles)
    return replace(
        wallet,
        corrections=wallet.corrections.insert(event.correction, correction),
        balances=after(wallet.balances, event.postings),
    )


EVOLVES: Evolves = {CorrectionPosted: corrected}
