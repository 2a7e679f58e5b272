"""One service as a process of its own: the real one, but that it may kill itself at a commit.

The service knows nothing of it: its recorder is replaced before it starts. Cards are the same in
every run, since the dealer's generator is seeded by what it is asked for, not by how often its
process was started.
"""

import hmac
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Literal, NamedTuple

from services.dealer.core import Dealings
from services.dealer.settings import DealerSettings
from services.dealer.shell import app as dealer
from services.dealer.shell.dealing import Dealing, Stepped
from services.dealer.shell.registry import Cards, Registry
from services.dealer.shell.shuffling import Shuffles
from services.director.shell import app as director
from services.ranking.shell import app as ranking
from services.table.shell import app as table
from services.wallet.shell import app as wallet
from shared.contracts.dealer import DealerRequest, Draw
from shared.runtime.adapters.appending import values_of
from shared.runtime.adapters.person_keys import PostgresPersonKeys
from shared.runtime.adapters.recorder import LineRecorder
from shared.runtime.aggregate import Aggregate
from shared.runtime.decks import UsedDecks
from shared.runtime.person_keys import PersonKey
from shared.runtime.ports import NewCommit
from shared.runtime.service import World

RUN = {
    "wallet": wallet.run,
    "dealer": dealer.run,
    "ranking": ranking.run,
    "director": director.run,
    "table": table.run,
}

Mode = Literal["after", "before"]


class Point(NamedTuple):
    """When a process kills itself: at its k-th commit, just after or just before it is durable."""

    service: str
    k: int
    mode: Mode


def serve(
    service: str, environ: Mapping[str, str], log: str, seed: str, point: Point | None
) -> None:
    """Run a service; it ends with the process that started it."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    with Path(log).open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.environ.update(environ)
    seed_dealer(seed)
    seed_persons(seed)
    if point:
        LineRecorder.append = dying(LineRecorder.append, point)
    RUN[service]()


def end_with_parent() -> None:
    """Nothing outlives the run."""
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def dying(append: Callable[..., int], point: Point) -> Callable[..., int]:
    """Return from the transaction only when the commit was not yet the one.

    Before its commit, the transaction has done everything else.
    """
    written = 0

    def appending(self: LineRecorder, commits: Sequence[NewCommit], *more: Any) -> int:
        nonlocal written
        is_the_one = written < point.k <= written + len(commits)
        if is_the_one and point.mode == "before":
            with self.datastore.get_connection() as connection, connection.transaction():
                self.called(connection, values_of(commits, *more))
                die()
        last = append(self, commits, *more)
        written += len(commits)
        if is_the_one:
            die()
        return last

    return appending


def die() -> None:
    """End at once: no answer, no relay, no goodbye."""
    os.kill(os.getpid(), signal.SIGKILL)


class Chance:
    """A generator whose bytes depend on its seed and on what they are for, and on nothing else."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self.begin("")

    def begin(self, what: str) -> None:
        """From here on bytes are for this: always the same ones."""
        self._stream = (byte for block in blocks(f"{self._seed}/{what}") for byte in block)

    def __call__(self, size: int) -> bytes:
        return bytes(next(self._stream) for _ in range(size))


def blocks(key: str) -> Iterator[bytes]:
    """Return 32 bytes after 32 bytes, for ever."""
    for number in count():
        yield hmac.digest(key.encode(), number.to_bytes(8, "big"), "sha256")


def seed_dealer(seed: str) -> None:
    """Let the dealer make the same deck for a hand, and the same draw for a purpose, every time."""
    chance = Chance(seed)
    compose, step = dealer.compose, Dealing.step

    def seeded(settings: DealerSettings, world: World, used: UsedDecks) -> Aggregate:
        world.entropy = chance
        return compose(settings, world, used)

    def step_for(self: Dealing, dealings: Dealings, request: DealerRequest, at_ms: int) -> Stepped:
        chance.begin(request.purpose if isinstance(request, Draw) else f"secrets of {request.hand}")
        return step(self, dealings, request, at_ms)

    dealer.compose = seeded
    Dealing.step = step_for
    seed_decks(chance)


def seed_persons(seed: str) -> None:
    """Let a person's key be the same in every run, and what is sealed with it."""
    obtain = PostgresPersonKeys.obtain

    async def obtained(
        self: PostgresPersonKeys, offered: Mapping[str, bytes]
    ) -> dict[str, PersonKey]:
        same = {one: hmac.digest(seed.encode(), one.encode(), "sha256") for one in offered}
        return await obtain(self, same)

    PostgresPersonKeys.obtain = obtained


def seed_decks(chance: Chance) -> None:
    """Make the same deck for a hand every time: made again after a kill, it is no used one."""
    make, enter = Shuffles._make, Registry.enter

    async def make_for(self: Shuffles, hands: Iterable[str]) -> None:
        for hand in hands:
            chance.begin(hand)
            await make(self, [hand])

    async def entered(self: Registry, decks: Iterable[Cards]) -> list[bool]:
        return [True for _ in await enter(self, decks)]

    Shuffles._make = make_for
    Registry.enter = entered
