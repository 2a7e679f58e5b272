"""Big Shoots in the journal (BH-BIGSHOOT): pools carried, part payments, and who is still in."""

import pytest
from msgspec.structs import replace

from services.wallet.core import JournalContradicted
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    LeftBigShoot,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
    StagePrizeDue,
)
from shared.contracts.wallet import (
    BigShootLeft,
    EntryHeld,
    EntryRefused,
    ErrandsAwaited,
    IssueSessionId,
    PoolCarried,
    StagePrizePaid,
)
from tests.core.wallet.balances import trial_balance
from tests.core.wallet.given import (
    ANN,
    BEA,
    COMMISSION,
    DECIDER,
    FEE,
    NOBODY,
    PRICE,
    after,
    closed,
    decided,
    entry,
    named,
    person,
    postings,
    suspended,
    unmoved,
)

FIRST, SECOND, MIDDLE, SERIES = "trn_first", "trn_second", "trn_middle", "trn_final"
MONEY = {"fee_cents": FEE, "commission_cents": COMMISSION}
PEOPLE = (*person(ANN, 3 * PRICE), *person(BEA, 3 * PRICE))


def requested(player, tournament=FIRST, n=1, series=SERIES):
    return EntryRequested(**entry(player, tournament, n), **MONEY, deadline_ms=0, series=series)


def registered(player, tournament=FIRST, n=1):
    return PlayerRegistered(**entry(player, tournament, n), **MONEY)


def bought(player, tournament=FIRST, n=1):
    return requested(player, tournament, n), registered(player, tournament, n)


def left(tournament, *players):
    return LeftBigShoot(tournament=tournament, series=SERIES, players=players)


PLAYED = (*PEOPLE, *bought(ANN), *bought(BEA))
NAMED = QualifiersNamed(
    tournament=FIRST,
    series=SERIES,
    target=MIDDLE,
    players=(ANN,),
    amount_cents=2 * FEE,
    withdrawal_cents=300,
    **MONEY,
)
OUT = left(FIRST, BEA)
CARRIED = (*PLAYED, OUT, NAMED)
WITHDREW = StagePrizeDue(
    tournament=MIDDLE, from_tournament=FIRST, player=ANN, amount_cents=300, withdrew=True
)
ON = replace(NAMED, tournament=MIDDLE, target=SERIES)

# --- pools are carried ----------------------------------------------------------------------------


def test_bh_bigshoot_the_pool_goes_on_with_who_has_qualified():
    """BH-BIGSHOOT."""
    assert decided(after(*PLAYED), NAMED) == PoolCarried(
        tournament=MIDDLE,
        from_tournament=FIRST,
        series=SERIES,
        players=(ANN,),
        amount_cents=2 * FEE,
        withdrawal_cents=300,
        **MONEY,
        postings=postings((f"pool/{FIRST}", -2 * FEE, 0), (f"pool/{MIDDLE}", 2 * FEE, 2 * FEE)),
    )


def test_a_tournament_that_was_cancelled_sends_nobody_and_nothing():
    nothing = replace(NAMED, players=(), amount_cents=0)
    carried = decided(after(*PEOPLE), nothing)
    assert (carried.players, carried.postings) == ((), ())
    assert unmoved(after(*PEOPLE, nothing), nothing)


def test_bp_regulator_ids_a_later_stage_is_a_session_and_sells_no_rights():
    """BP-REGULATOR-IDS: asked for with the first who have qualified, and once."""
    nobody = replace(NAMED, tournament="trn_zero", players=(), amount_cents=0)
    wallet = after(*PEOPLE, nobody)
    assert MIDDLE not in wallet.session_ids
    poor = replace(NAMED, amount_cents=0)
    (_, errands), wallet = DECIDER.step(wallet, poor, 0)
    assert errands == ErrandsAwaited(number=1, errands=(IssueSessionId(MIDDLE),))
    events, _ = DECIDER.step(wallet, replace(poor, tournament=SECOND), 0)
    assert [type(event) for event in events] == [PoolCarried]


def test_bh_bigshoot_all_of_it_is_won_in_the_end():
    """BH-BIGSHOOT: withdrawn in the middle, the rest in the final; the journal sums to zero."""
    on = replace(ON, players=(BEA,), amount_cents=4 * FEE - 300)
    won = PrizeDue(tournament=SERIES, place=1, player=BEA, amount_cents=4 * FEE - 300)
    again = replace(NAMED, tournament=SECOND, players=(BEA,))
    second = (*person("ply_cec", PRICE), *bought("ply_cec", SECOND), *bought(BEA, SECOND))
    wallet = after(*CARRIED, *second, again, WITHDREW, on, won)
    ledger = trial_balance(wallet)
    assert ledger.sum_cents == 0
    assert ledger.balances[f"cash/{ANN}"] == 3 * PRICE - PRICE + 300
    assert ledger.balances[f"cash/{BEA}"] == 3 * PRICE - 2 * PRICE + 4 * FEE - 300
    assert not any(ledger.balances[f"pool/{one}"] for one in (FIRST, SECOND, MIDDLE, SERIES))


@pytest.mark.parametrize(
    "over",
    [
        EntryExpired(**entry(ANN, FIRST, 2)),
        EntryDeclined(**entry(ANN, FIRST, 2), reason="tournament_full"),
    ],
)
def test_bh_bigshoot_a_reentry_that_comes_to_nothing_frees_nobody(over):
    """BH-BIGSHOOT: the first entry stands; its place may still qualify."""
    wallet = after(*PLAYED, requested(ANN, FIRST, 2), over)
    refused = decided(wallet, requested(ANN, SECOND))
    assert (type(refused), refused.reason) == (EntryRefused, "still_in_big_shoot")
    assert type(decided(after(*PLAYED, OUT), requested(BEA, SECOND))) is EntryHeld


# --- instead of playing on ------------------------------------------------------------------------


def test_bh_bigshoot_who_withdraws_is_paid_out_of_the_targets_pool():
    """BH-BIGSHOOT."""
    rest, cash = 2 * FEE - 300, 2 * PRICE
    assert decided(after(*CARRIED), WITHDREW) == StagePrizePaid(
        tournament=MIDDLE,
        from_tournament=FIRST,
        player=ANN,
        amount_cents=300,
        credited=f"cash/{ANN}",
        postings=postings((f"pool/{MIDDLE}", -300, rest), (f"cash/{ANN}", 300, cash + 300)),
    )


@pytest.mark.parametrize("barred", [suspended(ANN), closed(ANN)])
def test_what_a_barred_player_is_due_waits_unclaimed(barred):
    assert decided(after(*CARRIED, barred), WITHDREW).credited == "unclaimed"


def test_what_nobody_known_is_due_waits_unclaimed():
    assert decided(after(*CARRIED), replace(WITHDREW, player=NOBODY)).credited == "unclaimed"


@pytest.mark.parametrize(
    "other",
    [
        replace(WITHDREW, player=BEA),
        replace(WITHDREW, from_tournament=SECOND),
        replace(WITHDREW, amount_cents=0, player=BEA),
    ],
    ids=["another player", "qualified once more", "nothing"],
)
def test_another_one_is_paid_as_well(other):
    assert decided(after(*CARRIED, WITHDREW), other).amount_cents == other.amount_cents


# --- once, and as it was said ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("carried twice", CARRIED, NAMED),
            ("carried, and carried on", (*CARRIED, ON), NAMED),
            ("paid twice", (*CARRIED, WITHDREW), WITHDREW),
            ("paid as unclaimed", (*CARRIED, suspended(ANN), WITHDREW), WITHDREW),
            ("left twice", CARRIED, OUT),
            ("left what goes on", CARRIED, left(FIRST, ANN)),
            ("left without having been in", PEOPLE, OUT),
        ]
    ),
)
def test_what_was_heard_before_changes_nothing(given, when):
    assert unmoved(after(*given), when)


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("another amount", CARRIED, replace(NAMED, amount_cents=1)),
            ("other players", CARRIED, replace(NAMED, players=(BEA,))),
            ("another target", CARRIED, replace(NAMED, target=SECOND)),
            ("another series", CARRIED, replace(NAMED, series="trn_other")),
            ("another fee", CARRIED, replace(NAMED, fee_cents=1)),
            ("another commission", CARRIED, replace(NAMED, commission_cents=1)),
            ("another part payment", CARRIED, replace(NAMED, withdrawal_cents=1)),
            ("more than the pool", PLAYED, replace(NAMED, amount_cents=2 * FEE + 1)),
            ("below nothing", PLAYED, replace(NAMED, amount_cents=-1)),
            ("a part payment below nothing", PLAYED, replace(NAMED, withdrawal_cents=-1)),
            ("to itself", PLAYED, replace(NAMED, target=FIRST)),
            ("paid otherwise", (*CARRIED, WITHDREW), replace(WITHDREW, amount_cents=301)),
            ("paid more than was carried", CARRIED, replace(WITHDREW, amount_cents=2 * FEE + 1)),
            ("paid below nothing", CARRIED, replace(WITHDREW, amount_cents=-1)),
        ]
    ),
)
def test_contradictions_stop_the_line(given, when):
    with pytest.raises(JournalContradicted, match=r"trn_(first|middle)"):
        DECIDER.step(after(*given), when, 0)


# --- who is still in ------------------------------------------------------------------------------


def outcome(given, player=ANN, tournament=SECOND, n=1):
    """What becomes of a wish to buy into a stage 1: "held", or why not."""
    answer = decided(after(*given), requested(player, tournament, n))
    return answer.reason if isinstance(answer, EntryRefused) else "held"


SOLD_MORE = {**entry(ANN, FIRST, 2), **MONEY, "kind": "rebuy"}
REBUY = RebuyRequested(**SOLD_MORE, deadline_ms=0)
DECLINED = EntryDeclined(**entry(ANN, FIRST), reason="full")
LAPSED = RebuyLapsed(**entry(ANN, FIRST, 2), reason="expired")
GIVEN_BACK = PlayerUnregistered(**entry(ANN, FIRST), refund_cents=PRICE)
REFUSED = requested(ANN, SECOND, 7)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param((*PEOPLE, requested(ANN)), id="held"),
        pytest.param((*PEOPLE, *bought(ANN)), id="registered"),
        pytest.param(CARRIED, id="qualified"),
        pytest.param((*CARRIED, left(FIRST, ANN)), id="said of the stage before"),
        pytest.param((*CARRIED, ON), id="in the final"),
        pytest.param((*CARRIED, ON, left(MIDDLE, ANN)), id="in the final, whatever was before"),
        pytest.param((*PEOPLE, *bought(ANN), REFUSED), id="refused before"),
        pytest.param((*PEOPLE, *bought(ANN), REBUY, LAPSED), id="a rebuy lapsed"),
        pytest.param((*PEOPLE, *bought(ANN), REBUY, RebuyGranted(**SOLD_MORE, chips=1)), id="more"),
    ],
)
def test_bh_bigshoot_who_is_still_in_buys_into_no_other_stage_1(given):
    """BH-BIGSHOOT: players who are out may; the others are refused, and nothing is held."""
    assert outcome(given) == "still_in_big_shoot"


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(PEOPLE, id="never in"),
        pytest.param((*PEOPLE, requested(ANN), DECLINED), id="declined"),
        pytest.param((*PEOPLE, requested(ANN), EntryExpired(**entry(ANN, FIRST))), id="expired"),
        pytest.param((*PEOPLE, *bought(ANN), GIVEN_BACK), id="left before the start"),
        pytest.param((*PEOPLE, *bought(ANN), left(FIRST, ANN)), id="out in stage 1"),
        pytest.param((*CARRIED, left(MIDDLE, ANN)), id="out in stage 2"),
        pytest.param((*CARRIED, ON, left(SERIES, ANN)), id="out in the final"),
        pytest.param((*CARRIED, WITHDREW, left(MIDDLE, ANN)), id="withdrew"),
    ],
)
def test_bh_bigshoot_who_is_out_in_any_stage_may_buy_in_again(given):
    """BH-BIGSHOOT."""
    assert outcome(given) == "held"


def test_the_same_tournament_may_be_entered_again_by_who_is_out():
    out = (*PEOPLE, *bought(ANN), left(FIRST, ANN))
    assert outcome(out, tournament=FIRST, n=2) == "held"
    again = (*out, *bought(ANN, FIRST, 2))
    assert outcome(again) == "still_in_big_shoot"


def test_other_series_and_tournaments_of_none_are_open():
    wallet = after(*PEOPLE, *bought(ANN))
    for series in ("", "trn_other"):
        held = decided(wallet, requested(ANN, SECOND, series=series))
        assert isinstance(held, EntryHeld)
        assert held.series == series


def test_only_those_who_are_freed_are_named():
    third = "ply_cec"
    wallet = after(*CARRIED)
    assert unmoved(wallet, left(MIDDLE, third, BEA))
    freed = decided(wallet, left(MIDDLE, third, ANN, BEA))
    assert freed == BigShootLeft(tournament=MIDDLE, series=SERIES, players=(ANN,))


def test_the_reason_comes_after_those_of_the_account_and_before_the_money():
    playing = (*person(ANN, PRICE), *bought(ANN))
    assert outcome(playing) == "still_in_big_shoot"
    assert outcome((*playing, suspended(ANN))) == "not_identified"
    with_ticket = replace(requested(ANN, SECOND), ticket="trn_1/99")
    assert decided(after(*playing), with_ticket).reason == "still_in_big_shoot"
