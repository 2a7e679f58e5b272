"""What may be wrong with a snapshot, each time with an older state in it: one that can be read.

A page of it was never written; or another build has made it, which folds the same events to
another state; or it is of another log, such as one that was undone by a restore.
"""

from collections.abc import Mapping
from hashlib import sha256
from random import Random

from msgspec.structs import replace

from shared.runtime.ports import Line
from shared.runtime.snapshots import SEAL_BYTES, decode_label, sealed
from tests.simulation.store import Disk

WAYS = ("torn", "another build", "another log")


def spoil(disks: Mapping[Line, Disk], chance: Random) -> Line | None:
    """Put outdated states into all snapshots of one line; return which, if there is any."""
    labels: dict[Line, list[tuple[str, int]]] = {}
    for line, disk in disks.items():
        for stream, n, part in disk.snapshots:
            if not part and disk.outdated.get(stream):
                labels.setdefault(line, []).append((stream, n))
    if not labels:
        return None
    line = chance.choice(list(labels))
    way = chance.choice(WAYS)
    for stream, n in labels[line]:
        put_outdated(disks[line], stream, n, way)
    return line


def put_outdated(disk: Disk, stream: str, n: int, way: str) -> None:
    old = disk.outdated[stream]
    for part, data in enumerate(old, 1):
        disk.snapshots[stream, n, part] = data
    if way == "torn":
        return
    label = decode_label(disk.snapshots[stream, n, 0][SEAL_BYTES:])
    hashes = tuple(sha256(data).digest() for data in old)
    if way == "another build":
        label = replace(label, build="another", parts=hashes)
    else:
        label = replace(label, prev=sha256(label.prev.encode()).hexdigest(), parts=hashes)
    disk.snapshots[stream, n, 0] = sealed(label)
