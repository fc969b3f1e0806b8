"""An app that giftsim starts: its process, its address, and its end."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

from giftsim.engine.guard import Guard
from giftsim.engine.system import end_group
from giftsim.engine.worlds import system_clock

START_S = 30.0
END_S = 5.0
POLL_S = 0.05
SHOWN_LINES = 5


class AppNotStarted(Exception):
    """An app did not start; the message says why, with the end of its output."""


class AppProcess:
    """A running app. `{port}` and `{url}` in its command, for a shell, stand for its address.

    `variables` are added to the environment that it has.
    """

    def __init__(self, command: str, url: str, variables: Mapping[str, str] | None = None) -> None:
        self.url, self._variables = url, variables
        self.address = address_of(url)
        self.command = command.replace("{port}", str(self.address[1])).replace("{url}", url)
        if self._answers():
            raise AppNotStarted(f"something listens on {url} already; name another port with --app")
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # closed in `close`
        self._start()

    def _start(self) -> None:
        self._guard = Guard()
        self._process = subprocess.Popen(
            self.command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **self._variables} if self._variables else None,
        )
        self._guard.watch(self._process.pid)

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

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.poll() is not None

    def restart(self) -> None:
        """End the app at once, as a crash does, and start it again at the same address. AppNotStarted."""
        self._stop(at_once=True)
        self._start()
        self.wait()

    def close(self) -> None:
        """End the app, with all that its command started."""
        self._stop()
        self._output.close()

    def _stop(self, *, at_once: bool = False) -> None:
        self._guard.close()
        end_group(self._process, at_once=at_once)
        began = system_clock.monotonic()
        while self._runs() and system_clock.monotonic() - began < END_S:
            threading.Event().wait(POLL_S)
        end_group(self._process, at_once=True)
        self._process.wait()

    def _runs(self) -> bool:
        """Whether the shell of the command still runs, or what it started still listens: it may end a moment later."""
        return self._process.poll() is None or self._answers()

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


def url_of_own(url: str) -> str:
    """The URL of a further app beside that of a URL: with a port of its host that is free now."""
    parts = urlsplit(url)
    host, _ = address_of(url)
    with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as taken:
        port = taken.getsockname()[1]
    return parts._replace(netloc=f"[{host}]:{port}" if ":" in host else f"{host}:{port}").geturl()
