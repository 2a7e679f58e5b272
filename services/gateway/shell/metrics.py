"""The gateway's numbers, beside the runtime's."""

from prometheus_client import Counter, Gauge

SESSIONS = Gauge("rollforward_gateway_sessions", "Open sessions of players")
PUSHED = Counter("rollforward_gateway_pushed_total", "Messages put into sessions")
DROPPED = Counter("rollforward_gateway_dropped_total", "Sessions dropped, by why", ["why"])
REFUSALS = Counter("rollforward_gateway_refusals_total", "Refused requests", ["reason"])
