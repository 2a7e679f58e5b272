"""Accounts, told as given/when/then rows: from signing up to who is forgotten (PP-ACCOUNT)."""

import pytest
from msgspec.structs import replace

from services.wallet.core import (
    DECIDER,
    FileSealed,
    KeyErased,
    OpenSealed,
    TakeOutcomes,
    WalletRules,
    make_decider,
    respond,
)
from services.wallet.core.accounts.bonus import withdrawable_cents
from shared.contracts.wallet import (
    NAMES_MAX,
    AccountClosed,
    AccountIdentified,
    AccountOpened,
    AccountReinstated,
    AccountSuspended,
    BonusGranted,
    CloseAccount,
    ContractFiled,
    Deposit,
    EraseKey,
    ErasePerson,
    ErasureOrdered,
    ErrandsAwaited,
    ErrandsRun,
    IdentifyAccount,
    PersonErased,
    PrizePaid,
    ReadAccount,
    ReadNames,
    ReadPerson,
    ReinstateAccount,
    RequestWithdrawal,
    SuspendAccount,
    TicketIssued,
)
from shared.kernel.decider import Refused
from tests.core.wallet.given import (
    ANN,
    NOBODY,
    TRN,
    after,
    closed,
    entered,
    moved,
    named,
    person,
    postings,
    suspended,
)

SAID = {"player": ANN, "author": "opr_1", "reason": "a question is open"}
OPEN = OpenSealed(player=ANN, sealed=b"Ann")
FILE = FileSealed(player=ANN, sealed=b"Ann Other")
IDENTIFY = IdentifyAccount(player=ANN)
SUSPEND, REINSTATE, CLOSE = SuspendAccount(**SAID), ReinstateAccount(**SAID), CloseAccount(**SAID)
ERASE = ErasePerson(player=ANN, author="opr_1")
DEPOSIT = Deposit(player=ANN, amount_cents=2_500, reference="bank-1")

PENDING = (OPEN,)
FILED = (*PENDING, FILE)
KNOWN = (*FILED, IDENTIFY)
SUSPENDED, CLOSED = (*KNOWN, SUSPEND), (*KNOWN, CLOSE)
KEY = ErrandsAwaited(number=1, errands=(EraseKey(ANN),))
ORDERED = (*CLOSED, ERASE)
ERASED = (*ORDERED, TakeOutcomes(number=1, outcomes=(KeyErased(ANN),), left=()))
OLD = (AccountOpened(player=ANN, name="Ann"),)
TICKET = TicketIssued(
    ticket=f"{TRN}/1",
    tournament=TRN,
    place=1,
    player=ANN,
    target="trn_2",
    value_cents=1_000,
    postings=postings((f"pool/{TRN}", -1_000, 0), (f"ticket/{TRN}/1", 1_000, 1_000)),
)
WITHDRAWAL = RequestWithdrawal(player=ANN, payment="pay_1", amount_cents=300)
WITH_TICKET = (*person(ANN, 1_100), *entered(ANN), TICKET)


def left(account, cents):
    return Refused("money_left", f"{account} holds {cents} cents")


ROWS = [
    # case, given, when, then
    ("signs up", (), OPEN, (AccountOpened(player=ANN, sealed=b"Ann"),)),
    ("signs up again", KNOWN, OPEN, ()),
    (
        "another name",
        PENDING,
        replace(OPEN, sealed=b"Bea"),
        Refused("exists_with_different_content"),
    ),
    ("files", PENDING, FILE, (ContractFiled(player=ANN, sealed=b"Ann Other"),)),
    ("files again", FILED, FILE, ()),
    ("files again, identified since", KNOWN, FILE, ()),
    (
        "files another while pending",
        FILED,
        replace(FILE, sealed=b"Ann A. Other"),
        (ContractFiled(player=ANN, sealed=b"Ann A. Other"),),
    ),
    (
        "files another once identified",
        KNOWN,
        replace(FILE, sealed=b"Bea"),
        Refused("not_pending", "the account is identified"),
    ),
    ("files for nobody", (), FILE, Refused("unknown_account")),
    ("identifies", FILED, IDENTIFY, (AccountIdentified(player=ANN),)),
    ("identifies again", KNOWN, IDENTIFY, ()),
    (
        "identifies on nothing",
        PENDING,
        IDENTIFY,
        Refused("no_contract", "nothing was filed that could be checked"),
    ),
    (
        "identifies who is suspended",
        SUSPENDED,
        IDENTIFY,
        Refused("not_pending", "the account is suspended"),
    ),
    ("identifies nobody", (), IDENTIFY, Refused("unknown_account")),
    ("identifies nonsense", (), replace(IDENTIFY, player="Ann"), Refused("player_id_invalid")),
    ("suspends", KNOWN, SUSPEND, (AccountSuspended(**SAID),)),
    ("suspends again", SUSPENDED, SUSPEND, ()),
    (
        "suspends who is pending",
        FILED,
        SUSPEND,
        Refused("not_identified", "the account is pending"),
    ),
    (
        "suspends who has gone",
        CLOSED,
        SUSPEND,
        Refused("not_identified", "the account is closed"),
    ),
    ("suspends nobody", (), SUSPEND, Refused("unknown_account")),
    ("suspends nonsense", (), replace(SUSPEND, player="A"), Refused("player_id_invalid")),
    ("suspends as nobody", (), replace(SUSPEND, author=""), Refused("author_invalid")),
    ("suspends for nothing", (), replace(SUSPEND, reason=" "), Refused("reason_invalid")),
    ("reinstates", SUSPENDED, REINSTATE, (AccountReinstated(**SAID),)),
    ("reinstates again", (*SUSPENDED, REINSTATE), REINSTATE, ()),
    (
        "reinstates who is closed",
        CLOSED,
        REINSTATE,
        Refused("not_suspended", "the account is closed"),
    ),
    (
        "reinstates who is pending",
        FILED,
        REINSTATE,
        Refused("not_suspended", "the account is pending"),
    ),
    ("reinstates for nothing", KNOWN, replace(REINSTATE, reason=""), Refused("reason_invalid")),
    ("closes who is pending", PENDING, CLOSE, (AccountClosed(**SAID),)),
    ("closes who is identified", KNOWN, CLOSE, (AccountClosed(**SAID),)),
    ("closes who is suspended", SUSPENDED, CLOSE, (AccountClosed(**SAID),)),
    ("closes again", CLOSED, CLOSE, ()),
    ("closes nobody", (), CLOSE, Refused("unknown_account")),
    ("closes as nobody", KNOWN, replace(CLOSE, author="\n"), Refused("author_invalid")),
    ("closes with cash", (*KNOWN, replace(DEPOSIT, amount_cents=1)), CLOSE, left(f"cash/{ANN}", 1)),
    (
        "closes with a hold",
        (*person(ANN, 1_100), entered(ANN)[0]),
        CLOSE,
        left(f"hold/{ANN}", 1_100),
    ),
    (
        "closes with a withdrawal",
        (*person(ANN, 300), WITHDRAWAL),
        CLOSE,
        left(f"withdrawal/{ANN}", 300),
    ),
    ("closes with a ticket", WITH_TICKET, CLOSE, left(f"ticket/{TRN}/1", 1_000)),
    ("erases", CLOSED, ERASE, (ErasureOrdered(player=ANN, author="opr_1"), KEY)),
    ("erases again", ORDERED, ERASE, ()),
    ("erases once more", ERASED, ERASE, ()),
    (
        "erases who is not closed",
        SUSPENDED,
        ERASE,
        Refused("not_closed", "the account is suspended"),
    ),
    ("erases nobody", (), ERASE, Refused("unknown_account")),
    ("erases nonsense", (), replace(ERASE, player=TRN), Refused("player_id_invalid")),
    ("erases as nobody", CLOSED, replace(ERASE, author=""), Refused("author_invalid")),
    (
        "the key is gone",
        ORDERED,
        TakeOutcomes(number=1, outcomes=(KeyErased(ANN),), left=()),
        (PersonErased(player=ANN), ErrandsRun(number=1, left=())),
    ),
    ("reads", PENDING, ReadAccount(player=ANN), ()),
    ("reads nobody", (), ReadAccount(player=ANN), Refused("unknown_account")),
    ("reads a person", PENDING, ReadPerson(player=ANN), ()),
    ("reads nobody's person", (), ReadPerson(player=ANN), Refused("unknown_account")),
    ("reads names", PENDING, ReadNames(players=(ANN, NOBODY)), ()),
    (
        "reads too many names",
        (),
        ReadNames(players=(ANN,) * (NAMES_MAX + 1)),
        Refused("too_many_players", f"at most {NAMES_MAX} at a time"),
    ),
]


@pytest.mark.parametrize(("given", "when", "then"), named(ROWS))
def test_accounts(given, when, then):
    assert DECIDER.decide(after(*given), when, 0) == then


def test_a_key_that_could_not_be_destroyed_yet_stays_an_errand():
    left_over = TakeOutcomes(number=1, outcomes=(), left=(EraseKey(ANN),))
    ran, again = DECIDER.decide(after(*ORDERED), left_over, 0)
    assert ran == ErrandsRun(number=1, left=(EraseKey(ANN),))
    assert again == replace(KEY, number=2)


def test_of_who_is_erased_the_wallet_keeps_nothing_but_the_account():
    account = after(*ERASED).accounts[ANN]
    assert (account.status, account.sealed, account.contract, account.name) == (
        "closed",
        b"",
        b"",
        "",
    )
    old = after(*OLD, closed(ANN), ERASE)
    assert after(*OLD).accounts[ANN].name == "Ann"
    assert DECIDER.evolve(old, PersonErased(player=ANN)).accounts[ANN].name == ""


def test_who_was_identified_before_contracts_were_filed_stays_so():
    wallet = after(*person(ANN))
    assert wallet.accounts[ANN].status == "identified"
    assert DECIDER.decide(wallet, IDENTIFY, 0) == ()


def test_a_view_says_how_far_it_is():
    filed = respond(after(*FILED), ReadAccount(player=ANN))
    assert (filed.status, filed.contract_filed, filed.withdrawable_cents) == ("pending", True, 0)
    assert not respond(after(*PENDING), ReadAccount(player=ANN)).contract_filed


def test_what_is_due_to_who_is_suspended_is_theirs_again_only_by_an_operators_hand():
    """Law 8: it is not refused; it waits unclaimed, and reinstating moves nothing."""
    prize = PrizePaid(
        tournament=TRN,
        place=1,
        player=ANN,
        amount_cents=600,
        credited="unclaimed",
        postings=postings((f"pool/{TRN}", -600, 400), ("unclaimed", 600, 600)),
    )
    wallet = after(*person(ANN, 1_100), *entered(ANN), suspended(ANN), prize, REINSTATE)
    assert wallet.balances["unclaimed"] == 600
    assert wallet.accounts[ANN].status == "identified"


# --- the bonus --------------------------------------------------------------------------------

GENEROUS = WalletRules(bonus_locked=False)
BONUS_ROWS = [
    # case, rules, given, deposit, what it earns, what may be withdrawn then
    ("the smallest that earns one", WalletRules(), KNOWN, 2_500, 1_000, 2_500),
    ("a cent less", WalletRules(), KNOWN, 2_499, 0, 2_499),
    ("one that may be withdrawn", GENEROUS, KNOWN, 2_500, 1_000, 3_500),
    ("turned off", WalletRules(bonus_cents=0), KNOWN, 2_500, 0, 2_500),
    (
        "not the first",
        WalletRules(),
        (*KNOWN, replace(DEPOSIT, amount_cents=1, reference="bank-0")),
        9_000,
        0,
        9_001,
    ),
]


@pytest.mark.parametrize(("rules", "given", "cents", "earned", "withdrawable"), named(BONUS_ROWS))
def test_the_bonus(rules, given, cents, earned, withdrawable):
    decider = make_decider(rules)
    events, wallet = decider.step(after(*given), replace(DEPOSIT, amount_cents=cents), 0)
    bonus = [moved(event) for event in events if isinstance(event, BonusGranted)]
    assert bonus == ([{"promotions": -earned, f"cash/{ANN}": earned}] if earned else [])
    assert withdrawable_cents(wallet, ANN) == withdrawable
    assert sum(wallet.balances.values()) == 0


def test_the_bonus_is_earned_once_and_a_repeated_deposit_earns_nothing():
    events, wallet = DECIDER.step(after(*KNOWN), DEPOSIT, 0)
    assert [type(event).__name__ for event in events] == ["MoneyDeposited", "BonusGranted"]
    assert DECIDER.step(wallet, DEPOSIT, 0) == ((), wallet)
    again, _ = DECIDER.step(wallet, replace(DEPOSIT, reference="bank-2"), 0)
    assert [type(event).__name__ for event in again] == ["MoneyDeposited"]


def test_who_deposited_before_there_was_a_bonus_gets_none_for_the_next_deposit():
    wallet = after(*person(ANN, 5_000))
    again, _ = DECIDER.step(wallet, DEPOSIT, 0)
    assert not any(isinstance(event, BonusGranted) for event in again)


def test_what_is_locked_may_be_played_with():
    wallet = DECIDER.step(after(*KNOWN), DEPOSIT, 0)[1]
    for fact in entered(ANN, fee=3_400):
        wallet = DECIDER.step(wallet, fact, 0)[1]
    assert wallet.balances[f"cash/{ANN}"] == 0
    assert withdrawable_cents(wallet, ANN) == 0
