"""What holds after whatever people ask and whatever the director says, in any order."""

import msgspec
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.wallet.core import DECIDER, JournalContradicted, Wallet, trial_balance
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
)
from shared.contracts.wallet import (
    Deposit,
    EntryHeld,
    IdentifyAccount,
    OpenAccount,
    WalletEvent,
    WalletRequest,
)
from shared.kernel.decider import Refused
from shared.kernel.pmap import dec_hook, enc_hook

PLAYERS = ("ply_a", "ply_b", "ply_c")
PRICES = {"trn_1": (1_000, 100), "trn_2": (0, 0)}

players = st.sampled_from(PLAYERS)
tournaments = st.sampled_from(sorted(PRICES))


def entry(tournament, player, n):
    return {"tournament": tournament, "entry": f"{tournament}/{player}/{n}", "player": player}


def requested(about):
    fee, commission = PRICES[about["tournament"]]
    return EntryRequested(**about, fee_cents=fee, commission_cents=commission, deadline_ms=0)


def registered(about):
    fee, commission = PRICES[about["tournament"]]
    return PlayerRegistered(**about, fee_cents=fee, commission_cents=commission)


entries = st.builds(entry, tournaments, players, st.integers(1, 2))
requests = st.one_of(
    st.builds(OpenAccount, player=players, name=st.sampled_from(["Ann", "Bea", ""])),
    st.builds(IdentifyAccount, player=players),
    st.builds(
        Deposit,
        player=players,
        amount_cents=st.sampled_from([-1, 900, 1_100, 9_000]),
        reference=st.sampled_from(["r1", "r2", "r3", "r4"]),
    ),
)
facts = st.one_of(
    entries.map(requested),
    entries.map(registered),
    entries.map(lambda about: EntryDeclined(**about, reason="full")),
    entries.map(lambda about: EntryExpired(**about)),
    st.builds(
        lambda about, cents: PlayerUnregistered(**about, refund_cents=cents),
        entries,
        st.sampled_from([0, 880, 1_100]),
    ),
    st.builds(
        PrizeDue,
        tournament=tournaments,
        place=st.integers(1, 2),
        player=players,
        amount_cents=st.sampled_from([0, 300, 1_000]),
    ),
)
all_ready = [
    command
    for player in PLAYERS[:2]
    for command in (
        OpenAccount(player=player, name="Ann"),
        IdentifyAccount(player=player),
        Deposit(player=player, amount_cents=2_500, reference=f"first-{player}"),
    )
]
histories = st.builds(
    lambda ready, rest: all_ready + rest if ready else rest,
    st.booleans(),
    st.lists(requests | facts | facts, max_size=40),
)


class Books:
    """A second set of books, kept from the postings alone."""

    def __init__(self):
        self.balances = {}

    def enter(self, event):
        postings = getattr(event, "postings", ())
        assert sum(posting.amount_cents for posting in postings) == 0
        for posting in postings:
            after = self.balances.get(posting.account, 0) + posting.amount_cents
            assert posting.amount_cents != 0
            assert posting.balance_cents == after
            assert after >= 0 or posting.account == "external"
            self.balances[posting.account] = after

    def agree_with(self, wallet):
        assert trial_balance(wallet).balances == self.balances
        assert trial_balance(wallet).sum_cents == 0
        for player in PLAYERS:
            held = [
                one.price_cents
                for one in wallet.entries.values()
                if one.player == player and one.stage == "held"
            ]
            assert self.balances.get(f"hold/{player}", 0) == sum(held)


def stepped(wallet, command):
    """Take one step; a refusal or a contradiction leaves things as they are."""
    try:
        outcome = DECIDER.step(wallet, command, 0)
    except JournalContradicted:
        assert not isinstance(command, WalletRequest)
        return (), wallet
    if isinstance(outcome, Refused):
        assert isinstance(command, WalletRequest)
        return (), wallet
    assert DECIDER.step(outcome[1], command, 0) == ((), outcome[1])
    return outcome


@given(histories)
def test_the_journal_balances_and_a_repeat_changes_nothing(commands):
    wallet, books = DECIDER.initial, Books()
    for command in commands:
        events, wallet = stepped(wallet, command)
        for event in events:
            books.enter(event)
        books.agree_with(wallet)


@given(histories)
def test_history_through_json_leads_to_the_state_that_step_returned(commands):
    wallet, log = DECIDER.initial, []
    for command in commands:
        events, wallet = stepped(wallet, command)
        log += [msgspec.json.encode(event) for event in events]
    assert DECIDER.fold(msgspec.json.decode(row, type=WalletEvent) for row in log) == wallet
    kept = msgspec.json.encode(wallet, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=Wallet, dec_hook=dec_hook) == wallet


@given(histories)
def test_a_fact_once_worked_off_changes_nothing_ever_after(commands):
    wallet = DECIDER.initial
    heard = []
    for command in commands:
        events, wallet = stepped(wallet, command)
        heard += [command] if events and not isinstance(command, WalletRequest) else []
    for fact in heard:
        assert DECIDER.step(wallet, fact, 0) == ((), wallet)


FATES = ("registers", "leaves", "declined", "expired")
barred = st.none() | st.sampled_from(["pending", "suspended", "closed"])
lives = st.lists(
    st.tuples(tournaments, players, st.sampled_from(FATES), barred, st.integers(0, 1_100)),
    min_size=1,
    max_size=8,
)


def life(wallet, about, fate, refund):
    """Yield one entry's facts as the director derives them from the wallet's answers."""
    events = yield requested(about)
    if not isinstance(events[0], EntryHeld):
        yield EntryDeclined(**about, reason=events[0].reason)
    elif fate in ("registers", "leaves"):
        yield registered(about)
        if fate == "leaves":
            price = sum(PRICES[about["tournament"]])
            yield PlayerUnregistered(**about, refund_cents=min(refund, price))
    else:
        yield EntryExpired(**about) if fate == "expired" else EntryDeclined(**about, reason="x")


def bar(wallet, player, status):
    account = wallet.accounts.get(player)
    if status is None or account is None:
        return wallet
    return replace(wallet, accounts=wallet.accounts.insert(player, replace(account, status=status)))


@given(lives, st.randoms(use_true_random=False))
def test_facts_in_the_directors_order_never_contradict_whatever_becomes_of_accounts(told, mix):
    wallet = DECIDER.initial
    for command in all_ready:
        _, wallet = DECIDER.step(wallet, command, 0)
    running = []
    for n, (tournament, player, fate, status, refund) in enumerate(told):
        about = entry(tournament, player, n)
        running.append((life(wallet, about, fate, refund), player, status))
    answers = {}
    while running:
        facts_of, player, status = running[mix.randrange(len(running))]
        try:
            fact = facts_of.send(answers.get(facts_of))
        except StopIteration:
            running = [one for one in running if one[0] is not facts_of]
            continue
        answers[facts_of], wallet = DECIDER.step(wallet, fact, 0)
        wallet = bar(wallet, player, status)
    for tournament in PRICES:
        due = wallet.balances.get(f"pool/{tournament}") or 0
        prize = PrizeDue(tournament=tournament, place=1, player=told[0][1], amount_cents=due)
        _, wallet = DECIDER.step(wallet, prize, 0)
        assert not wallet.balances.get(f"pool/{tournament}")
    assert trial_balance(wallet).sum_cents == 0
    assert all(not wallet.balances.get(f"hold/{player}") for player in PLAYERS)
