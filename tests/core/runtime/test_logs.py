"""Logs: what every line carries, whoever wrote it."""

import json
import subprocess
import sys

PROGRAM = """
import logging
import structlog
from shared.runtime.logs import configure

configure("table", "b7", "info")
log = structlog.get_logger()
log.debug("unseen")
log.info("hand_ended", hand="hnd_1")
try:
    raise ValueError("broken")
except ValueError:
    log.exception("line_stopped")
logging.getLogger("library").debug("unseen")
logging.getLogger("library").warning("slow %s", "socket")
"""


def lines() -> list[dict[str, object]]:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True)
    assert ran.stdout == b""
    return [json.loads(line) for line in ran.stderr.splitlines()]


def test_every_line_says_who_when_and_how_grave():
    written = lines()
    assert [(line["event"], line["level"]) for line in written] == [
        ("hand_ended", "info"),
        ("line_stopped", "error"),
        ("slow socket", "warning"),
    ]
    assert {(line["service"], line["build"]) for line in written} == {("table", "b7")}
    assert all(str(line["at"]).endswith("Z") for line in written)
    assert written[0]["hand"] == "hnd_1"
    assert "ValueError: broken" in str(written[1]["exception"])
