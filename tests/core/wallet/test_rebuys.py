"""BH-REBUY: rebuys and add-ons are entries like any other: held, posted, or released."""

import pytest
from msgspec.structs import replace

from services.wallet.core import JournalContradicted
from shared.contracts.director import RebuyGranted, RebuyLapsed, RebuyRequested
from shared.contracts.wallet import (
    EntryHeld,
    EntryPosted,
    EntryRefused,
    EntryReleased,
    IssueParticipationId,
)
from tests.core.wallet.given import (
    ANN,
    BEA,
    DECIDER,
    PRICE,
    TRN,
    after,
    decided,
    entered,
    entry,
    moved,
    named,
    person,
    suspended,
    unmoved,
)

ABOUT = entry(ANN, n=2)
WANTED = RebuyRequested(**ABOUT, kind="rebuy", fee_cents=500, commission_cents=50, deadline_ms=9)
GRANTED = RebuyGranted(**ABOUT, kind="rebuy", fee_cents=500, commission_cents=50, chips=1_000)
LAPSED = RebuyLapsed(**ABOUT, reason="expired")

PLAYING = (*person(ANN, 5_000), *entered(ANN))
ASKED = (*PLAYING, WANTED)
BOUGHT = (*ASKED, GRANTED)


@pytest.mark.parametrize("kind", ["rebuy", "add_on"])
def test_the_price_is_held(kind):
    held = decided(after(*PLAYING), replace(WANTED, kind=kind))
    assert isinstance(held, EntryHeld)
    assert (held.entry, held.price_cents, held.ticket) == (ABOUT["entry"], 550, "")
    assert moved(held) == {f"cash/{ANN}": -550, f"hold/{ANN}": 550}


@pytest.mark.parametrize("kind", ["rebuy", "add_on"])
def test_what_is_granted_raises_the_pool(kind):
    posted = decided(after(*ASKED), replace(GRANTED, kind=kind))
    assert isinstance(posted, EntryPosted)
    assert (posted.fee_cents, posted.commission_cents) == (500, 50)
    assert moved(posted) == {f"hold/{ANN}": -550, f"pool/{TRN}": 500, "commission": 50}


def test_what_lapses_is_released():
    released = decided(after(*ASKED), LAPSED)
    assert isinstance(released, EntryReleased)
    assert moved(released) == {f"hold/{ANN}": -550, f"cash/{ANN}": 550}


def test_what_lapses_while_the_player_is_suspended_waits_unclaimed():
    released = decided(after(*ASKED, suspended(ANN)), LAPSED)
    assert moved(released) == {f"hold/{ANN}": -550, "unclaimed": 550}


@pytest.mark.parametrize(
    ("given", "reason"),
    named(
        [
            ("nobody", (), "unknown_account"),
            ("suspended", (*PLAYING, suspended(ANN)), "not_identified"),
            (
                "too poor by a cent",
                (*person(ANN, PRICE + 549), *entered(ANN)),
                "insufficient_funds",
            ),
        ]
    ),
)
def test_refusals(given, reason):
    refused = EntryRefused(**ABOUT, reason=reason)
    assert decided(after(*given), WANTED) == refused


def test_a_rebuy_is_a_participation_of_its_own():
    """BP-REGULATOR-IDS."""
    asked = IssueParticipationId(TRN, ABOUT["entry"], ANN)
    assert asked not in after(*ASKED).errands.queue.values()
    assert asked in after(*BOUGHT).errands.queue.values()


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("requested twice", ASKED, WANTED),
            ("requested after it was refused", (WANTED, *PLAYING), WANTED),
            ("requested after it lapsed", (*PLAYING, LAPSED), WANTED),
            ("granted twice", BOUGHT, GRANTED),
            ("lapsed twice", (*ASKED, LAPSED), LAPSED),
            ("lapsed because it was refused", (WANTED,), LAPSED),
        ]
    ),
)
def test_what_no_longer_applies_changes_nothing(given, when):
    assert unmoved(after(*given), when)


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("granted, never held", PLAYING, GRANTED),
            ("granted, refused", (WANTED, *PLAYING), GRANTED),
            ("granted, lapsed", (*ASKED, LAPSED), GRANTED),
            ("granted at another price", ASKED, replace(GRANTED, fee_cents=501)),
            ("granted to another", ASKED, replace(GRANTED, player=BEA)),
            ("lapsed, granted", BOUGHT, LAPSED),
            ("below nothing", PLAYING, replace(WANTED, fee_cents=-1)),
        ]
    ),
)
def test_contradictions_stop_the_line(given, when):
    with pytest.raises(JournalContradicted, match=ABOUT["entry"]):
        DECIDER.step(after(*given), when, 0)
