"""A pytest plugin: a run fails, and names the test, if anything but loopback is dialled or any other name looked up.

It watches this process and the Python processes that tests start with its environment. Programs of other kinds, and
Python processes that are kept apart from the environment (`-I`), are not watched.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp

import pytest

from tests.support.watched_process.socket_watch import VARIABLE, watch

FOLDER = Path(__file__).with_name("watched_process")


class DialledPlugin:
    """Fails the run for what was dialled outside; the first process of a run makes the file and judges it."""

    def __init__(self) -> None:
        self.is_first = VARIABLE not in os.environ
        if self.is_first:
            descriptor, os.environ[VARIABLE] = mkstemp(prefix="giftsim-dialled-")
            os.close(descriptor)
            paths = [str(FOLDER), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        self.file = Path(os.environ[VARIABLE])
        self.report: list[str] = []
        watch(str(self.file))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run if something was dialled by then, in any of its processes."""
        if self.is_first:
            self.report = self.file.read_text(encoding="utf-8").splitlines()
            self.file.unlink()
            del os.environ[VARIABLE]
        if self.report:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the tests, and what they dialled."""
        if self.report:
            terminalreporter.section("dialled outside of this machine", sep="=", red=True)
            for line in dict.fromkeys(self.report):
                terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Start watching."""
    config.pluginmanager.register(DialledPlugin(), "loopback only")
