"""A guard ends what its process has started, and nobody waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

from giftsim.engine.guard import GRACE_S
from tests.cli.test_signals import has_ended
from tests.support.waiting import wait_until

PROGRAM = """
import os
from giftsim.engine.guard import Guard

print(Guard().group, flush=True)
os._exit(0)
"""


def test_whoever_reads_the_output_of_a_process_to_its_end_does_not_wait_for_its_guard() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=GRACE_S - 1
    )
    with suppress(ProcessLookupError):
        os.kill(int(done.stdout), signal.SIGKILL)


FORGETS = """
import os, subprocess
from giftsim.engine.guard import Guard

guard = Guard()
silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
children = [subprocess.Popen(["sleep", "300"], start_new_session=True, **silent) for _ in range(2)]
for child in children:
    guard.watch(child.pid)
guard.forget(children[1].pid)
print(guard.group, *[child.pid for child in children], flush=True)
os._exit(0)
"""


def test_a_process_that_is_forgotten_is_left_alone() -> None:
    done = subprocess.run([sys.executable, "-c", FORGETS], capture_output=True, text=True, check=True)
    guard, watched, forgotten = map(int, done.stdout.split())
    try:
        wait_until(lambda: has_ended(guard))
        assert (has_ended(watched), has_ended(forgotten)) == (True, False)
    finally:
        os.kill(forgotten, signal.SIGKILL)
