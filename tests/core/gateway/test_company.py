"""Gateways among each other: who is there, who is connected where, and who is helped or absent."""

import asyncio

import pytest

from services.gateway.shell.belonging import Belonging
from services.gateway.shell.membership import SILENT_MS, WHAT, hinders
from services.gateway.shell.tables import Tables
from shared.contracts.hand import HandStarted, SeatStack, TurnStarted
from shared.contracts.table import CreditPlayer, GoOut, PlayerWentOut, TableOpened
from shared.poker.rule_sets import BIG_HOLDEM
from shared.runtime.health import Health
from shared.runtime.ports import Attends, BrokerUnavailable, Deployment, StartRefused
from shared.runtime.reach import REACHED_MS, Reach
from tests.core.gateway.facts import TABLES, Lines
from tests.core.gateway.links import ABSENT_MS, LIMIT_MS, Gateway, Shared, quiet
from tests.core.runtime.clock import StandingClock, settled

TBL, ANN, BOB = "tbl_1_1", "ply_a", "ply_b"
SEATS = (SeatStack(1, ANN, 500), SeatStack(3, BOB, 500))
OPENED = TableOpened(
    tournament="trn_1",
    table=TBL,
    rule_set=BIG_HOLDEM,
    seats_max=6,
    action_ms=15_000,
    button_seat=1,
    seats=SEATS,
)
STARTED = HandStarted(
    hand="hnd_1_1_1",
    number=1,
    small_blind_chips=10,
    big_blind_chips=20,
    ante_chips=0,
    button_seat=1,
    small_blind_seat=1,
    big_blind_seat=3,
    seats=SEATS,
)
ANNS_TURN = TurnStarted(
    seat=1, decision=1, call_chips=10, min_raise_to=40, max_raise_to=500, act_by_ms=0
)


def at_the_table() -> tuple[Tables, Lines]:
    """Ann and Bob sit, and Ann is to act."""
    tables, lines = Tables(), Lines()
    tables.fold(lines.commit(TABLES, TBL, OPENED))
    tables.fold(lines.commit(TABLES, TBL, STARTED, ANNS_TURN))
    return tables, lines


class Two:
    """Two gateways that follow the same lines."""

    def __init__(self) -> None:
        self.shared = Shared()
        self.tables, self.lines = at_the_table()
        self.one = Gateway(self.shared, "gateway", "life-1", self.tables)
        self.other = Gateway(self.shared, "gateway-2", "life-2", self.tables)

    async def start(self) -> None:
        for gateway in (self.one, self.other):
            await gateway.start()
        await self.see()

    async def see(self) -> None:
        for gateway in (self.one, self.other):
            await gateway.tick()

    async def pass_ms(self, ms: int) -> None:
        """Let both look whether somebody is absent, before and after a while."""
        for wait_ms in (0, ms):
            self.shared.clock.ms += wait_ms
            for gateway in (self.one, self.other):
                gateway.presence.look()

    @property
    def asked(self) -> list:
        return [*self.one.asked, *self.other.asked]


@pytest.fixture
async def two():
    two = Two()
    await two.start()
    yield two
    await two.one.kill()
    await two.other.kill()


async def test_the_first_session_lists_a_player_and_the_last_one_strikes_them_off(two):
    first, second = two.one.connect(ANN), two.one.connect(ANN)
    await quiet()
    two.one.hang_up(first)
    await quiet()
    assert two.shared.listed() == {("life-1", ANN)}
    assert two.other.attending.present(ANN)
    two.one.hang_up(second)
    await quiet()
    assert two.shared.listed() == set()
    assert not two.other.attending.present(ANN)


async def test_what_cannot_be_written_is_written_later_as_it_is_then(two):
    two.shared.reachable = False
    session = two.one.connect(ANN)
    two.one.connect(BOB)
    await quiet()
    two.one.hang_up(session)
    two.shared.reachable = True
    await settled(lambda: ("life-1", BOB) in two.shared.listed())
    assert two.shared.listed() == {("life-1", BOB)}


async def test_a_gateway_insists_on_what_the_broker_has_lost(two):
    two.one.connect(ANN)
    await quiet()
    await two.other.links.note(Attends("life-1", ANN, here=False))
    await quiet()
    assert two.shared.listed() == set()
    await two.one.reconnecting.look()
    await quiet()
    assert two.shared.listed() == {("life-1", ANN)}


async def test_pp_out_who_is_connected_anywhere_is_present(two):
    two.one.connect(ANN)
    two.other.connect(BOB)
    await quiet()
    await two.pass_ms(ABSENT_MS)
    assert two.asked == []


async def test_pp_out_an_absent_player_is_set_out_by_one_gateway_alone(two):
    two.one.connect(ANN)
    await quiet()
    await two.pass_ms(ABSENT_MS - 1)
    assert two.asked == []
    await two.pass_ms(1)
    assert two.asked == [(TBL, GoOut(player=BOB))]


async def test_pp_out_who_cannot_see_the_others_sets_nobody_out(two):
    two.shared.reachable = False
    await two.see()
    await two.pass_ms(10 * ABSENT_MS)
    assert two.asked == []
    assert WHAT in two.one.health.reasons()


async def test_who_lost_a_killed_gateway_gets_the_time_until_back_elsewhere(two):
    two.other.connect(ANN)
    two.other.connect(BOB)
    await quiet()
    lost_ms = two.shared.clock.ms
    await two.other.kill()
    two.shared.clock.ms += 3_000
    await two.one.tick()
    await two.one.reconnecting.look()
    credit = CreditPlayer(player=ANN, down_from_ms=lost_ms, up_at_ms=lost_ms + 3_000)
    assert two.one.asked == [(TBL, credit)]
    await two.pass_ms(2 * ABSENT_MS)
    assert two.one.asked == [(TBL, credit)]
    two.one.connect(ANN)
    await quiet()
    back_ms = two.shared.clock.ms
    two.shared.clock.ms += 1_000
    await two.one.reconnecting.look()
    await quiet()
    last = CreditPlayer(player=ANN, down_from_ms=lost_ms, up_at_ms=back_ms)
    assert two.one.asked == [(TBL, credit), (TBL, last)]
    assert two.shared.listed() == {("life-1", ANN), ("life-2", BOB)}


async def test_who_was_back_before_anybody_looked_gets_the_time_all_the_same(two):
    two.other.connect(ANN)
    await quiet()
    lost_ms = two.shared.clock.ms
    await two.other.kill()
    two.shared.clock.ms += 2_000
    two.one.connect(ANN)
    await quiet()
    two.shared.clock.ms += 3_000
    await two.one.tick()
    await two.one.reconnecting.look()
    credit = CreditPlayer(player=ANN, down_from_ms=lost_ms, up_at_ms=lost_ms + 2_000)
    assert two.one.asked == [(TBL, credit)]


async def test_who_was_with_another_gateway_all_along_has_lost_nothing(two):
    two.one.connect(ANN)
    await quiet()
    two.shared.clock.ms += 1_000
    two.other.connect(ANN)
    await quiet()
    await two.other.kill()
    two.shared.clock.ms += 3_000
    await two.one.tick()
    await two.one.reconnecting.look()
    await quiet()
    assert two.one.asked == []
    assert two.shared.listed() == {("life-1", ANN)}


async def test_a_gateway_that_has_fallen_silent_is_gone_before_its_key_is(two):
    two.other.connect(ANN)
    await quiet()
    lost_ms = two.shared.clock.ms
    two.shared.clock.ms += SILENT_MS + 1
    await two.one.tick()
    assert two.shared.lives["gateway-2"] == "life-2"
    await two.one.reconnecting.look()
    assert [command.down_from_ms for _, command in two.one.asked] == [lost_ms]
    await two.other.links.beat()
    await two.one.tick()
    await two.one.reconnecting.look()
    assert len(two.one.asked) == 1


async def test_pp_out_who_stays_away_longer_than_the_limit_is_absent(two):
    two.other.connect(ANN)
    two.one.connect(BOB)
    await quiet()
    await two.other.kill()
    await two.one.tick()
    two.shared.clock.ms += LIMIT_MS
    await two.one.reconnecting.look()
    await quiet()
    assert two.shared.listed() == {("life-1", BOB)}
    await two.pass_ms(ABSENT_MS)
    assert two.one.asked == [(TBL, GoOut(player=ANN))]


async def test_a_gateway_that_goes_in_good_order_leaves_its_list(two):
    session = two.other.connect(ANN)
    await quiet()
    two.other.attending.close()
    await two.other.membership.leave()
    two.other.hang_up(session)
    two.shared.clock.ms += 500
    await two.one.tick()
    await two.one.reconnecting.look()
    assert [command.player for _, command in two.one.asked] == [ANN]
    await two.other.reconnecting.look()
    assert two.other.asked == []


async def test_the_next_life_works_off_the_list_of_the_last_from_its_own_coming(two):
    """What lies long before it was an outage for all: it is not for one player's account."""
    two.other.connect(ANN)
    await quiet()
    await two.one.kill()
    await two.other.kill()
    two.shared.clock.ms += 10 * LIMIT_MS
    came_ms = two.shared.clock.ms
    again = Gateway(two.shared, "gateway-2", "life-3", two.tables)
    await again.start()
    await again.reconnecting.look()
    assert [(command.player, command.up_at_ms) for _, command in again.asked] == [(ANN, came_ms)]
    assert came_ms - again.asked[0][1].down_from_ms <= 5_000
    two.shared.clock.ms += LIMIT_MS
    await again.reconnecting.look()
    await quiet()
    assert two.shared.listed() == set()
    await again.kill()


async def test_only_a_player_whose_decision_is_open_is_credited(two):
    two.other.connect(BOB)
    await quiet()
    await two.other.kill()
    two.shared.clock.ms += 3_000
    await two.one.tick()
    await two.one.reconnecting.look()
    assert two.one.asked == []


async def test_who_cannot_serve_is_not_announced(two):
    await two.other.kill()
    two.shared.lives.clear()
    two.one.health.wrong("catch up table-0", "reading")
    await two.one.tick()
    assert two.shared.lives == {}
    assert not two.one.membership.known
    two.one.health.right("catch up table-0")
    await two.one.tick()
    assert two.shared.lives == {"gateway": "life-1"}


@pytest.mark.parametrize(
    ("what", "why", "hinder"),
    [
        ("nats", "disconnected", True),
        ("platform", "no service has joined", True),
        ("gateway", "shutting down", True),
        ("catch up table-0", "reading", True),
        ("follow table-0", "stopped: it has another commit 4", True),
        ("follow table-0", "BrokerUnavailable: time-out", False),
        ("gateways", "not announced", False),
        ("replicas KV_leases_gateway", "too few", False),
    ],
)
def test_what_hinders_players_is_more_than_an_owner_that_is_slow(what, why, hinder):
    assert hinders(what, why) == hinder


async def test_a_player_set_out_already_is_not_set_out_again(two):
    two.tables.fold(two.lines.commit(TABLES, TBL, PlayerWentOut(player=BOB, seat=3)))
    two.one.connect(ANN)
    await quiet()
    await two.pass_ms(ABSENT_MS)
    assert two.asked == []


SHARDS = {"table": 4, "wallet": 1}
OURS = Deployment("dep_1", SHARDS)
REFUSED = [
    # what the services have written, what is said of it
    (
        {"table": Deployment("dep_1", {"table": 8})},
        "the settings say 4 shards for table, deployment dep_1 has 8",
    ),
    (
        {"table": OURS, "wallet": Deployment("dep_2", SHARDS)},
        "wallet belongs to deployment dep_2, others on this NATS to dep_1",
    ),
]


class Said:
    """What the buckets say, one answer after the other; the last one stays."""

    def __init__(self, *answers: dict[str, Deployment] | Exception) -> None:
        self._answers = list(answers)

    async def __call__(self) -> dict[str, Deployment]:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(("found", "said"), REFUSED)
async def test_a_gateway_of_another_platform_does_not_start(found, said):
    clock = StandingClock()
    belonging = Belonging(Said(found), SHARDS, clock, Health(clock))
    with pytest.raises(StartRefused, match=said):
        await belonging.found()


async def test_a_gateway_waits_for_the_first_service_to_join():
    clock = StandingClock()
    health = Health(clock)
    answers = Said(BrokerUnavailable("away"), {}, {"wallet": OURS})
    assert await Belonging(answers, SHARDS, clock, health).found() == OURS
    assert "no service has joined" in health.reasons()["platform"]


@pytest.mark.parametrize("found", [REFUSED[1][0], {"table": Deployment("dep_2", SHARDS)}])
async def test_a_platform_that_changes_under_a_gateway_is_an_alarm(found):
    clock = StandingClock()
    health = Health(clock)
    belonging = Belonging(Said({"wallet": OURS}, {}, found), SHARDS, clock, health)
    await belonging.found()
    watching = asyncio.create_task(belonging.watch())
    await settled(lambda: health.ready)
    await settled(lambda: "dep_2" in health.reasons().get("platform", ""))
    watching.cancel()


def test_players_reach_us_up_to_the_moment_a_gateway_was_heard():
    clock = StandingClock(1_000)
    reach = Reach(clock)
    assert reach.reached() == (0, 0)
    reach.heard("life-1")
    clock.ms += REACHED_MS
    reach.heard("life-2")
    clock.ms = 9_000
    assert reach.reached() == (1_000, 1_000 + REACHED_MS)


def test_a_silence_of_the_gateways_is_no_time_in_which_players_reached_us():
    clock = StandingClock(1_000)
    reach = Reach(clock)
    reach.heard("life-1")
    clock.ms += REACHED_MS + 1
    reach.heard("life-1")
    assert reach.reached() == (clock.ms, clock.ms)
