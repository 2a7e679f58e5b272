"""Rules of tournament money that the wallet keeps: rebuys, tickets, guarantees, roll-forwards."""

from shared.contracts.director import (
    EntryRequested,
    GuaranteeDue,
    PayoutDue,
    PlayerRegistered,
    PrizeDue,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
)
from shared.contracts.wallet import CorrectionLine, PostCorrection
from tests.core.wallet.given import ANN, BEA, TRN, after, entered, entry, person, suspended

HUNDRED = [f"ply_{n}" for n in range(100)]


def balances(wallet):
    return {account: cents for account, cents in wallet.balances.items() if cents}


def test_bh_rebuy_a_rebuy_is_a_new_entry_and_raises_the_pool():
    more = {**entry(ANN, n=2), "kind": "rebuy", "fee_cents": 1_000, "commission_cents": 100}
    asked = (
        *person(ANN, 2_200),
        *entered(ANN),
        RebuyRequested(**more, deadline_ms=0),
    )
    bought = balances(after(*asked, RebuyGranted(**more, chips=500)))
    assert bought == {"external": -2_200, f"pool/{TRN}": 2_000, "commission": 200}
    lapsed = RebuyLapsed(**entry(ANN, n=2), reason="expired")
    assert balances(after(*asked, lapsed))[f"cash/{ANN}"] == 1_100


def test_bh_satellite_a_prize_in_kind_is_an_entry_to_another_tournament():
    """Ten pay €10 each; the winner's ticket pays the €100 seat."""
    ten = HUNDRED[:10]
    paid = [one for player in ten for one in (*person(player, 1_000), *entered(player, fee=900))]
    won = PrizeDue(tournament=TRN, place=1, player=ten[0], amount_cents=9_000, ticket_for="trn_2")
    seat = {**entry(ten[0], "trn_2"), "fee_cents": 8_500, "commission_cents": 500}
    entering = (EntryRequested(**seat, deadline_ms=0, ticket=f"{TRN}/1"), PlayerRegistered(**seat))
    assert balances(after(*paid, won)) == {
        "external": -10_000,
        "commission": 1_000,
        f"ticket/{TRN}/1": 9_000,
    }
    assert balances(after(*paid, won, *entering)) == {
        "external": -10_000,
        "commission": 1_500,
        "pool/trn_2": 8_500,
    }


def test_guarantee_decision_the_operator_pays_what_the_pool_lacks():
    """Pool = max(collected, guarantee): €20 were collected, €50 guaranteed."""
    played = (*person(ANN, 1_100), *entered(ANN), *person(BEA, 1_100), *entered(BEA))
    guaranteed = after(*played, GuaranteeDue(tournament=TRN, amount_cents=3_000))
    assert guaranteed.balances[f"pool/{TRN}"] == 5_000
    assert guaranteed.balances["top-up"] == -3_000


def test_bh_rf1_if_the_pool_cannot_pay_the_operator_does():
    """95 × €11 over a pool of €1,000: €45 come from the operator."""
    paid = [one for player in HUNDRED for one in (*person(player, 1_100), *entered(player))]
    shares = []
    for nth, player in enumerate(HUNDRED[:95]):
        from_pool = (100_000 + nth) // 95
        money = {"pool_cents": from_pool, "commission_cents": 0, "top_up_cents": 1_100 - from_pool}
        shares.append(PayoutDue(tournament=TRN, player=player, **money))
    wallet = after(*paid, *shares)
    assert wallet.balances["top-up"] == -4_500
    assert wallet.balances[f"pool/{TRN}"] == 0
    assert all(wallet.balances[f"cash/{player}"] == 1_100 for player in HUNDRED[:95])


def test_pp_rollforward_who_is_still_in_gets_the_commission_back_and_a_share_of_the_pool():
    played = (*person(ANN, 1_100), *entered(ANN), *person(BEA, 1_100), *entered(BEA))
    share = PayoutDue(
        tournament=TRN, player=ANN, pool_cents=2_000, commission_cents=100, top_up_cents=0
    )
    assert balances(after(*played, share)) == {
        "external": -2_200,
        f"cash/{ANN}": 2_100,
        "commission": 100,
    }


def test_law_8_what_cannot_be_paid_waits_unclaimed_and_a_correction_hands_it_over():
    played = (*person(ANN, 1_100), *entered(ANN), suspended(ANN))
    won = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=1_000)
    handed_over = PostCorrection(
        correction="cor_1",
        corrects=1,
        lines=(CorrectionLine("unclaimed", -1_000), CorrectionLine(f"cash/{ANN}", 1_000)),
        author="opr_1",
        reason="the question is answered",
    )
    assert after(*played, won).balances["unclaimed"] == 1_000
    assert balances(after(*played, won, handed_over))[f"cash/{ANN}"] == 1_000
