"""Guarantees, and shares of interrupted tournaments: never refused, and once."""

import pytest
from msgspec.structs import replace

from services.wallet.core import JournalContradicted
from shared.contracts.director import GuaranteeDue, PayoutDue, PrizeDue
from shared.contracts.wallet import GuaranteePosted, PayoutPaid
from tests.core.wallet.given import (
    ANN,
    BEA,
    COMMISSION,
    DECIDER,
    FEE,
    NOBODY,
    PRICE,
    TRN,
    after,
    closed,
    decided,
    entered,
    moved,
    named,
    person,
    postings,
    suspended,
    unmoved,
)

PLAYING = (*person(ANN, PRICE), *entered(ANN), *person(BEA, PRICE), *entered(BEA))
GUARANTEE = GuaranteeDue(tournament=TRN, amount_cents=500)
SHARE = PayoutDue(
    tournament=TRN, player=ANN, pool_cents=1_200, commission_cents=COMMISSION, top_up_cents=30
)


def test_the_operator_fills_the_pool_up():
    """Guarantee (Decision in BH-SATELLITE): the operator pays the difference."""
    assert decided(after(*PLAYING), GUARANTEE) == GuaranteePosted(
        tournament=TRN,
        amount_cents=500,
        postings=postings(("top-up", -500, -500), (f"pool/{TRN}", 500, 2 * FEE + 500)),
    )


def test_a_guarantee_of_nothing_is_on_record_all_the_same():
    nothing = replace(GUARANTEE, amount_cents=0)
    posted = GuaranteePosted(tournament=TRN, amount_cents=0, postings=())
    assert decided(after(*PLAYING), nothing) == posted
    assert unmoved(after(*PLAYING, nothing), nothing)


def test_a_prize_may_take_what_was_guaranteed():
    all_of_it = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=2 * FEE + 500)
    wallet = after(*PLAYING, GUARANTEE, all_of_it)
    assert wallet.balances[f"pool/{TRN}"] == 0


def test_a_share_comes_from_pool_commission_and_operator():
    """BH-RF1: if the pool cannot pay, the operator does."""
    assert decided(after(*PLAYING), SHARE) == PayoutPaid(
        tournament=TRN,
        player=ANN,
        pool_cents=1_200,
        commission_cents=COMMISSION,
        top_up_cents=30,
        credited=f"cash/{ANN}",
        postings=postings(
            (f"pool/{TRN}", -1_200, 2 * FEE - 1_200),
            ("commission", -COMMISSION, COMMISSION),
            ("top-up", -30, -30),
            (f"cash/{ANN}", 1_330, 1_330),
        ),
    )


def test_a_share_of_nothing_is_on_record_all_the_same():
    nothing = replace(SHARE, pool_cents=0, commission_cents=0, top_up_cents=0)
    paid = decided(after(*PLAYING), nothing)
    assert (paid.player, paid.postings) == (ANN, ())
    assert unmoved(after(*PLAYING, nothing), nothing)


@pytest.mark.parametrize("barred", [suspended(ANN), closed(ANN)])
def test_the_share_of_a_barred_player_waits_unclaimed(barred):
    paid = decided(after(*PLAYING, barred), SHARE)
    assert paid.credited == "unclaimed"
    assert moved(paid)["unclaimed"] == 1_330


def test_the_share_of_nobody_known_waits_unclaimed():
    assert decided(after(*PLAYING), replace(SHARE, player=NOBODY)).credited == "unclaimed"


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("guaranteed twice", (*PLAYING, GUARANTEE), GUARANTEE),
            ("paid twice", (*PLAYING, SHARE), SHARE),
            ("paid as unclaimed", (*PLAYING, suspended(ANN), SHARE), SHARE),
        ]
    ),
)
def test_what_was_heard_before_changes_nothing(given, when):
    assert unmoved(after(*given), when)


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("another guarantee", (*PLAYING, GUARANTEE), replace(GUARANTEE, amount_cents=501)),
            ("guarantee below nothing", PLAYING, replace(GUARANTEE, amount_cents=-1)),
            ("another share of the pool", (*PLAYING, SHARE), replace(SHARE, pool_cents=1)),
            ("another commission", (*PLAYING, SHARE), replace(SHARE, commission_cents=1)),
            ("another top-up", (*PLAYING, SHARE), replace(SHARE, top_up_cents=1)),
            ("more than the pool", PLAYING, replace(SHARE, pool_cents=2 * FEE + 1)),
            ("below nothing of the pool", PLAYING, replace(SHARE, pool_cents=-1)),
            ("below nothing of the commission", PLAYING, replace(SHARE, commission_cents=-1)),
            ("below nothing of the operator", PLAYING, replace(SHARE, top_up_cents=-1)),
        ]
    ),
)
def test_contradictions_stop_the_line(given, when):
    with pytest.raises(JournalContradicted, match=TRN):
        DECIDER.step(after(*given), when, 0)


def test_a_commission_that_is_gone_stops_the_line():
    with pytest.raises(JournalContradicted, match="commission would hold"):
        DECIDER.step(after(*PLAYING), replace(SHARE, commission_cents=2 * COMMISSION + 1), 0)
