"""A Big Shoot with all services: two sold stages, one who withdraws, a final for all the rest."""

import time
from typing import Any

from services.cli.platform import Platform
from services.cli.verdicts import judge
from shared.contracts.director import BigShoot, QualifyingPrizes, Terms
from tests.integration.gateway.guests import PRICE_CENTS, Guest, House, Message, terms
from tests.integration.platform.test_satellite import ALL_IN, me
from tests.integration.platform.watching import all_paid, settled, until

FEE_CENTS, WITHDRAWAL_CENTS = 1_000, 700


async def test_bh_bigshoot_from_two_sold_stages_to_the_final(platform: Platform):
    """BH-BIGSHOOT: two of four go on from the first, one of three from the second."""
    async with House(platform.url("gateway"), platform.operator_token) as house:
        four = [await house.guest(name, 2 * PRICE_CENTS) for name in ("Ann", "Bob", "Cat", "Dan")]
        two = [await house.guest(name) for name in ("Eve", "Fay")]
        by_id = {guest.player: guest for guest in (*four, *two)}
        final = await house.announce(last_stage())
        first = await house.started(four, first_stage(4, final))
        lobby = await until(lambda: house.lobby(final), fed_by(1))
        stays, leaves = (by_id[one["player"]] for one in lobby["big_shoot"]["qualified"])
        out = next(guest for guest in four if guest not in (stays, leaves))
        second = await house.announce(first_stage(3, final))
        await asks_amiss(house, final, second, stays, out)
        await withdraws(leaves, stays, final)
        await enter([out, *two], second)
        lobby = await until(lambda: house.lobby(final), all_paid)
        assert [feeder["tournament"] for feeder in lobby["big_shoot"]["feeders"]] == [first, second]
        await is_won(lobby, stays, leaves, by_id)
        listed = (await house.anybody.get("/api/tournaments", params={"series": final})).json()
        stages = [(one["tournament"], one["series_stage"]) for one in listed["tournaments"]]
        assert stages == [(second, 1), (first, 1), (final, 2)]
    false = [verdict for verdict in judge(await settled(platform)) if not verdict.true]
    assert false == []


def first_stage(entries: int, final: str) -> Terms:
    """Half of them go on, and may have 7 euros instead."""
    prizes = QualifyingPrizes(winners=5_000, target=final, withdrawal_cents=WITHDRAWAL_CENTS)
    stage = BigShoot(series=final, stage=1)
    return terms(entries, levels=ALL_IN, prizes=prizes, big_shoot=stage)


def last_stage() -> Terms:
    """Its moment has passed long before both stages that it waits for are over."""
    return terms(
        10,
        levels=ALL_IN,
        fee_cents=0,
        commission_cents=0,
        start_at_ms=time.time_ns() // 1_000_000 + 1,
        big_shoot=BigShoot(series="", stage=2, fed_by=2, withdraw_ms=1_000),
    )


def fed_by(tournaments: int):
    return lambda lobby: lobby["big_shoot"]["fed"] == tournaments


async def enter(guests: list[Guest], tournament: str) -> None:
    for guest in guests:
        answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
        assert answer.status_code == 201, answer.text


async def withdraw(guest: Guest, final: str) -> tuple[int, Message]:
    answer = await guest.http.post(f"/api/tournaments/{final}/withdrawal")
    return answer.status_code, answer.json()


async def asks_amiss(house: House, final: str, second: str, stays: Guest, out: Guest) -> None:
    """Who is out cannot withdraw, and nobody can buy in; who is in has no second entry."""
    status, refused = await withdraw(out, final)
    assert (status, refused["reason"]) == (409, "not_qualified")
    for guest, tournament, reason in (
        (out, final, "qualified_only"),
        (stays, second, "still_in_big_shoot"),
    ):
        answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
        assert (answer.status_code, answer.json()["reason"]) == (409, reason)
    assert (await house.lobby(second))["entries"] == []


async def withdraws(leaves: Guest, stays: Guest, final: str) -> None:
    """It is paid once, out of the pool; the last one stays."""
    assert await withdraw(leaves, final) == (201, {"amount_cents": WITHDRAWAL_CENTS})
    for guest, reason in ((leaves, "not_qualified"), (stays, "last_one")):
        status, refused = await withdraw(guest, final)
        assert (status, refused["reason"]) == (409, reason)
    cents = PRICE_CENTS + WITHDRAWAL_CENTS
    await until(lambda: me(leaves), lambda account: account["cash_cents"] == cents)


async def is_won(lobby: Message, stays: Guest, leaves: Guest, by_id: dict[str, Guest]) -> None:
    """All that was paid in is with the winner and with who withdrew, but for the commission."""
    pool_cents = 7 * FEE_CENTS - WITHDRAWAL_CENTS
    view: dict[str, Any] = lobby["big_shoot"]
    assert lobby["pool_cents"] == lobby["places"][0]["prize_cents"] == pool_cents
    assert (view["carried_cents"], view["withdrawn_cents"]) == (7 * FEE_CENTS, WITHDRAWAL_CENTS)
    assert [one["player"] for one in view["qualified"] if one["withdrew"]] == [leaves.player]
    assert all(one["paid"] for one in view["qualified"] if one["withdrew"])
    players = {place["player"] for place in lobby["places"]}
    assert len(players) == 2
    assert stays.player in players
    winner = by_id[lobby["places"][0]["player"]]
    left_cents = PRICE_CENTS if winner is stays else 0
    assert (await me(winner))["cash_cents"] == left_cents + pool_cents
