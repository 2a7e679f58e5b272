"""Stands between a process and its embedded engine, so that no engine outlives its owner.

Run by path with one argument, the plan as JSON. The owner holds the other end of standard
input: a line `stop` or `kill` ends the engine and keeps its folder; the end of the input means
that the owner is gone, even by kill -9, so a temporary folder goes too. Every system tells a
reader that the last writer is gone, which no signal does. Standard library only.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

LOCK_PATIENCE_S = 10.0
STOP_PATIENCE_S = 15.0
HOME_IN_USE = 75


def main(plan: dict[str, Any]) -> int:
    """Run the engine to its end; its own status is the guard's."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # Only the owner's end ends the guard.
    home = Path(plan["home"])
    with (home / "lock").open("w") as lock:
        if not locked(lock.fileno()):
            return HOME_IN_USE
        engine = start(plan, home / "log")
        owner_gone = threading.Event()
        obey = threading.Thread(target=serve, args=(engine, plan, owner_gone), daemon=True)
        obey.start()
        status = engine.wait()
    if owner_gone.is_set() and plan["temporary"]:
        shutil.rmtree(home, ignore_errors=True)
    return abs(status)


def locked(file: int) -> bool:
    """Wait a moment for a predecessor's guard, which may still be stopping its engine."""
    deadline = time.monotonic() + LOCK_PATIENCE_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def start(plan: dict[str, Any], log: Path) -> subprocess.Popen[bytes]:
    """Start the engine, as another user when the plan names one."""
    with log.open("ab") as output:
        return subprocess.Popen(
            plan["command"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            user=plan["user"],
            group=plan["group"],
            extra_groups=None if plan["user"] is None else [],
        )


def serve(engine: subprocess.Popen[bytes], plan: dict[str, Any], gone: threading.Event) -> None:
    """Do what the owner says, once; its silence is an order too."""
    order = sys.stdin.readline().strip()
    if not order:
        gone.set()
    if order == "kill":
        engine.kill()
        return
    engine.send_signal(plan["stop_signal"])
    try:
        engine.wait(STOP_PATIENCE_S)
    except subprocess.TimeoutExpired:
        engine.kill()


if __name__ == "__main__":
    status = main(json.loads(sys.argv[1]))
    sys.stdout.flush()
    os._exit(status)  # The reader may still hold standard input, which a normal exit waits for.
