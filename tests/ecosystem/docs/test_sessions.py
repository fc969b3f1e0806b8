"""Every shell block of the documentation runs, page by page, and prints what the page says it prints."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT, Page, pages_with
from tests.docs.shell_session import SH, Outcome, run

SESSIONS = pages_with(SH)
COMMAND = (sys.executable, str(ROOT / "run_sim.py"), "--port", "0", "--json")


class Server:
    """A simulator as `make run` starts it, on a free port."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = str(json.loads(self.process.stdout.readline())["port"])

    def call(self, method: str, path: str) -> dict[str, Any]:
        """The response of the test-control API; an AssertionError unless it is a success."""
        with closing(HTTPConnection("127.0.0.1", int(self.port), timeout=60)) as connection:
            connection.request(method, f"/_sim/v1{path}")
            with connection.getresponse() as response:
                body = response.read()
                assert response.status < 300, body
        answered: dict[str, Any] = json.loads(body or b"{}")
        return answered

    def start_over(self) -> None:
        """Leave the world `default` alone, as it was created."""
        for world in self.call("GET", "/worlds")["worlds"]:
            if world["id"] != "default":
                self.call("DELETE", f"/worlds/{world['id']}")
        self.call("POST", "/worlds/default/reset")

    def close(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate()


@pytest.fixture(scope="module")
def servers() -> Iterator[list[Server]]:
    """The simulators that these tests started; the last one runs."""
    started = [Server()]
    yield started
    started[-1].close()


@pytest.fixture
def port(servers: list[Server]) -> str:
    """The port of a simulator as if just started; a page that failed may leave one that cannot start over."""
    try:
        servers[-1].start_over()
    except AssertionError:
        servers[-1].close()
        servers.append(Server())
    return servers[-1].port


def pattern(line: str) -> re.Pattern[str]:
    """A line of a `text output` block, in which `…` stands for any text."""
    return re.compile(".*".join(map(re.escape, line.split("…"))))


pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="the shell blocks need curl")


@pytest.mark.parametrize("session", SESSIONS, ids=[page.name for page in SESSIONS])
def test_the_shell_blocks_of_a_page_run_from_top_to_bottom(session: Page, port: str, tmp_path: Path) -> None:
    outcome = run(session, tmp_path, port)
    assert statuses(outcome) == session.comments("expect-status"), outcome.failed
    shown = [line for block in session.blocks("text output") for line in block.code.splitlines() if line.strip()]
    missing = [line for line in shown if not pattern(line.strip()).search(outcome.output)]
    assert missing == [], outcome.output


@pytest.mark.parametrize("session", SESSIONS, ids=[page.name for page in SESSIONS])
def test_a_page_whose_blocks_leave_files_says_where_or_removes_them(session: Page) -> None:
    code = "\n".join(block.code for block in session.blocks(SH))
    for line in re.findall(r"^.*mktemp.*$", code, re.MULTILINE):
        name, made, _ = line.partition("=$(mktemp")
        is_said = "&& pwd " in line or "&& echo $" in line or "--out " in line  # the command prints where
        assert is_said or (made and re.search(rf"^rm .*\${name}\b", code, re.MULTILINE)), line


def statuses(outcome: Outcome) -> list[str]:
    """The statuses of the calls that failed in a session."""
    return [line.split()[0] for line in outcome.failed]
