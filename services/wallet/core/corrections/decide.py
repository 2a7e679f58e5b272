"""An operator sets the journal right; reasons stand in the order in which they are looked for.

`correction_invalid`, `corrects_invalid`, `lines_invalid`, `author_invalid`, `reason_invalid`,
`does_not_balance`, `exists_with_different_content`, `nothing_to_settle`, `unknown_ledger_account`,
`would_go_below_zero`. The first six are of the request alone, so that a retry of what was posted
is answered before the balances, which go on, are looked at.
"""

from services.wallet.core.authors import authorship_problem
from services.wallet.core.corrections.correctable import is_correctable
from services.wallet.core.corrections.state import Correction
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.ledger import OWING, balance_of, posted
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import CorrectionLine, CorrectionPosted, PostCorrection
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.kernel.money import amount_problem

LINES_MAX = 16
COMMIT_NUMBER_MAX = 2**53 - 1

Lines = tuple[CorrectionLine, ...]


def post_correction(wallet: Wallet, request: PostCorrection, _now: Now) -> Decision:
    """Post an operator's lines as they are, once; nobody but who may owe gets below zero."""
    if refused := form_problem(request):
        return refused
    correction = Correction(
        request.corrects, request.lines, request.author, request.reason, request.settles
    )
    done = wallet.corrections.get(request.correction)
    if done is not None:
        return () if done == correction else Refused("exists_with_different_content")
    if request.settles and request.settles not in wallet.differing:
        return Refused("nothing_to_settle", "no payment of this name is of another amount")
    if refused := line_problem(wallet, request.lines):
        return refused
    lines = [(line.account, line.amount_cents) for line in request.lines]
    corrected = CorrectionPosted(
        correction=request.correction,
        corrects=request.corrects,
        author=request.author,
        reason=request.reason,
        postings=posted(wallet, *lines),
        settles=request.settles,
    )
    return (corrected,)


def form_problem(request: PostCorrection) -> Refused | None:
    """Look at the request alone."""
    if not is_derived_id(request.correction, "cor"):
        return Refused("correction_invalid", "a correction is named cor_…")
    if not 1 <= request.corrects <= COMMIT_NUMBER_MAX:
        return Refused("corrects_invalid", "the journal's commits count from 1")
    if detail := shape_problem(request.lines, 0 if request.settles else 1):
        return Refused("lines_invalid", detail)
    if problem := authorship_problem(request.author, request.reason):
        return Refused(problem)
    surplus = sum(line.amount_cents for line in request.lines)
    return Refused("does_not_balance", f"the lines sum to {surplus} cents") if surplus else None


def shape_problem(lines: Lines, lines_min: int) -> str | None:
    """Say what is wrong with the lines, whatever the journal says."""
    if not lines_min <= len(lines) <= LINES_MAX:
        return f"{lines_min} to {LINES_MAX} lines, not {len(lines)}"
    accounts = [line.account for line in lines]
    if len(set(accounts)) != len(accounts):
        return "a ledger account stands there twice"
    wrong = [line.account for line in lines if amount_problem(abs(line.amount_cents))]
    return f"{wrong[0]}: nothing, or too much" if wrong else None


def line_problem(wallet: Wallet, lines: Lines) -> Refused | None:
    """Look at the lines beside the journal, the first that is wrong in the order they are given."""
    for line in lines:
        if not is_correctable(wallet, line.account):
            return Refused("unknown_ledger_account", line.account)
    for line in lines:
        after = balance_of(wallet, line.account) + line.amount_cents
        if after < 0 and line.account not in OWING:
            return Refused("would_go_below_zero", f"{line.account} would hold {after} cents")
    return None


DECIDES: Decides = {PostCorrection: post_correction}
