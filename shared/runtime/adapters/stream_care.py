"""Streams looked at and deleted by an operator; a relay makes them anew from its log."""

from nats.aio.client import Client
from nats.errors import Error
from nats.js.errors import APIError, NotFoundError

from shared.runtime.ports import BrokerUnavailable, Line


async def end_of(client: Client, line: Line) -> int | None:
    """Return the last sequence of a line's stream, None when there is no stream.

    Unlike the relay's look it makes nothing. Raise BrokerUnavailable.
    """
    try:
        return (await client.jetstream().stream_info(line.stream)).state.last_seq
    except NotFoundError:
        return None
    except (APIError, Error, TimeoutError) as error:
        raise BrokerUnavailable(repr(error)) from error


async def delete_stream(client: Client, line: Line) -> None:
    """Delete a line's stream with all its messages; raise BrokerUnavailable."""
    try:
        await client.jetstream().delete_stream(line.stream)
    except NotFoundError:
        return
    except (APIError, Error, TimeoutError) as error:
        raise BrokerUnavailable(repr(error)) from error
