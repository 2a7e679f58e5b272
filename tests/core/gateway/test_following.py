"""Following: every commit once, a commit that fits nothing stops its line, ready when caught up."""

import asyncio
from types import SimpleNamespace

import pytest

from services.gateway.shell.facts import Told, told
from services.gateway.shell.following import Following
from services.gateway.shell.lobby import Lobby
from services.gateway.shell.news import News
from services.gateway.shell.progress import Progress
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.tables import Tables
from shared.contracts.commit import Actor, Cause, Commit, encode, raw
from shared.contracts.director import Level, LevelBegan
from shared.contracts.edge import Declined, LogPage, encode as encode_answer
from shared.contracts.message import Event
from shared.contracts.wallet import AccountOpened
from shared.runtime.follow import Fact
from shared.runtime.health import Health
from shared.runtime.ports import BrokerUnavailable, Line
from shared.runtime.supervisor import LineStopped
from tests.core.gateway.facts import DIRECTOR, WALLET


class Owners:
    """A broker on which the owners answer as told; an exception is raised."""

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return encode_answer(answer)


class Clock:
    """Time passes while somebody sleeps; the first sleep that has news takes them in."""

    def __init__(self) -> None:
        self.ms = 0
        self.meanwhile: list = []

    def now_ms(self) -> int:
        return self.ms

    async def sleep(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)
        if self.meanwhile:
            self.meanwhile.pop(0)()


class Heard:
    """A read model that keeps what the wallet said."""

    def __init__(self) -> None:
        self.events: list = []

    def fold(self, told: Told) -> None:
        self.events += [event for event, _ in told.facts]


class Views:
    """The read models with nobody to tell."""

    def __init__(self, *answers: object) -> None:
        self.clock = Clock()
        self.health = Health(self.clock)
        self.lobby = Lobby()
        self.progress = Progress()
        nobody = SimpleNamespace(dealt=None, entered=None, ended=None)
        self.heard = Heard()
        self.news = News(self.lobby, Tables(), Sessions(), nobody, self.progress, self.heard)
        self.following = Following(
            Owners(*answers), self.clock, self.health, self.news, self.progress
        )


def row(line: Line, number: int, event: Event) -> Fact:
    commit = Commit(
        stream=f"{line}-stream",
        n=number,
        at="",
        by=Actor("service", line.service),
        cause=Cause(timer="test"),
        saga=None,
        build="test",
        prev="",
        events=(raw(event),),
    )
    return Fact(number, encode(commit))


SMALL = Level(10, 20)
ANN = AccountOpened(player="ply_a", sealed=b"Ann")
BOB = AccountOpened(player="ply_b", sealed=b"Bob")


async def test_a_group_that_comes_again_is_taken_in_once():
    views = Views()
    await views.following.take(WALLET, [row(WALLET, 1, ANN)])
    renamed = row(WALLET, 1, AccountOpened(player="ply_a", sealed=b"Eve"))
    await views.following.take(WALLET, [renamed, row(WALLET, 2, BOB)])
    assert views.heard.events == [ANN, BOB]
    assert views.progress.as_of() == {"wallet-0": 2}


async def test_a_commit_that_fits_nothing_stops_its_line_and_says_where():
    views = Views()
    level = LevelBegan(tournament="trn_x", number=1, level=SMALL, ends_at_ms=None)
    with pytest.raises(LineStopped, match="director-0 1"):
        await views.following.take(DIRECTOR, [row(DIRECTOR, 1, level)])


async def test_ready_when_read_up_to_where_the_owner_said_it_ended():
    views = Views(
        BrokerUnavailable("nobody"),
        Declined(reason="unavailable"),
        LogPage(rows=(), last=2),
    )
    seen: list[dict[str, str]] = []

    def take(number: int):
        def now() -> None:
            seen.append(views.health.reasons())
            if number:
                views.news.take(told(WALLET, row(WALLET, number, ANN)))

        return now

    views.clock.meanwhile = [take(0), take(0), take(1), take(2)]
    await views.following.catch_up([WALLET])
    assert all("catch up wallet-0" in reasons for reasons in seen)
    assert len(seen) == 4
    assert views.health.ready


async def test_who_wrote_waits_until_it_shows():
    progress = Progress()
    commit = told(WALLET, row(WALLET, 1, ANN))
    progress.note(commit)
    await progress.reach(commit.stream, 1)
    later = told(WALLET, row(WALLET, 2, BOB))
    waiting = asyncio.create_task(progress.reach(commit.stream, 2))
    await asyncio.sleep(0)
    assert not waiting.done()
    progress.note(later)
    await asyncio.wait_for(waiting, 1)
