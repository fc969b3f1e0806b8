"""A guard ends what its process has started, and nobody waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

from giftsim.engine.guard import GRACE_S

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
