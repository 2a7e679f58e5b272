"""A satellite through real tables, dealer and wallet, its tickets used; wrongs in it are seen."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge
from services.wallet.core.ledger import balance_of, cash
from shared.contracts.director import (
    EntryDeclined,
    PlayerRegistered,
    PrizeDue,
    Register,
    SatellitePrizes,
    StandardPrizes,
    TournamentCreated,
    TournamentFinished,
)
from shared.contracts.wallet import EntryHeld, TicketIssued
from tests.core.cli.tournament_world import (
    TERMS,
    TOURNAMENT,
    World,
    changed,
    copies_of,
    told_in_parts,
)

FINAL = "trn_final"
PRIZES = SatellitePrizes(prize_cents=2_500, target=FINAL)
SATELLITE = replace(TERMS, prizes=PRIZES)
GRAND_FINAL = replace(TERMS, entries=2, fee_cents=2_300, prizes=StandardPrizes())


@cache
def world():
    """Six play for two tickets of 25 euros; who won them enter a final of 24 by ticket."""
    found = World(11, SATELLITE)
    found.announce(FINAL, GRAND_FINAL)
    found.play()
    for ticket in of(found, TicketIssued):
        use(found, ticket.ticket, "ply_3")
        use(found, ticket.ticket, ticket.player)
    found.play_on()
    return found


def use(found, ticket, player):
    assert found.tell("director", FINAL, Register(player=player, ticket=ticket))
    found.settle()


def of(found, kind):
    return [event for commit in found.commits for event in commit.events if isinstance(event, kind)]


def test_all_verdicts_hold():
    wrong = [verdict for verdict in judge(copies_of(world().commits)) if not verdict.true]
    assert wrong == []


def test_all_verdicts_hold_where_some_of_the_winners_are_told_apart():
    judged = judge(copies_of(told_in_parts(world().commits)))
    assert [verdict for verdict in judged if not verdict.true] == []


def test_bh_satellite_each_ticket_pays_for_its_winners_entry():
    """BH-SATELLITE: 25 euros for a price of 24, the rest becomes cash."""
    found = world()
    first, second = of(found, TicketIssued)
    assert (first.value_cents, second.value_cents, first.target) == (2_500, 2_500, FINAL)
    assert first.player != second.player
    registered = [one.player for one in of(found, PlayerRegistered) if one.tournament == FINAL]
    assert sorted(registered) == sorted([first.player, second.player])
    by_ticket = {one.player: one.ticket_cents for one in of(found, EntryHeld) if one.ticket}
    assert by_ticket == dict.fromkeys(registered, 2_400)
    declined = {one.reason for one in of(found, EntryDeclined)}
    assert declined <= {"not_your_ticket"}
    assert len(of(found, TournamentFinished)) == 2


def test_bh_satellite_money_in_is_prizes_and_commission():
    """Four losers paid 11 euros, one of them has the rest of 10; a winner of both won 46 more."""
    found = world()
    wallet = found.states["wallet", "journal"]
    tickets = {ticket.player for ticket in of(found, TicketIssued)}
    last = of(found, TournamentFinished)[1].places
    assert {placing.player for placing in last} == tickets
    held = {player: balance_of(wallet, cash(player)) for player in found.people}
    assert sum(held.values()) == 6 * 2_000 - 6 * 100 - 2 * 100
    assert held[last[0].player] == 2_000 - 1_100 + 100 + 4_600
    assert held[last[1].player] == 2_000 - 1_100 + 100


def worth_less(event):
    return replace(event, amount_cents=2_400) if event.ticket_for else None


def a_freeze_out(event):
    terms = replace(event.terms, prizes=StandardPrizes())
    return replace(event, terms=terms) if event.tournament == TOURNAMENT else None


def another_winner(event):
    if event.tournament != TOURNAMENT:
        return None
    first, second, third, *others = event.places
    swapped = replace(second, player=third.player), replace(third, player=second.player)
    return replace(event, places=(first, *swapped, *others))


@pytest.mark.parametrize(
    ("verdict", "kind", "change"),
    [
        ("prizes = pool", PrizeDue, worth_less),
        ("chips conserved", TournamentCreated, a_freeze_out),
        ("chips conserved", TournamentFinished, another_winner),
    ],
)
def test_a_wrong_is_seen(verdict, kind, change):
    judged = judge(copies_of(changed(world().commits, kind, change)))
    assert verdict in [found.name for found in judged if not found.true]
