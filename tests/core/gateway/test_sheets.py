"""The sheet on paper and on a terminal: everything that is approved, and by whom."""

import pytest

from services.cli.tournament import interrupted
from services.director.core import sheet_in_full
from services.gateway.shell.api.sheets import as_page
from shared.contracts.director import ApproveSheet, CancelTournament
from tests.core.director.director_play import Play, terms, winners
from tests.core.director.test_cancelling import final

TERMS = {"entries": 3, "seats": 3, "rule_set": "peoples_poker", "prizes": winners(10_000)}


@pytest.fixture
def paid():
    """Three players with a third of the chips each, and a pool that three cannot share."""
    play = Play(terms(**TERMS, fee_cents=1_001)).begin()
    play.must(CancelTournament(author="anna", reason="fire [/b] & smoke"))
    play.must(ApproveSheet(author="ben", sheet_hash=final(play)))
    return sheet_in_full(play.state)


def test_the_page_names_both_operators_and_the_fraction_behind_each_floored_amount(paid):
    page = as_page("trn_0001", "Sunday <Big>", paid)
    assert "<h1>Sunday &lt;Big&gt; trn_0001</h1>" in page
    for told in ("<dd>anna", "<dd>fire [/b] &amp; smoke", "<dd>ben", f"<code>{paid.sheet_hash}"):
        assert told in page
    assert page.count("<td>€5.00<br><small>1001/2 cents</small>") == 6
    assert "tbl_0001_1: commit" in page


def test_the_terminal_shows_the_same_facts(paid, capsys):
    interrupted.tell("trn_0001", paid)
    shown = " ".join(capsys.readouterr().out.split())
    for told in (
        "together 33.03",
        "opened by anna: fire [/b] & smoke",
        "approved by ben",
        "by tbl_0001_1",
        f"hash {paid.sheet_hash}",
    ):
        assert told in shown
