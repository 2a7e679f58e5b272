"""Bounties with BH-REBUY and late entries: won with the last chips, and a new one is bought."""

import pytest
from msgspec.structs import replace

from services.director.core import HaltReported
from services.director.core.rollforward.cutting import case_of, sheet_now
from services.director.core.terms import problems
from shared.contracts.director import (
    AddOn,
    ApproveSheet,
    BountyDue,
    CancelTournament,
    DeclineRebuy,
    EntriesClosed,
    PayoutDue,
    PlayerBusted,
    PrizeDue,
    Rebuy,
    RebuyOffered,
    Register,
    TournamentFinished,
)
from shared.contracts.table import TableHalted
from tests.core.director.director_play import TOURNAMENT, held, of, terms
from tests.rulebook.buying import ADD_ON, ONE_PRIZE, REBUY, A, B, C, D, buys, late, rebuys, to_level


def won(events):
    return [
        (due.knocked_out, due.player, due.amount_cents, due.added_cents)
        for due in of(BountyDue, events)
    ]


def bounties(play):
    return dict(play.state.bounties.items())


def test_bh_rebuy_a_bounty_is_won_with_the_last_chips_before_the_loser_decides():
    """BH-REBUY: and the rebuy brings a new one, out of its own fee."""
    play = rebuys(bounty_cents=300)
    events = play.end_hand(1, by=(C,), ply_001=0)
    assert of(RebuyOffered, events)
    assert won(events) == [(A, C, 300, 0)]
    assert bounties(play) == dict.fromkeys((B, C, D), 300)
    assert won(buys(play, Rebuy(player=A))) == []
    assert bounties(play) == dict.fromkeys((A, B, C, D), 300)
    play.end_hand(1)
    assert won(play.end_hand(1, by=(B,), ply_001=0)) == [(A, B, 300, 0)]
    (busted,) = of(PlayerBusted, play.events)
    assert busted.player == A


def test_bh_rebuy_who_goes_out_later_is_not_won_twice():
    play = rebuys(bounty_cents=300)
    play.end_hand(1, by=(C,), ply_001=0)
    assert won(play.must(DeclineRebuy(player=A))) == []
    to_level(play, 3)
    play.end_hand(1)
    assert of(EntriesClosed, play.events)
    assert won(play.events) == [(A, C, 300, 0)]


def test_pp_entry_a_re_entry_brings_a_new_bounty():
    """PP-ENTRY: it is an entry like any other."""
    play = late(4, bounty_cents=300)
    assert won(play.end_hand(1, by=(D,), ply_001=0)) == [(A, D, 300, 0)]
    assert A not in bounties(play)
    buys(play, Register(player=A))
    play.answer_all_draws()
    assert bounties(play)[A] == 300
    to_level(play, 3)
    (closed,) = of(EntriesClosed, play.events)
    assert (closed.pool_cents, sum(closed.prizes_cents)) == (5_000, 5_000 - 5 * 300)


def test_bh_rebuy_an_add_on_brings_no_bounty_and_who_is_saved_by_one_has_none():
    """BH-REBUY: the last chips are lost all the same, with the bounty."""
    play = rebuys(bounty_cents=300)
    (asked,) = play.must(AddOn(player=A))
    play.asked.remove(asked)
    play.end_hand(1, by=(B,), ply_001=0)
    assert bounties(play) == dict.fromkeys((B, C, D), 300)
    play.must(held(asked))
    assert play.state.left == 4
    play.end_hand(1)
    events = play.end_hand(1, by=(C,), ply_001=0)
    assert of((RebuyOffered, PlayerBusted), events)
    assert won(events) == []


def test_bh_rebuy_a_progressive_bounty_goes_on_in_the_order_of_the_hands():
    """BH-REBUY: who took the chips may lose them before the offer has lapsed."""
    play = rebuys(bounty_cents=300, progressive=True)
    play.end_hand(1, by=(B,), ply_001=0)
    assert bounties(play)[B] == 450
    assert won(play.end_hand(1, by=(C,), ply_002=0)) == [(B, C, 225, 225)]
    assert bounties(play) == {C: 525, D: 300}
    assert sorted(play.state.offers) == [A, B]


def test_bh_rebuy_prizes_and_bounties_are_the_pool():
    """BH-REBUY: 40 + 8 + 5 euros, 3 of each entry and of the rebuy for the knock-outs."""
    play = rebuys(bounty_cents=300, progressive=True, prizes=ONE_PRIZE)
    play.end_hand(1, by=(B,), ply_001=0)
    buys(play, Rebuy(player=A))
    play.end_hand(1)
    buys(play, AddOn(player=C))
    to_level(play, 3)
    play.end_hand(1)
    play.end_hand(1, by=(D,), ply_002=0)
    (closed,) = of(EntriesClosed, play.events)
    assert (closed.pool_cents, closed.prizes_cents) == (5_300, (5_300 - 5 * 300,))
    play.end_hand(1, by=(D,), ply_001=0)
    events = play.end_hand(1, by=(D,), ply_003=0)
    assert isinstance(events[-1], TournamentFinished)
    cash = sum(due.amount_cents for due in of(BountyDue, play.events))
    assert cash == 5 * 300
    assert sum(due.amount_cents for due in of(PrizeDue, play.events)) + cash == 5_300
    assert bounties(play) == {}


@pytest.mark.parametrize("rule_set", ["big_holdem", "peoples_poker", "tda"])
def test_the_cut_open_bounties_go_back_and_with_the_shares_are_the_pool(rule_set):
    """The cut: who has a rebuy on offer has lost the bounty; who has bought again has another."""
    play = rebuys(bounty_cents=300, progressive=True, rule_set=rule_set)
    play.end_hand(1, by=(B,), ply_001=0)
    buys(play, Rebuy(player=A))
    play.end_hand(1, by=(B,), ply_003=0)
    play.must(CancelTournament(author="ops", reason="fire"))
    (table,) = play.state.tables.values()
    hand = f"hnd_0001_1_{table.hand}"
    told = TableHalted(tournament=TOURNAMENT, table=table.table, hand=hand, seats=table.seats)
    play.must(HaltReported(told, "table-1", len(play.events)))
    assert {line.player for line in sheet_now(play.state).players} == {A, B, D}
    paid = play.must(ApproveSheet(author="ops_2", sheet_hash=play.state.cancelling.sheet_hash))
    assert won(paid) == [(A, A, 300, 0), (B, B, 600, 0), (D, D, 300, 0)]
    shares = sum(due.pool_cents for due in of(PayoutDue, paid))
    cash = sum(due.amount_cents for due in of(BountyDue, play.events))
    assert cash == 5 * 300
    assert shares + cash == 4_800


def test_bh_rf1_all_rights_are_given_back_without_their_bounties():
    """BH-RF1: an entry of 11 euros and a rebuy of 8.80, each less 3."""
    play = rebuys(bounty_cents=300)
    play.end_hand(1, by=(B,), ply_001=0)
    buys(play, Rebuy(player=A))
    case = case_of(play.state)
    mine = next(survivor for survivor in case.survivors if survivor.player == A)
    assert (case.entry_cents, mine.extra_cents, mine.extra_commission_cents) == (800, 580, 80)


def test_bh_rebuy_a_rebuy_costs_more_than_its_bounty():
    """PP-LOBBY."""
    chosen = terms(bounty_cents=800, rebuy=REBUY, add_on=replace(ADD_ON, fee_cents=0))
    found = "rebuy: fee_cents are more than bounty_cents: each brings a new bounty"
    assert problems(chosen) == (found,)
    assert problems(replace(chosen, bounty_cents=799)) == ()
