"""Tournaments that were really played: their pools and prizes come out of their terms (BH-WINNERS).

Bounties stand apart from the pool there; what an operator added is a guarantee. Where prizes are
no hundredths of a percent of the pool, or not all were recorded, only the pool is compared.
"""

import json
from itertools import chain
from random import Random

import pytest

from services.director.core.terms import ENTRIES_MAX, problems
from shared.contracts.director import PrizeDue, TournamentStarted, WinnersPrizes
from tests.core.director.director_play import Play, of, terms
from tests.data import data_file

WHOLE = 10_000


def tournaments():
    return [json.loads(line) for line in data_file("tournaments.jsonl").read_text().splitlines()]


def is_freeze_out(known):
    """Whether what the entries paid is all of the pool, and within what we take."""
    bought = any(known.get(kind) for kind in ("rebuys", "addons"))
    price = known["buy_in"] or {"prize": 0}
    paid = price["prize"] > 0 and known["checks"].get("pool_eq_entries")
    return paid and not bought and known["entries"] <= ENTRIES_MAX


def terms_of(known, prizes):
    return terms(
        name=known["id"],
        entries=known["entries"],
        seats=min(known["entries"], 9),
        fee_cents=known["buy_in"]["prize"],
        commission_cents=known["buy_in"]["fee"],
        guarantee_cents=known["prize_pool"] if known.get("added") else 0,
        prizes=prizes,
    )


def prizes_of(known):
    """Return every recorded prize, the best place first."""
    bands = ([cents] * (last - first + 1) for first, last, cents in known["payouts"])
    return tuple(chain.from_iterable(bands))


def shares_of(known):
    """Return the prizes as hundredths of a percent of the pool, or nothing where they are none."""
    prizes, pool = prizes_of(known), known["prize_pool"]
    if sum(prizes) != pool or any(cents * WHOLE % pool for cents in prizes):
        return ()
    return tuple(cents * WHOLE // pool for cents in prizes)


def test_bh_winners_real_pools_are_what_the_entries_paid():
    played = [known for known in tournaments() if is_freeze_out(known)]
    assert len(played) > 20
    for known in played:
        play = Play(terms_of(known, WinnersPrizes(shares=(WHOLE,)))).enter()
        (started,) = of(TournamentStarted, play.events)
        assert started.prizes_cents == (known["prize_pool"],), known["id"]


def test_bh_winners_real_prizes_come_out_place_by_place():
    played = [(known, shares_of(known)) for known in tournaments() if is_freeze_out(known)]
    complete = [(known, shares) for known, shares in played if shares]
    assert len(complete) > 5
    for known, shares in complete:
        play = Play(terms_of(known, WinnersPrizes(shares=shares)))
        play.enter()
        chance = Random(known["id"])
        while play.state.phase == "running":
            play.happen(chance)
        due = {event.place: event.amount_cents for event in of(PrizeDue, play.events)}
        assert due == dict(enumerate(prizes_of(known), 1)), known["id"]


def published_columns():
    table = json.loads(data_file("payout_table.json").read_text())["by_entrants"]
    return {
        name: (
            column["sum_percent"],
            tuple(
                round(percent * 100)
                for first, last, percent in column["rows"]
                for _ in range(first, last + 1)
            ),
        )
        for name, column in table.items()
    }


def test_a_published_prize_table_that_does_not_add_up_is_refused():
    columns = published_columns()
    for name, (percent, shares) in columns.items():
        least, most = (int(number) for number in name.split("-"))
        found = problems(terms(entries=max(most, 2), seats=2, prizes=WinnersPrizes(shares=shares)))
        if percent == pytest.approx(100):
            assert not found, name
        else:
            assert found == (f"prizes: shares sum to {WHOLE}, not {sum(shares)}",), name
        assert least <= most
    assert sum(percent != pytest.approx(100) for percent, _ in columns.values()) == 1
