"""Ends an app whose explore has ended without ending it, such as by a signal that no process can catch.

It runs as a program of its own, by its path, with the process id of the app's group, and needs nothing but the standard
library. Its input is a pipe that is open as long as the process that started the app lives.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress

GRACE_S = 5.0


def end(pid: int) -> None:
    """Ask a group of processes to end, and some seconds later make it."""
    for kind in ("SIGTERM", "SIGKILL"):
        with suppress(OSError):
            getattr(os, "killpg", os.kill)(pid, getattr(signal, kind, signal.SIGTERM))
        threading.Event().wait(GRACE_S)


if __name__ == "__main__":
    sys.stdin.read()
    end(int(sys.argv[1]))
