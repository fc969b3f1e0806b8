"""Apps that explore starts itself, from a command with placeholders for their address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from giftsim.worlds import system_clock

START_S = 30.0
END_S = 5.0
POLL_S = 0.05
SHOWN_LINES = 5


class AppNotStarted(Exception):
    """An app did not start; the message says why, with the end of its output."""


class AppProcess:
    """A running app. `{port}` and `{url}` in its command, for a shell, stand for its address."""

    def __init__(self, command: str, url: str) -> None:
        self.url = url
        self.address = address_of(url)
        self.command = command.replace("{port}", str(self.address[1])).replace("{url}", url)
        if self._answers():
            raise AppNotStarted(f"something listens on {url} already; name another port with --app")
        self._output = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed in `close`
        self._process = subprocess.Popen(
            self.command, shell=True, stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip

    def wait(self) -> None:
        """Wait until the app listens; AppNotStarted if it ends, or takes too long."""
        began = system_clock.monotonic()
        while not self._answers():
            if self._process.poll() is not None:
                raise AppNotStarted(f"the command ended with {self._process.returncode}: {self.command}{self._end()}")
            if system_clock.monotonic() - began > START_S:
                raise AppNotStarted(f"nothing listens on {self.url} after {START_S:g} s: {self.command}{self._end()}")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(POLL_S)

    def close(self) -> None:
        """End the app, with all that its command started."""
        self._signal(signal.SIGTERM)
        began = system_clock.monotonic()
        while self._runs() and system_clock.monotonic() - began < END_S:
            threading.Event().wait(POLL_S)
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._output.close()

    def _runs(self) -> bool:
        """Whether the shell of the command still runs, or what it started still listens: it may end a moment later."""
        return self._process.poll() is None or self._answers()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(self.address, timeout=1) as connection:
            itself: bool = connection.getsockname() == connection.getpeername()  # as a free port can be
            return not itself
        return False

    def _end(self) -> str:
        self._output.seek(0)
        return "".join(f"\n  {line.rstrip()}" for line in self._output.readlines()[-SHOWN_LINES:])


def address_of(url: str) -> tuple[str, int]:
    """The host and port of a URL."""
    parts = urlsplit(url)
    return parts.hostname or "127.0.0.1", parts.port or 80


def url_of_job(url: str, number: int) -> str:
    """The URL of the app of a job, from 1: each has the next port after that of the job before."""
    parts = urlsplit(url)
    host, port = address_of(url)
    netloc = f"[{host}]" if ":" in host else host
    return parts._replace(netloc=f"{netloc}:{port + number - 1}").geturl()
