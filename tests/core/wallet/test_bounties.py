"""Bounties in the journal: out of the pool, once a knock-out and winner, never refused."""

import pytest
from msgspec.structs import replace

from services.wallet.core import JournalContradicted
from shared.contracts.director import BountyDue
from shared.contracts.wallet import BountyPaid
from tests.core.wallet.given import (
    ANN,
    BEA,
    DECIDER,
    FEE,
    NOBODY,
    PRICE,
    TRN,
    after,
    closed,
    decided,
    entered,
    named,
    person,
    postings,
    suspended,
    unmoved,
)

PLAYING = (*person(ANN, PRICE), *entered(ANN), *person(BEA, PRICE), *entered(BEA))
BOUNTY = BountyDue(tournament=TRN, hand="hnd_1", knocked_out=BEA, player=ANN, amount_cents=300)
OWN = replace(BOUNTY, hand="", knocked_out=ANN)


def test_a_bounty_is_paid_out_of_the_pool():
    assert decided(after(*PLAYING), BOUNTY) == BountyPaid(
        tournament=TRN,
        hand="hnd_1",
        knocked_out=BEA,
        player=ANN,
        amount_cents=300,
        credited=f"cash/{ANN}",
        postings=postings((f"pool/{TRN}", -300, 2 * FEE - 300), (f"cash/{ANN}", 300, 300)),
    )


@pytest.mark.parametrize(
    "other",
    [OWN, replace(BOUNTY, hand="hnd_2"), replace(BOUNTY, player=BEA, knocked_out=ANN)],
    ids=["one's own", "after a re-entry", "another winner"],
)
def test_another_bounty_is_paid_as_well(other):
    assert decided(after(*PLAYING, BOUNTY), other).amount_cents == 300


@pytest.mark.parametrize("barred", [suspended(ANN), closed(ANN)])
def test_the_bounty_of_a_barred_player_waits_unclaimed(barred):
    assert decided(after(*PLAYING, barred), BOUNTY).credited == "unclaimed"


def test_the_bounty_of_nobody_known_waits_unclaimed():
    assert decided(after(*PLAYING), replace(BOUNTY, player=NOBODY)).credited == "unclaimed"


def test_what_was_heard_before_changes_nothing():
    assert unmoved(after(*PLAYING, BOUNTY), BOUNTY)


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("another amount", (*PLAYING, BOUNTY), replace(BOUNTY, amount_cents=301)),
            ("more than the pool", PLAYING, replace(BOUNTY, amount_cents=2 * FEE + 1)),
            ("below nothing", PLAYING, replace(BOUNTY, amount_cents=-1)),
        ]
    ),
)
def test_contradictions_stop_the_line(given, when):
    with pytest.raises(JournalContradicted, match=TRN):
        DECIDER.step(after(*given), when, 0)
