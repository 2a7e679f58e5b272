"""How a line's log is written: one call of a function in the database, one way there and back.

The number is max + 1 under an advisory lock, so that it is gapless and equals the JetStream
sequence. Each statement of the function sees what was committed before it, so the one that takes
numbers is younger than the lock; written as one statement, both would have one snapshot, and
numbers would come twice. Positions are compared and set, so that two owners fence each other;
liveness and parked facts are written in the same transaction. What has moved is said by the error
of a key that exists: the caller has lost to somebody, or to an earlier try of its own.
"""

from collections.abc import Sequence
from typing import Any, LiteralString

from shared.runtime.ports import Advance, Liveness, NewCommit, Parked

CREATE: LiteralString = """
CREATE OR REPLACE FUNCTION {append} (
    streams text[], versions bigint[], classes text[], datas bytea[],
    upstreams text[] = '{{}}', expecteds bigint[] = '{{}}', reacheds bigint[] = '{{}}',
    hashes bytea[] = '{{}}', lives text[] = '{{}}', idles text[] = '{{}}',
    unparked_upstreams text[] = '{{}}', unparked_numbers bigint[] = '{{}}',
    parked_upstreams text[] = '{{}}', parked_numbers bigint[] = '{{}}',
    parked_streams text[] = '{{}}', parked_reasons text[] = '{{}}', parked_ats text[] = '{{}}',
    parked_datas bytea[] = '{{}}'
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    last_number bigint;
    changed bigint;
BEGIN
    PERFORM pg_advisory_xact_lock({key});
    IF cardinality(lives) > 0 THEN
        INSERT INTO {live} SELECT unnest(lives) ON CONFLICT DO NOTHING;
    END IF;
    IF cardinality(idles) > 0 THEN
        DELETE FROM {live} AS held WHERE held.stream = ANY(idles);
    END IF;
    IF cardinality(upstreams) > 0 THEN
        UPDATE {positions} AS held SET reached = given.reached, last_hash = given.last_hash
        FROM unnest(upstreams, expecteds, reacheds, hashes)
            AS given (upstream, expected, reached, last_hash)
        WHERE held.upstream = given.upstream AND held.reached = given.expected;
        GET DIAGNOSTICS changed = ROW_COUNT;
        IF changed <> cardinality(upstreams) THEN
            RAISE unique_violation USING MESSAGE = 'a position moved: another owner was here';
        END IF;
    END IF;
    IF cardinality(unparked_upstreams) > 0 THEN
        DELETE FROM {parked} AS held USING unnest(unparked_upstreams, unparked_numbers)
            AS given (upstream, number)
        WHERE held.upstream = given.upstream AND held.number = given.number;
        GET DIAGNOSTICS changed = ROW_COUNT;
        IF changed <> cardinality(unparked_upstreams) THEN
            RAISE unique_violation USING MESSAGE = 'a parked fact moved: another owner was here';
        END IF;
    END IF;
    IF cardinality(parked_upstreams) > 0 THEN
        INSERT INTO {parked} SELECT * FROM unnest(parked_upstreams, parked_numbers,
            parked_streams, parked_reasons, parked_ats, parked_datas);
    END IF;
    SELECT coalesce(max(notification_id), 0) INTO last_number FROM {events};
    IF cardinality(streams) > 0 THEN
        INSERT INTO {events}
            (originator_id, originator_version, topic, state, notification_id)
        SELECT stream, version, class, data, last_number + nth
        FROM unnest(streams, versions, classes, datas) WITH ORDINALITY
            AS given (stream, version, class, data, nth);
    END IF;
    RETURN last_number + cardinality(streams);
END $$
"""
COMMITS: LiteralString = (
    "SELECT {append}(%b::text[], %b::int8[], %b::text[], %b::bytea[]) AS last_number"
)
ALL: LiteralString = (
    "SELECT {append}(%b::text[], %b::int8[], %b::text[], %b::bytea[],"
    " %b::text[], %b::int8[], %b::int8[], %b::bytea[], %b::text[], %b::text[],"
    " %b::text[], %b::int8[],"
    " %b::text[], %b::int8[], %b::text[], %b::text[], %b::text[], %b::bytea[]) AS last_number"
)

COMMIT_COLUMNS = 4


def values_of(
    commits: Sequence[NewCommit],
    advances: Sequence[Advance],
    liveness: Sequence[Liveness],
    parked: Sequence[Parked],
    unparked: Sequence[Parked],
) -> list[list[Any]]:
    """Return what the function is given: four arrays for commits alone, else all."""
    values = columns(commits, COMMIT_COLUMNS)
    if not (advances or liveness or parked or unparked):
        return values
    return [
        *values,
        *columns(advances, 4),
        [row.stream for row in liveness if row.live],
        [row.stream for row in liveness if not row.live],
        *columns([row[:2] for row in unparked], 2),
        *columns(parked, 6),
    ]


def columns(rows: Sequence[tuple[Any, ...]], count: int) -> list[list[Any]]:
    """Turn rows into columns, of which there are so many also when there are no rows."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[]] * count
