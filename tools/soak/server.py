"""The server under test: a process with a journal file that is killed and started again on the same port."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from tests.support.served_simulator import ROOT
from tools.soak.findings import LEFT_OVER, LOGGED, RECOVERY, Findings

START_LIMIT_S = 180.0
STOP_LIMIT_S = 10.0


class NotStarted(Exception):
    """The server did not start again: the soak ends."""


@dataclass(frozen=True)
class Sample:
    """The size of the server process at one moment, in seconds since the start of the soak."""

    at_s: float
    resident_mb: float
    threads: int
    descriptors: int


class Server:
    """A server process. `generation` grows with each kill; `up` is set while it serves."""

    def __init__(self, folder: Path, findings: Findings, options: Sequence[str]) -> None:
        self.folder, self.findings, self.options = folder, findings, options
        self.journal = folder / "journal"
        self.up = threading.Event()
        self.generation = 0
        self.ended = False
        self.port = 0
        self.starts_s: list[float] = []
        self.samples: list[Sample] = []
        self.outages: list[tuple[float, float]] = []  # from each kill to the next answer, in monotonic seconds
        self.began_s = time.monotonic()
        self._start()

    def restart(self) -> None:
        """Kill the process as a crash would (kill -9), and start it with the same journal file."""
        self.up.clear()
        self.generation += 1
        killed_s = time.monotonic()
        self.process.kill()
        self.process.wait()
        self._close_output()
        self.findings.count("kills")
        self._start()
        self.outages.append((killed_s, time.monotonic()))

    def stop(self) -> None:
        """Terminate the process, which must end by itself with status 0 and without a word."""
        self.ended = True
        self.up.clear()
        self.generation += 1
        self.process.terminate()
        try:
            status = self.process.wait(STOP_LIMIT_S)
            if status:
                self.findings.fail(LEFT_OVER, f"the server ended with status {status}")
        except subprocess.TimeoutExpired:
            self.findings.fail(LEFT_OVER, f"the server still ran {STOP_LIMIT_S:.0f} s after SIGTERM")
            self.process.kill()
            self.process.wait()
        self._close_output()

    def sample(self) -> Sample:
        """Note the process's size now."""
        proc = Path(f"/proc/{self.process.pid}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
        now = time.monotonic() - self.began_s
        megabytes = int(status["VmRSS"].split()[0]) / 1024
        sample = Sample(now, megabytes, int(status["Threads"]), len(list((proc / "fd").iterdir())))
        self.samples.append(sample)
        return sample

    def _start(self) -> None:
        began = time.monotonic()
        self.errors = cast(IO[bytes], (self.folder / f"errors-{self.generation}.log").open("w+b"))
        command = [sys.executable, "run_sim.py", "--json", "--port", str(self.port), "--journal", str(self.journal)]
        self.process = subprocess.Popen(
            [*command, *self.options], stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=ROOT
        )
        assert self.process.stdout
        readable, _, _ = select.select([self.process.stdout], [], [], START_LIMIT_S)
        line = self.process.stdout.readline() if readable else ""
        if not line:
            self._refuse(f"no answer within {START_LIMIT_S:.0f} s" if not readable else "")
        self.port = int(json.loads(line)["port"])
        self.starts_s.append(time.monotonic() - began)
        self.up.set()

    def _refuse(self, reason: str) -> None:
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        reason = reason or self.errors.read().decode(errors="replace").strip()
        self.findings.fail(RECOVERY, f"start {len(self.starts_s) + 1} with {self.journal}: {reason[-300:]}")
        self.ended = True
        self.up.set()
        raise NotStarted

    def _close_output(self) -> None:
        """Read what the process logged: the server logs only what must not happen."""
        assert self.process.stdout
        self.process.stdout.close()
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        self.errors.close()
        if text.strip():
            self.findings.fail(LOGGED, f"{self.errors.name}: {text.strip()[-300:]}", max(1, text.count("Traceback")))
