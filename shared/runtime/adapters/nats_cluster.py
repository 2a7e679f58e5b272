"""A NATS cluster on this machine: servers that keep every stream in several replicas.

What production runs on several machines, for the tests that take servers away one by one.
"""

import http.client
import json
import shutil
import time
import uuid
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from shared.runtime.adapters.engines import (
    START_PATIENCE_S,
    EngineError,
    NatsServer,
    free_ports,
)

NODES = 3
TRIES = 3
LOOK_S = 0.05


class Node(NatsServer):
    """One server of a cluster, with its routes to the others and its own monitoring."""

    def __init__(self, home: Path | None, cluster: str, *, sync: str) -> None:
        super().__init__(home, sync=sync)
        self._cluster = cluster
        self._route = self._monitor = 0
        self._routes: list[str] = []

    def settle(self, port: int, route: int, monitor: int) -> None:
        """Give it its three ports, before its first start."""
        self.port, self._route, self._monitor = port, route, monitor

    def meet(self, others: list["Node"]) -> None:
        """Tell it where the others are."""
        self._routes = [f"nats://127.0.0.1:{node._route}" for node in others]

    def configuration(self) -> list[str]:
        """The same on every start: the others know it by its name and addresses."""
        routes = json.dumps(self._routes)
        listen = f"listen: 127.0.0.1:{self._route}, no_advertise: true"
        return [
            *super().configuration(),
            f"http: 127.0.0.1:{self._monitor}",
            f"cluster {{ name: {self._cluster}, {listen}, routes: {routes} }}",
        ]

    @property
    def sound(self) -> bool:
        """Whether it is in touch with the cluster's leader, and its streams are up to date."""
        return self._asked("/healthz") is not None

    @property
    def leads(self) -> bool:
        """Whether it leads the cluster itself: who makes, moves and deletes streams."""
        found = self._asked("/jsz") or {}
        return bool(found.get("meta_cluster", {}).get("leader") == self.name)

    def messages(self, stream: str) -> int:
        """Return how many messages of a stream lie on this server itself."""
        found = self._asked("/jsz?streams=1") or {}
        accounts = found.get("account_details", [])
        states = [
            one["state"]
            for a in accounts
            for one in a.get("stream_detail", ())
            if one["name"] == stream
        ]
        return int(states[0]["messages"]) if states else 0

    def _asked(self, path: str) -> dict[str, Any] | None:
        """Read its monitoring; None when it is away or not well."""
        asking = http.client.HTTPConnection("127.0.0.1", self._monitor, timeout=2)
        try:
            asking.request("GET", path)
            answer = asking.getresponse()
            return dict(json.loads(answer.read())) if answer.status == http.HTTPStatus.OK else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            asking.close()


class NatsCluster:
    """Several servers that live as long as the block; each may be killed and started again."""

    def __init__(self, *, nodes: int = NODES, sync: str = "always") -> None:
        name = f"rollforward-{uuid.uuid4().hex[:12]}"
        self.nodes = [Node(None, name, sync=sync) for _ in range(nodes)]
        self.absent: tuple[Node, ...] = ()

    @property
    def url(self) -> str:
        """All addresses, as `NATS_URL` takes them."""
        return ",".join(node.url for node in self.nodes)

    def start(self) -> None:
        """Start all servers but those to come later; return when they have found each other."""
        for node in self.nodes:
            if node not in self.absent:
                node.start()
        self.wait_sound()

    def wait_sound(self) -> None:
        """Wait until the servers that run are one cluster, with every stream up to date."""
        deadline = time.monotonic() + START_PATIENCE_S
        while not all(node.sound for node in self.nodes if node.guard):
            if time.monotonic() > deadline:
                raise EngineError(f"no cluster: {[node.sound for node in self.nodes]}")
            time.sleep(LOOK_S)

    def node(self, name: str) -> Node:
        """Return the server of a name, such as JetStream gives for the leader of a stream."""
        return next(node for node in self.nodes if node.name == name)

    def leader(self) -> Node | None:
        """Return the server that leads the cluster itself, None while there is none."""
        return next((node for node in self.nodes if node.leads), None)

    def empty(self, node: Node) -> None:
        """Take away all that a server that is down has stored."""
        shutil.rmtree(node.store)

    def close(self) -> None:
        """Stop all and remove what they stored."""
        for node in self.nodes:
            node.close()

    def __enter__(self) -> Self:
        with ExitStack() as undoing:
            undoing.callback(self.close)
            self._start_first()
            undoing.pop_all()
        return self

    def _start_first(self) -> None:
        """Start on ports that are free; the routes name them, so all are chosen beforehand."""
        for tries_left in reversed(range(TRIES)):
            self._settle()
            try:
                self.start()
            except EngineError:
                for node in self.nodes:
                    node.stop()
                if not tries_left:
                    raise
            else:
                return

    def _settle(self) -> None:
        ports = iter(free_ports(3 * len(self.nodes)))
        for node in self.nodes:
            node.settle(next(ports), next(ports), next(ports))
        for node in self.nodes:
            node.meet([other for other in self.nodes if other is not node])

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
