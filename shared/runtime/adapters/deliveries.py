"""An ordered consumer read by hand: in order, complete, at the reader's pace, without acks.

JetStream pushes to a subject of ours, numbers what it pushes, beats while idle, and waits after
every few megabytes until we say that we have read so far. nats-py's own push subscription makes
a task for every message, and its pull holds messages back until a batch is full.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from shared.runtime.ports import Delivery

BEAT_SECONDS = 1.0
SILENT_SECONDS = 3.5
WAIT_SECONDS = 0.5
GROUP_MAX = 512


class Deliveries:
    """One consumer on the server, and what has come from it and was not read yet."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._came: deque[Msg] = deque()
        self._some = asyncio.Event()
        self._subscription: Subscription | None = None
        self._expected = 1

    async def open(self, js: JetStreamContext, stream: str, subject: str, after: int) -> int:
        """Have everything after a sequence pushed to us; return how much there is by now."""
        inbox = self._client.new_inbox()
        self._subscription = await self._client.subscribe(inbox, cb=self._take)
        info = await js.add_consumer(stream, ordered_after(after, subject, inbox))
        return info.num_pending or 0

    async def close(self) -> None:
        """Stop listening; the server lets go of the consumer when nobody listens."""
        if self._subscription:
            await self._subscription.unsubscribe()

    async def _take(self, message: Msg) -> None:
        self._came.append(message)
        self._some.set()

    async def groups(self) -> AsyncIterator[list[Delivery]]:
        """Yield what has come; end when a message was lost or the consumer is silent."""
        loop = asyncio.get_running_loop()
        heard = loop.time()
        while True:
            if await self._waited():
                heard = loop.time()
            elif loop.time() - heard > SILENT_SECONDS:
                return
            group: list[Delivery] = []
            while self._came and len(group) < GROUP_MAX:
                message = self._came.popleft()
                if (message.headers or {}).get("Status"):
                    if not await self._in_step(message):
                        return
                elif message.metadata.sequence.consumer != self._expected:
                    return
                else:
                    self._expected += 1
                    group.append(delivery(message))
            yield group

    async def _waited(self) -> bool:
        """Wait a while; tell whether there is something to read."""
        if not self._came:
            self._some.clear()
            try:
                async with asyncio.timeout(WAIT_SECONDS):
                    await self._some.wait()
            except TimeoutError:
                return False
        return True

    async def _in_step(self, control: Msg) -> bool:
        """Answer flow control, now that all before it is read; see whether a beat fits."""
        headers = control.headers or {}
        go_on = control.reply or headers.get("Nats-Consumer-Stalled")
        if go_on:
            await self._client.publish(go_on)
        last = headers.get("Nats-Last-Consumer")
        return last is None or int(last) == self._expected - 1


def ordered_after(sequence: int, subject: str, inbox: str) -> ConsumerConfig:
    """A consumer in memory, without acks, that starts behind a sequence."""
    return ConsumerConfig(
        deliver_subject=inbox,
        filter_subject=subject,
        ack_policy=AckPolicy.NONE,
        deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=sequence + 1,
        mem_storage=True,
        num_replicas=1,
        flow_control=True,
        idle_heartbeat=BEAT_SECONDS,
        inactive_threshold=30.0,
    )


def delivery(message: Msg) -> Delivery:
    """Read number and `Prev-M` of a message."""
    headers = message.headers or {}
    return Delivery(message.metadata.sequence.stream, int(headers.get("Prev-M", "0")), message.data)
