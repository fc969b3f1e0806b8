"""The first page after the start: what it imports and compiles is made in the background, once somebody can call."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from giftsim import Simulator
from giftsim.engine.system import SYSTEM

def now(run, name):
    assert name == "first page", name
    run()

simulator = Simulator(system=SYSTEM._replace(start_thread=now))
if sys.argv[1] == "prepared":
    simulator.prepare_console()
before = set(sys.modules)
page = simulator.client.call("GET", "/", headers={"Accept": "text/html", "Host": "localhost:8080"})
assert "What needs you" in page.text
print(len(set(sys.modules) - before))
"""


def imported_by_first_page(prepared: str) -> int:
    """How many modules the first page imports, in a process of its own."""
    command = [sys.executable, "-c", SCRIPT, prepared]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_a_console_that_was_prepared_imports_nothing_for_its_first_page() -> None:
    assert imported_by_first_page("prepared") == 0
    assert imported_by_first_page("not") > 100
