"""Ends processes whose parent has ended without ending them, such as by a signal that no process can catch.

A guard runs as a separate program, by its path, and needs nothing but the standard library. Its input is a pipe that
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
from pathlib import Path

GRACE_S, TURN_S = 8.0, 0.05
OWN_GROUP = 0
PROC = Path("/proc")


class Guard:
    """Ends processes once this process is no more, and removes a folder of theirs.

    They are those that it watches, with their groups and all that they started. If it watches none, they are its own
    group, which others join by `Popen(..., process_group=guard.group)`.
    """

    def __init__(self, folder: str = "") -> None:
        command = [sys.executable, "-I", "-S", __file__, folder]
        # Its output is not that of this process: whoever reads that to its end does not wait for a guard.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=OWN_GROUP,
        )
        self.group = self._process.pid

    def watch(self, process: int) -> None:
        """Watch a process, by its number."""
        self._tell(process)

    def forget(self, process: int) -> None:
        """Watch a process no more, because it has ended: another one may get its number."""
        self._tell(-process)

    def _tell(self, number: int) -> None:
        """Tell the guard a number to watch, or one to forget, which is negative then."""
        assert self._process.stdin is not None
        with suppress(OSError):  # somebody has ended the guard
            self._process.stdin.write(b"%d\n" % number)
            self._process.stdin.flush()

    def close(self) -> None:
        """End the guard; the processes stay as they are."""
        self._process.kill()
        with suppress(OSError):
            self._process.communicate()


def end(roots: set[int], folder: str) -> None:
    """Ask processes to end, with their groups and all that they started, and some seconds later make them."""
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    known: set[int] = set()  # a process whose parent has ended cannot be found by its parent
    for kind in ("SIGTERM", "SIGKILL"):
        signalled: set[int] = set()
        for _ in range(int(GRACE_S / TURN_S)):
            running = _members(roots, known)
            if not running:
                return
            for process in running - signalled:
                with suppress(OSError):
                    os.kill(process, getattr(signal, kind, signal.SIGTERM))
            known |= running
            signalled |= running
            threading.Event().wait(TURN_S)


def _members(roots: set[int], known: set[int]) -> set[int]:
    """The processes that still run: roots, members of their groups, what these started, and those known already."""
    processes = _processes()
    if not processes:  # the system does not tell, as Windows
        return roots
    found = [pid for pid, (_, group) in processes.items() if pid in roots or group in roots or pid in known]
    for each in found:
        found += [pid for pid, (parent, _) in processes.items() if parent == each and pid not in found]
    return set(found) - {os.getpid()}


def _processes() -> dict[int, tuple[int, int]]:
    """The parent and the group of each process that runs. Empty if the system does not tell."""
    if not (PROC / "self" / "stat").exists():
        with suppress(OSError):
            done = subprocess.run(
                ["ps", "-A", "-o", "pid=,ppid=,pgid="], capture_output=True, encoding="utf-8", check=False
            )
            rows = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
            return {pid: (parent, group) for pid, parent, group in rows}
        return {}
    found = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError):
                state, parent, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
                if state != "Z":
                    found[int(entry.name)] = (int(parent), int(group))
    return found


if __name__ == "__main__":
    for number in ("SIGTERM", "SIGINT", "SIGHUP"):  # it may be one of the group, and outlives who made it
        if hasattr(signal, number):
            signal.signal(getattr(signal, number), signal.SIG_IGN)
    watched: set[int] = set()
    for told in map(int, sys.stdin):
        if told > 0:
            watched.add(told)
        else:
            watched.discard(-told)
    end(watched or {os.getpid()}, sys.argv[1])
