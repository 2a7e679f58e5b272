"""The rows of the read model say what the wallet's state says, whatever has happened."""

from hypothesis import given, strategies as st

from services.wallet.core import DECIDER, JournalContradicted, Wallet
from services.wallet.shell.projections import rows_of
from shared.contracts.commit import Actor, Cause, Commit, encode, moment, raw
from shared.contracts.director import (
    EntryDeclined,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
)
from shared.contracts.edge import LogRow
from shared.contracts.message import tag_of
from shared.contracts.wallet import CorrectionLine, Deposit, PostCorrection, WalletEvent
from shared.kernel.decider import Refused
from tests.people import signed_up

AT_MS = 1_800_000_000_000
PLAYERS = ("ply_ann", "ply_bea")
PRICE = {"fee_cents": 900, "commission_cents": 100}

players = st.sampled_from(PLAYERS)
amounts = st.integers(1, 3_000)


def entry(player: str) -> dict[str, str]:
    return {"tournament": "trn_1", "entry": f"trn_1/{player}/1", "player": player}


def transfer(name: int, giver: str, cents: int) -> PostCorrection:
    taker = next(player for player in PLAYERS if player != giver)
    lines = (CorrectionLine(f"cash/{giver}", -cents), CorrectionLine(f"cash/{taker}", cents))
    return PostCorrection(
        correction=f"cor_{name}", corrects=1, lines=lines, author="ops", reason="x"
    )


commands = st.one_of(
    st.builds(
        lambda player, cents, nth: Deposit(player=player, amount_cents=cents, reference=f"r{nth}"),
        players,
        amounts,
        st.integers(0, 9),
    ),
    st.builds(transfer, st.integers(0, 9), players, amounts),
    players.map(lambda player: EntryRequested(**entry(player), **PRICE, deadline_ms=0)),
    players.map(lambda player: PlayerRegistered(**entry(player), **PRICE)),
    players.map(lambda player: PlayerUnregistered(**entry(player), refund_cents=950)),
    players.map(lambda player: EntryDeclined(**entry(player), reason="full")),
    st.builds(
        lambda player, place: PrizeDue(
            tournament="trn_1", place=place, player=player, amount_cents=300
        ),
        players,
        st.integers(1, 3),
    ),
)
histories = st.lists(commands, max_size=40).map(
    lambda rest: [command for player in PLAYERS for command in signed_up(player)] + rest
)


def commit_of(n: int, events: tuple[WalletEvent, ...]) -> LogRow:
    commit = Commit(
        stream="journal",
        n=n,
        at=moment(AT_MS + n),
        by=Actor("service", "wallet"),
        cause=Cause(timer="test"),
        saga=None,
        build="test",
        prev="",
        events=tuple(map(raw, events)),
    )
    return LogRow(n + 10, "journal", n, "d", encode(commit))


@given(histories)
def test_balances_by_last_posting_are_the_state_s_after_every_prefix(history):
    wallet, balances, sums, n = Wallet(), {}, {}, 0
    for command in history:
        try:
            decided = DECIDER.decide(wallet, command, AT_MS)
        except JournalContradicted:
            continue
        if isinstance(decided, Refused) or not decided:
            continue
        n += 1
        for event in decided:
            wallet = DECIDER.evolve(wallet, event)
        rows = rows_of(commit_of(n, decided))
        for account, balance, amount, number in rows["balances"]:
            balances[account] = balance
            sums[account] = sums.get(account, 0) + amount
            assert number == n + 10
        assert balances == sums == dict(wallet.balances.items())
        tags = {tag_of(type(event)) for event in decided}
        for place, posting in enumerate(rows["postings"]):
            account, number, at_place, of_stream, at_ms, tag, amount, balance = posting
            assert (number, at_place, of_stream) == (n + 10, place, n)
            assert (at_ms, tag in tags) == (AT_MS + n, True)
            assert (account, balance, amount) == rows["balances"][place][:3]
