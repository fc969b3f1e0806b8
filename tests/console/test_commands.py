"""Commands that pages show to copy: each runs in a fresh shell."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from giftsim import Simulator
from giftsim.console.curl import KEY, curl_command, with_key_line
from tests.support.console import Console
from tests.support.tools import require_tool
from tests.support.worlds import World

PAGES = (
    *("", "orders", "gifts", "campaigns", "calls", "webhooks", "people", "people/contacts", "museum", "inbox"),
    *("money", "catalogue", "moments", "coverage", "compare", "reference?show=routes"),
)
ECHO = "curl() { printf '%s\\n' \"$@\"; }\n"  # in place of the program: prints what it is given


def commands(console: Console, path: str) -> list[str]:
    """The commands of curl that a page has to copy."""
    found = [given.get("data-copy") or given.get("data-command") for _, given in console.open(path).elements]
    return [each for each in found if each and "curl -s" in each]


def run(command: str) -> subprocess.CompletedProcess[str]:
    """What a command gives to curl in a shell that has no variables, and in which one that is missing is an error."""
    return subprocess.run(["sh", "-uc", ECHO + command], capture_output=True, text=True, check=False, env={})


@pytest.mark.parametrize("path", PAGES)
def test_the_commands_of_a_page_set_the_key_that_they_use(console: Console, path: str) -> None:
    found = commands(console, path)
    assert found
    for command in found:
        ran = run(command)
        assert (ran.returncode, ran.stderr) == (0, ""), command
        assert "Bearer \n" not in ran.stdout


def test_the_commands_of_pages_without_rows_send_a_key(console: Console) -> None:
    for path, key in (
        ("orders", "pk_live_"),
        ("gifts", "ptk_live_"),
        ("people", "ptk_live_"),
        ("webhooks", "pk_live_"),
    ):
        assert any(f"Authorization: Bearer {key}" in run(command).stdout for command in commands(console, path)), path


@pytest.fixture
def served() -> Iterator[World]:
    """A world of a simulator that listens: not of the one that tests share, whose address it would change."""
    with closing(Simulator(fixture="bare")) as simulator:
        simulator.serve_locally()
        yield World(simulator, fixture="empty")


@pytest.mark.parametrize(
    "path", ["$(touch%20x)", "`touch%20x`", "'%3Btouch%20x%3B'", "a%25b", "../../x", "{a,b}[1-2]?q={a,b}"]
)
def test_the_command_of_a_call_makes_the_same_call(served: World, path: str, tmp_path: Path) -> None:
    """It is run by bash with the program curl, against the simulator."""
    require_tool("curl", "curl")
    console = Console(served.simulator, served.id)
    credential = served.credentials["partner.prepaid"]["headers"]
    served.client.call("GET", f"/api/external/team-orders/{path}", headers=credential)
    sent = served.rows("calls")[0]["request"]["path"]
    (command,) = {each for each in commands(console, "calls/1") if "external" in each}
    origin = command.partition("http://")[2].partition("/")[0].lstrip("'")
    there = command.replace(f"http://{origin}", served.simulator.registry.runtime.origin)
    subprocess.run(["bash", "-uc", there], cwd=tmp_path, capture_output=True, check=True, timeout=60)
    assert [row["request"]["path"] for row in served.rows("calls")] == [sent, sent]
    assert list(tmp_path.iterdir()) == []


def test_a_command_whose_key_is_not_known_asks_for_it() -> None:
    command = with_key_line(curl_command("GET", "http://giftsim.example/api/external/team-orders", key=KEY), None)
    assert "GIFTSIM_KEY: set it to the key of your app" in run(command).stderr
