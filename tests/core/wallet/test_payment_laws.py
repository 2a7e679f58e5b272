"""What holds however the provider's webhooks come, and whatever people do in between."""

import msgspec
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from services.wallet.core import DECIDER, Wallet
from services.wallet.core.ledger import OWING
from shared.contracts.director import EntryRequested
from shared.contracts.message import TimerFired
from shared.contracts.wallet import (
    AccountReinstated,
    ApproveWithdrawal,
    CancelWithdrawal,
    RefuseWithdrawal,
    RequestDeposit,
    RequestWithdrawal,
    WalletEvent,
)
from shared.kernel.decider import Refused
from shared.kernel.pmap import dec_hook, enc_hook
from tests.core.wallet.balances import trial_balance
from tests.core.wallet.given import ANN, BEA, entry, person
from tests.core.wallet.paying import CENTS, EXPIRES_MS, of_payout, said

PLAYERS = (ANN, BEA)
IN = {f"pay_in{n}": PLAYERS[n % 2] for n in range(4)}
OUT = {f"pay_out{n}": PLAYERS[n % 2] for n in range(4)}
UNDER_WAY = ("approved", "sent")

ways_in = st.lists(st.sampled_from(["succeeded", "failed", "charged_back"]), min_size=1, max_size=4)
ways_out = st.lists(st.sampled_from(["succeeded", "failed", "returned"]), min_size=1, max_size=4)


def words(payment, way, cents=CENTS):
    """What the provider says of a payment, in its order."""
    about = of_payout if payment in OUT else said
    return [
        replace(about(word, sequence, cents), payment=payment)
        for sequence, word in enumerate(way, 1)
    ]


def told(wallet, *commands):
    """Return the state after these, where it refuses none."""
    for command in commands:
        stepped = DECIDER.step(wallet, command, 0)
        assert not isinstance(stepped, Refused), (command, stepped)
        _, wallet = stepped
    return wallet


def known():
    wallet = DECIDER.initial
    for one in (*person(ANN), *person(BEA)):
        wallet = DECIDER.evolve(wallet, one)
    return wallet


def started():
    """Everybody has paid in once, and has withdrawals under way and deposits asked for."""
    first = {f"pay_first{n}": player for n, player in enumerate(PLAYERS)}
    wallet = known()
    for payment, player in first.items():
        asked = RequestDeposit(player=player, payment=payment, amount_cents=10 * CENTS)
        wallet = told(wallet, asked, *words(payment, ["succeeded"], 10 * CENTS))
    for payment, player in OUT.items():
        about = {"player": player, "payment": payment, "amount_cents": CENTS}
        approve = ApproveWithdrawal(payment=payment, author="carla")
        wallet = told(wallet, RequestWithdrawal(**about), approve)
    for payment, player in IN.items():
        asked = RequestDeposit(player=player, payment=payment, amount_cents=CENTS)
        wallet = told(wallet, asked)
    return wallet


def money(wallet):
    """Who has what; what came for a player who is suspended is unclaimed, and not less theirs."""
    balances = {account: cents for account, cents in wallet.balances.items() if cents}
    return {
        "external": balances.get("external"),
        "chargebacks": balances.get("chargebacks", 0),
        "under way": sum(balances.get(f"withdrawal/{player}", 0) for player in PLAYERS),
        "players": sum(balances.get(f"cash/{player}", 0) for player in PLAYERS)
        + balances.get("unclaimed", 0),
    }


@st.composite
def deliveries(draw):
    """Words of several payments as they come: shuffled, doubled, lost, but for the last of each."""
    ways = {payment: draw(ways_in) for payment in IN} | {payment: draw(ways_out) for payment in OUT}
    final = {payment: words(payment, way)[-1] for payment, way in ways.items()}
    earlier = [word for payment, way in ways.items() for word in words(payment, way)[:-1]]
    some = draw(st.lists(st.sampled_from(earlier), max_size=12)) if earlier else []
    twice = draw(st.lists(st.sampled_from(list(final.values())), max_size=4))
    return final, draw(st.permutations([*some, *twice, *final.values()]))


@given(deliveries())
@settings(max_examples=150)
def test_the_final_words_alone_say_where_the_money_is(delivered):
    final, come = delivered
    wallet = started()
    assert money(told(wallet, *come)) == money(told(wallet, *final.values()))


@given(deliveries(), st.sampled_from([*IN, *OUT]), st.integers(1, 3 * CENTS))
def test_another_amount_is_no_exception(delivered, payment, cents):
    final, come = delivered
    changed = [replace(w, amount_cents=cents) if w.payment == payment else w for w in come]
    last = [replace(w, amount_cents=cents) if w.payment == payment else w for w in final.values()]
    assert money(told(started(), *changed)) == money(told(started(), *last))


@given(deliveries())
def test_in_order_or_not_comes_to_the_same(delivered):
    _, come = delivered
    wallet = started()
    in_order = sorted(come, key=lambda word: word.sequence)
    assert money(told(wallet, *come)) == money(told(wallet, *in_order))


# --- whatever people do in between ----------------------------------------------------------

people = st.sampled_from(PLAYERS)
amounts = st.sampled_from([0, 700, CENTS, 3 * CENTS])
acts = st.one_of(
    st.builds(RequestDeposit, player=people, payment=st.sampled_from([*IN]), amount_cents=amounts),
    st.builds(
        RequestWithdrawal, player=people, payment=st.sampled_from([*OUT]), amount_cents=amounts
    ),
    st.builds(ApproveWithdrawal, payment=st.sampled_from([*OUT]), author=st.just("carla")),
    st.builds(CancelWithdrawal, player=people, payment=st.sampled_from([*OUT])),
    st.builds(
        RefuseWithdrawal,
        payment=st.sampled_from([*OUT]),
        author=st.just("carla"),
        reason=st.just("no"),
    ),
    st.builds(
        lambda player, n, cents: EntryRequested(
            **entry(player, n=n), fee_cents=cents, commission_cents=0, deadline_ms=0
        ),
        people,
        st.integers(1, 9),
        st.sampled_from([100, CENTS]),
    ),
    st.just(TimerFired(name="deadline")),
    st.builds(AccountReinstated, player=people, author=st.just("carla"), reason=st.just("ok")),
)
heard = st.one_of(
    st.builds(
        lambda payment, word, sequence, cents: replace(
            said(word, sequence, cents), payment=payment
        ),
        st.sampled_from([*IN]),
        st.sampled_from(["succeeded", "succeeded", "failed", "charged_back"]),
        st.integers(1, 6),
        amounts.filter(bool),
    ),
    st.builds(
        lambda payment, *told: replace(of_payout(*told), payment=payment),
        st.sampled_from([*OUT]),
        st.sampled_from(["succeeded", "failed", "returned"]),
        st.integers(1, 6),
        amounts.filter(bool),
    ),
)
histories = st.lists(
    st.tuples(acts | heard | heard, st.sampled_from([0, 0, 0, EXPIRES_MS])), max_size=50
)


def stepped(wallet, command, at_ms):
    """Take one step; a refusal leaves things as they are, and a repeat changes nothing."""
    if isinstance(command, AccountReinstated):
        status = wallet.accounts[command.player].status
        return (
            ((command,), DECIDER.evolve(wallet, command)) if status == "suspended" else ((), wallet)
        )
    outcome = DECIDER.step(wallet, command, at_ms)
    if isinstance(outcome, Refused):
        return (), wallet
    if not isinstance(command, TimerFired):
        assert DECIDER.step(outcome[1], command, at_ms) == ((), outcome[1])
    return outcome


@given(histories)
@settings(max_examples=200)
def test_the_books_hold_whatever_comes(history):
    wallet, log, balances = known(), [], {}
    begun = wallet
    for command, at_ms in history:
        events, wallet = stepped(wallet, command, at_ms)
        log += [msgspec.json.encode(event) for event in events]
        for posting in [posting for e in events for posting in getattr(e, "postings", ())]:
            after = balances.get(posting.account, 0) + posting.amount_cents
            assert posting.balance_cents == after
            assert after >= 0 or posting.account in OWING
            balances[posting.account] = after
        agree(wallet, balances)
    folded = begun
    for row in log:
        folded = DECIDER.evolve(folded, msgspec.json.decode(row, type=WalletEvent))
    assert folded == wallet
    kept = msgspec.json.encode(wallet, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=Wallet, dec_hook=dec_hook) == wallet


def agree(wallet, balances):
    """The state says of payments what the postings say of ledger accounts."""
    assert trial_balance(wallet).balances == balances
    assert sum(balances.values()) == 0
    payments = list(wallet.payments.values())
    inside = sum(one.moved_cents for one in payments if one.kind == "deposit")
    outside = sum(one.moved_cents for one in payments if one.kind == "withdrawal")
    assert -balances.get("external", 0) == inside - outside
    assert -balances.get("chargebacks", 0) == sum(one.lost_cents for one in payments)
    for player in PLAYERS:
        held = [
            one.asked_cents
            for one in payments
            if one.player == player and one.stage in ("held", *UNDER_WAY) and one.kind != "deposit"
        ]
        assert balances.get(f"withdrawal/{player}", 0) == sum(held)
    waiting = {held.key for held in wallet.deadlines}
    assert waiting == {n for n, one in wallet.payments.items() if one.stage == "held"}
    assert set(wallet.differing) == {n for n, one in wallet.payments.items() if one.differs}
