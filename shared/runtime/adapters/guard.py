"""Stands between a process and its child, so that no engine and no service outlives its owner.

`guarded` starts it; it is run by path with one argument, the plan as JSON. The owner holds the
other end of standard input: a line `stop` or `kill` ends the child and keeps its folder; the end
of the input means that the owner is gone, even by kill -9, so a temporary folder goes too. Every
system tells a reader that the last writer is gone, which no signal does. Standard library only.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LOCK_PATIENCE_S = 10.0
STOP_PATIENCE_S = 15.0
HOME_IN_USE = 75


def guarded(
    command: Sequence[str],
    home: Path,
    *,
    stop_signal: int = signal.SIGTERM,
    temporary: bool = False,
    user: int | None = None,
    group: int | None = None,
    environ: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command under a guard; write `stop` or `kill` and a newline to its input to end it.

    The command's output goes to `home/log`, and only one guard at a time works in a home.
    """
    plan = {
        "command": list(command),
        "home": str(home),
        "temporary": temporary,
        "stop_signal": int(stop_signal),
        "user": user,
        "group": group,
    }
    return subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, json.dumps(plan)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environ,
        start_new_session=True,  # A Ctrl-C in the terminal is for the owner alone.
    )


def main(plan: dict[str, Any]) -> int:
    """Run the child to its end; its own status is the guard's."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # Only the owner's end ends the guard.
    home = Path(plan["home"])
    with (home / "lock").open("w") as lock:
        if not locked(lock.fileno()):
            return HOME_IN_USE
        child = start(plan, home / "log")
        owner_gone = threading.Event()
        obey = threading.Thread(target=serve, args=(child, plan, owner_gone), daemon=True)
        obey.start()
        status = child.wait()
    if owner_gone.is_set() and plan["temporary"]:
        shutil.rmtree(home, ignore_errors=True)
    return abs(status)


def locked(file: int) -> bool:
    """Wait a moment for a predecessor's guard, which may still be stopping its child."""
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
    """Start the child, as another user when the plan names one."""
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


def serve(child: subprocess.Popen[bytes], plan: dict[str, Any], gone: threading.Event) -> None:
    """Do what the owner says, once; its silence is an order too."""
    order = sys.stdin.readline().strip()
    if not order:
        gone.set()
    if order == "kill":
        child.kill()
        return
    child.send_signal(plan["stop_signal"])
    try:
        child.wait(STOP_PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    status = main(json.loads(sys.argv[1]))
    sys.stdout.flush()
    os._exit(status)  # The reader may still hold standard input, which a normal exit waits for.
