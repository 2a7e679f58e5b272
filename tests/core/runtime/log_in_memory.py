"""The log and the snapshots of one line in memory, always there: a `Store` for a shard alone."""

from tests.simulation.store import Disk


class LogInMemory:
    """As much of a store as a shard without upstreams uses; `rows_read` counts its commits."""

    def __init__(self, line):
        self.disk = Disk(line)
        self.rows_read = 0

    async def append(self, commits, advances=(), liveness=(), parked=(), unparked=()):
        rows = self.disk.append(commits, advances, liveness, parked, unparked)
        return rows[-1].number if rows else 0

    async def read_stream(self, stream, after=0, upto=None):
        rows = self.disk.read_stream(stream, after, upto)
        self.rows_read += len(rows)
        return rows

    async def read_streams(self, streams):
        rows = {stream: self.disk.read_stream(stream, 0, None) for stream in streams}
        self.rows_read += sum(map(len, rows.values()))
        return rows

    async def heads(self, streams):
        disk = self.disk.streams
        return {stream: disk[stream][-1].n for stream in streams if stream in disk}

    async def parked_streams(self):
        return {}

    async def live_streams(self):
        return sorted(self.disk.live)

    async def keep_snapshot(self, stream, n, first, parts):
        self.disk.keep_snapshot(stream, n, first, parts)

    async def snapshot_label(self, stream):
        return self.disk.snapshot_label(stream)

    async def snapshot_parts(self, stream, n, after, limit):
        return self.disk.snapshot_parts(stream, n, after, limit)
