"""*Journal sums to zero*: the ledger added up again from its postings alone."""

from collections import Counter
from collections.abc import Iterator

from services.cli.verdicts.history import Fact, History
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.wallet import Posting

NAME = "journal sums to zero"
OF_ONE = ("cash", "hold", "withdrawal", "ticket", "pool")
OF_ALL = ("commission", "unclaimed")
MAY_OWE = ("external", "promotions", "top-up", "chargebacks", "house")


def journal_sums_to_zero(history: History) -> Verdict:
    """Every entry balances, every balance is the running one, none owes but who may."""
    balances: Counter[str] = Counter()
    found = [*history.unreadable, *wrong_postings(history, balances)]
    postings = sum(len(postings_of(fact)) for fact in history.of("wallet"))
    summary = f"{postings} postings on {len(balances)} accounts sum to {sum(balances.values())}"
    return judged(NAME, found, summary)


def wrong_postings(history: History, balances: Counter[str]) -> Iterator[str]:
    """Follow the journal, keeping the balances, and complain on the way."""
    posted = False
    for fact in history.of("wallet"):
        postings = postings_of(fact)
        posted = posted or bool(postings)
        amounts = sum(posting.amount_cents for posting in postings)
        if amounts:
            yield f"{fact.where}: {type(fact.event).__name__} is out of balance by {amounts} cents"
        for posting in postings:
            yield from wrong_posting(fact, posting, balances)
    if sum(balances.values()):
        yield f"all balances sum to {sum(balances.values())} cents"
    if not posted and history.at_rest:
        yield "nothing was posted"


def wrong_posting(fact: Fact, posting: Posting, balances: Counter[str]) -> Iterator[str]:
    """Take in one posting."""
    account = posting.account
    balances[account] += posting.amount_cents
    balance = balances[account]
    if not is_ledger_account(account):
        yield f"{fact.where}: {account} is no ledger account"
    if posting.balance_cents != balance:
        yield f"{fact.where}: {account} is said to hold {posting.balance_cents}, not {balance}"
    if balance < 0 and account not in MAY_OWE:
        yield f"{fact.where}: {account} holds {balance} cents"


def is_ledger_account(account: str) -> bool:
    """Tell whether money may be there: a kind by itself, or a kind and whose it is."""
    kind, slash, whose = account.partition("/")
    return kind in OF_ONE and bool(whose) if slash else kind in (*OF_ALL, *MAY_OWE)


def postings_of(fact: Fact) -> tuple[Posting, ...]:
    """Return the postings of an event; most facts of accounts have none."""
    postings: tuple[Posting, ...] = getattr(fact.event, "postings", ())
    return postings


def final_balances(history: History) -> Counter[str]:
    """Return what every ledger account holds at the end."""
    balances: Counter[str] = Counter()
    for fact in history.of("wallet"):
        for posting in postings_of(fact):
            balances[posting.account] += posting.amount_cents
    return balances
