"""BP-RESPONSIBLE at the gateway: connected time reaches the wallet once, and players hear of it."""

import asyncio
from typing import Any

import msgspec
import pytest

from services.gateway.shell.session_time import (
    STRETCH_MAX_MS,
    STRETCHES_MAX,
    TELL_MS,
    SessionTime,
    with_last,
)
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.time_limits import TimeLimits
from services.wallet.core import DECIDER, respond
from shared.contracts.commit import raw
from shared.contracts.edge import Accepted, Answer, Declined
from shared.contracts.wallet import (
    AccountOpened,
    CountSession,
    LimitSet,
    ReadLimits,
    SetLimit,
)
from shared.kernel.decider import Refused
from shared.kernel.outages import Stretch
from tests.core.gateway.facts import WALLET, Lines
from tests.core.runtime.clock import StandingClock, settled

ANN, BOB = "ply_ann", "ply_bob"
NOON = 1_800_014_400_000  # Friday, 15 January 2027, 12:00 UTC.
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


class WalletNearby:
    """The wallet's core behind the gateways' way of asking; away while not `reachable`."""

    def __init__(self, clock: StandingClock) -> None:
        self.reachable = True
        self.told: list[CountSession] = []
        self._clock = clock
        self._lines = Lines()
        self._limits: list[TimeLimits] = []
        self._wallet = DECIDER.fold(
            [AccountOpened(player=player, name=player) for player in (ANN, BOB)]
        )

    def followed_by(self, limits: TimeLimits) -> None:
        self._limits.append(limits)

    def set_limit(self, amount: int | None, window: str = "day", player: str = ANN) -> None:
        """Players set limits, and every gateway hears of it."""
        events = self._record(SetLimit(player=player, kind="session", window=window, amount=amount))
        self.tell_gateways(*events)

    def tell_gateways(self, *events: Any) -> None:
        for limits in self._limits:
            limits.fold(self._lines.commit(WALLET, "journal", *events))

    def used_ms(self, player: str = ANN) -> int:
        read = ReadLimits(player=player, at_ms=self._clock.ms)
        return respond(self._wallet, read).limits[0].used

    def _record(self, command: Any) -> tuple[Any, ...]:
        stepped = DECIDER.step(self._wallet, command, self._clock.ms)
        assert not isinstance(stepped, Refused), stepped
        events, self._wallet = stepped
        return events

    async def ask(self, service: str, stream: str, command: CountSession, by: Any) -> Answer:
        assert (service, stream) == ("wallet", "journal")
        await asyncio.sleep(0)
        if not self.reachable:
            return Declined(reason="unavailable", detail="")
        self.told.append(command)
        self._record(command)
        return Accepted(stream=stream, n=1, reply=raw(respond(self._wallet, command)))


class Door:
    """One gateway, as far as session time goes."""

    def __init__(self, wallet: Any, clock: StandingClock) -> None:
        self.clock = clock
        self.sessions = Sessions()
        self.limits = TimeLimits()
        self.time = SessionTime(self.limits, self.sessions, wallet, clock)
        wallet.followed_by(self.limits)

    def connect(self, player: str = ANN) -> Session:
        session = Session(player, 100)
        self.sessions.add(session)
        self.time.opened(player)
        return session

    def hang_up(self, session: Session) -> None:
        self.sessions.remove(session)
        self.time.closed(session.player)

    async def look(self) -> None:
        self.time.look()
        await self.time.tell()

    async def stay(self, ms: int) -> None:
        """Let time go by, with a look every second."""
        for _ in range(ms // 1_000):
            self.clock.ms += 1_000
            await self.look()


async def heard(session: Session) -> list[Any]:
    """What a session was told until now."""
    texts: list[str] = []

    async def send(text: str) -> None:
        texts.append(text)

    session.end("left")
    await session.send_all(send)
    return [msgspec.json.decode(text) for text in texts]


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock(NOON)


@pytest.fixture
def wallet(clock) -> WalletNearby:
    return WalletNearby(clock)


@pytest.fixture
def door(wallet, clock) -> Door:
    return Door(wallet, clock)


async def test_without_a_limit_nobody_is_watched(wallet, door):
    wallet.tell_gateways(LimitSet(player=ANN, kind="stake", window="day", amount=1, at_ms=NOON))
    door.connect()
    await door.stay(2 * MINUTE_MS)
    assert not wallet.told


async def test_time_is_told_every_minute_and_after_the_last_session(wallet, door):
    wallet.set_limit(HOUR_MS)
    session, other = door.connect(), door.connect()
    await door.stay(5 * MINUTE_MS)
    assert 4 * MINUTE_MS < wallet.used_ms() <= 5 * MINUTE_MS
    assert len(wallet.told) <= 6
    door.hang_up(session)
    await door.stay(10_000)
    door.hang_up(other)
    door.clock.ms += HOUR_MS
    await door.look()
    assert wallet.used_ms() == 5 * MINUTE_MS + 10_000
    await door.stay(MINUTE_MS)
    assert wallet.used_ms() == 5 * MINUTE_MS + 10_000


async def test_who_sets_a_limit_while_connected_is_watched_from_then_on(wallet, door):
    session = door.connect()
    await door.stay(MINUTE_MS)
    wallet.set_limit(HOUR_MS)
    await door.look()
    await door.stay(10_000)
    door.hang_up(session)
    await door.look()
    assert wallet.used_ms() == 10_000


async def test_who_lifts_the_limit_is_no_longer_watched(wallet, door):
    wallet.set_limit(HOUR_MS)
    wallet.set_limit(HOUR_MS, "week")
    door.connect()
    await door.stay(2_000)
    lifted = {"player": ANN, "kind": "session", "amount": None, "at_ms": NOON}
    wallet.tell_gateways(LimitSet(**lifted, window="week"))
    assert ANN in door.limits
    wallet.tell_gateways(LimitSet(**lifted, window="day"))
    assert ANN not in door.limits
    told = len(wallet.told)
    await door.stay(2 * MINUTE_MS)
    assert len(wallet.told) == told


async def test_the_player_hears_when_the_time_is_up_and_not_again(wallet, door):
    wallet.set_limit(90_000)
    session = door.connect()
    await door.stay(95_000)
    assert wallet.used_ms() >= 90_000
    await door.stay(3 * MINUTE_MS)
    midnight = NOON + 12 * HOUR_MS
    reached = {"kind": "session", "window": "day", "amount": 90_000, "until_ms": midnight}
    assert await heard(session) == [{"limit_reached": reached}]


async def test_the_time_is_told_when_it_is_up_and_not_a_minute_later(wallet, door):
    wallet.set_limit(10_000)
    door.connect()
    await door.stay(13_000)
    assert wallet.used_ms() >= 10_000


async def test_who_comes_with_no_time_left_hears_so(wallet, door):
    wallet.set_limit(5_000)
    first = door.connect()
    await door.stay(10_000)
    assert len(await heard(first)) == 1
    door.hang_up(first)
    await door.look()
    second = door.connect()
    await door.stay(2_000)
    third = door.connect()
    await door.stay(2_000)
    assert (len(await heard(second)), len(await heard(third))) == (2, 1)


async def test_the_next_day_is_told_of_anew(wallet, door):
    wallet.set_limit(2_000)
    session = door.connect()
    await door.stay(5_000)
    door.clock.ms = NOON + 12 * HOUR_MS
    await door.stay(2 * MINUTE_MS)
    told = [text["limit_reached"]["until_ms"] for text in await heard(session)]
    assert told == [NOON + 12 * HOUR_MS, NOON + 36 * HOUR_MS]


async def test_a_player_at_two_gateways_uses_no_more_time_than_there_is(wallet, door, clock):
    other = Door(wallet, clock)
    wallet.set_limit(HOUR_MS)
    here = door.connect()
    await door.stay(30_500)
    there = other.connect()
    for _ in range(200):
        clock.ms += 1_000
        await door.look()
        await other.look()
    door.hang_up(here)
    other.hang_up(there)
    await door.look()
    await other.look()
    assert wallet.used_ms() == clock.ms - NOON


async def test_what_the_wallet_cannot_take_waits(wallet, door):
    wallet.set_limit(HOUR_MS)
    session = door.connect()
    wallet.reachable = False
    await door.stay(3 * MINUTE_MS)
    door.hang_up(session)
    await door.stay(MINUTE_MS)
    session = door.connect()
    await door.stay(10_000)
    wallet.reachable = True
    await door.stay(1_000)
    door.hang_up(session)
    await door.look()
    assert wallet.used_ms() == 3 * MINUTE_MS + 11_000
    assert len(wallet.told) == 2


async def test_a_session_that_ends_while_the_wallet_is_told_loses_nothing(wallet, door, clock):
    wallet.set_limit(HOUR_MS)
    session = door.connect()
    clock.ms += TELL_MS
    telling = asyncio.create_task(door.look())
    await asyncio.sleep(0)
    clock.ms += 5_000
    door.hang_up(session)
    await telling
    await door.look()
    assert wallet.used_ms() == TELL_MS + 5_000


async def test_what_the_wallet_refuses_is_not_told_for_ever(door, clock):
    class Refusing:
        asked = 0

        async def ask(self, *_: Any, **__: Any) -> Answer:
            self.asked += 1
            return Declined(reason="session_invalid", detail="")

    refusing = Refusing()
    time = SessionTime(door.limits, door.sessions, refusing, clock)
    door.limits.fold(
        Lines().commit(
            WALLET,
            "journal",
            LimitSet(player=ANN, kind="session", window="day", amount=1, at_ms=NOON),
        )
    )
    door.connect()
    time.opened(ANN)
    for _ in range(10):
        clock.ms += 1_000
        time.look()
        await time.tell()
    assert refusing.asked == 1


async def test_a_gateway_that_stops_tells_the_last_of_it(wallet, door, clock):
    wallet.set_limit(HOUR_MS)
    door.connect()
    clock.ms += 7_000
    await door.time.close()
    assert wallet.used_ms() == 7_000


async def test_it_goes_on_by_itself(wallet, door, clock):
    wallet.set_limit(HOUR_MS)
    door.connect()
    running = asyncio.create_task(door.time.run())
    await settled(lambda: wallet.used_ms() >= 3 * MINUTE_MS)
    running.cancel()


def test_what_waits_is_joined_and_bounded():
    assert with_last((Stretch(0, 5),), Stretch(5, 9)) == (Stretch(0, 9),)
    assert with_last((Stretch(0, 5),), Stretch(6, 9)) == (Stretch(0, 5), Stretch(6, 9))
    day = (Stretch(0, STRETCH_MAX_MS),)
    assert with_last(day, Stretch(STRETCH_MAX_MS, STRETCH_MAX_MS + 1))[1].length_ms == 1
    many = ()
    for n in range(100):
        many = with_last(many, Stretch(10 * n, 10 * n + 5))
    assert len(many) == STRETCHES_MAX
    assert many[-1] == Stretch(990, 995)
