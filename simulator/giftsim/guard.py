"""Ends processes whose parent has ended without ending them, such as by a signal that no process can catch.

A guard runs as a program of its own, by its path, and needs nothing but the standard library. Its input is a pipe that
is open as long as the process that made it lives.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress

GRACE_S = 8.0
OWN_GROUP = 0


class Guard:
    """Ends a group of processes once this process is no more, and removes a folder of theirs.

    Without a group it is the first of a new one, `group`, which others join by `Popen(..., process_group=guard.group)`.
    """

    def __init__(self, group: int = OWN_GROUP, folder: str = "") -> None:
        command = [sys.executable, "-I", "-S", __file__, str(group), folder]
        # Its output is not that of this process: whoever reads that to its end does not wait for a guard.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=OWN_GROUP,
        )
        self.group = group or self._process.pid

    def close(self) -> None:
        """End the guard; the group stays as it is."""
        self._process.kill()
        self._process.communicate()


def end(group: int, folder: str) -> None:
    """Ask a group of processes to end, and some seconds later make it."""
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    for kind in ("SIGTERM", "SIGKILL"):
        with suppress(OSError):
            getattr(os, "killpg", os.kill)(group, getattr(signal, kind, signal.SIGTERM))
        threading.Event().wait(GRACE_S)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may be one of the group
    sys.stdin.read()
    end(int(sys.argv[1]), sys.argv[2])
