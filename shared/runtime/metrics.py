"""The runtime's numbers, in Prometheus's default registry; labels never name a stream."""

from prometheus_client import Counter, Gauge, Histogram

COMMITS = Counter("rollforward_commits_total", "Commits written", ["line"])
BATCH_COMMITS = Histogram(
    "rollforward_batch_commits", "Commits in one transaction", ["line"], buckets=(1, 4, 16, 64, 256)
)
APPEND_SECONDS = Histogram("rollforward_append_seconds", "Duration of one append", ["line"])
CONFLICTS = Counter("rollforward_conflicts_total", "Batches that lost to another writer", ["line"])
REFUSALS = Counter("rollforward_refusals_total", "Refused commands", ["line", "reason"])
FAULTS = Counter("rollforward_faults_total", "Decisions that raised", ["line"])
QUESTIONS_FAILED = Counter("rollforward_questions_failed_total", "Tries without an answer")
RESTARTS = Counter("rollforward_task_restarts_total", "Tasks restarted", ["task"])
PUBLISHED = Counter("rollforward_published_total", "Commits relayed", ["line"])
REFILLED = Counter("rollforward_refilled_total", "Commits that had to be asked for", ["line"])
PARKED = Gauge("rollforward_parked", "Upstream facts that wait in the inbox", ["line"])
SNAPSHOTS_KEPT = Counter("rollforward_snapshots_kept_total", "Snapshots written", ["line"])
SNAPSHOTS_USED = Counter("rollforward_snapshots_used_total", "Starts from a snapshot", ["line"])
SNAPSHOTS_REFUSED = Counter(
    "rollforward_snapshots_refused_total", "Snapshots not believed", ["line", "reason"]
)
DECKS_REPEATED = Counter("rollforward_decks_repeated_total", "Decks made that were used before")
PROJECTION_LAG = Gauge("rollforward_projection_lag", "Commits not yet in the read model", ["line"])
LEASES_HELD = Gauge("rollforward_leases_held", "Lines that this process holds")
LEASES_LOST = Counter("rollforward_leases_lost_total", "Leases not given back but lost", ["line"])
LEASES_RENEWED = Gauge(
    "rollforward_leases_renewed_seconds", "When all leases were last renewed, Unix time"
)
RELAY_LAG = Gauge("rollforward_relay_lag", "Commits not yet in the stream", ["line"])
BROKER_ERRORS = Counter("rollforward_broker_errors_total", "Errors the NATS client reported")
REACHED = Gauge("rollforward_reached_seconds", "When a gateway was last heard, Unix time")
