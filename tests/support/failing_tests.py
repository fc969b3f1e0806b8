"""A project whose three tests fail, and the traces that they leave: they use the example shop, with its bugs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOST = "http://gifts.vendor.example"
TESTS = f"""
import pytest
from shop import Shop

BO = {{"name": "Bo", "email": "bo@example.com"}}


def open_shop(giftsim, bugs=()):
    shop = Shop(bugs)
    shop.start("{HOST}", giftsim.credentials["partner.prepaid"]["value"], "")
    return shop


def test_charged_once(giftsim):
    giftsim.fault(drop="after", match={{"operation": "createTeamOrder"}}, when={{"first": 1}})
    with giftsim.route("{HOST}", "partner.prepaid"):
        open_shop(giftsim, ["new-key"]).order("A-1", BO)
    assert len(giftsim.listed("payments")) == 1


def test_told(giftsim):
    giftsim.subscribe("team_order.claimed", url="https://shop.example/hooks")
    giftsim.receiver("shop.example", then={{"status": 503}})
    with giftsim.route("{HOST}", "partner.prepaid"):
        open_shop(giftsim).order("A-2", BO)
    giftsim.claim(giftsim.listed("orders")[0])
    giftsim.advance("5d")
    assert giftsim.listed("deliveries")[-1]["status"] == 200


def test_claimed_at_last(giftsim):
    with giftsim.route("{HOST}", "partner.prepaid"):
        open_shop(giftsim).order("A-3", BO)
    giftsim.advance("31d")
    assert giftsim.listed("parcels")[0]["status"] != "expired"
"""


def traces_of_failing_tests(folder: Path) -> dict[str, str]:
    """Run the tests in a folder; the files of their traces, by the names of the tests."""
    (folder / "test_shop.py").write_text(TESTS)
    paths = os.pathsep.join([str(ROOT / "simulator"), str(ROOT / "examples")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "giftsim", "-p", "no:cacheprovider", str(folder)]
    environ = {**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert "3 failed" in done.stdout, done.stdout
    files = (folder / ".giftsim" / "traces").glob("test_shop.py-*.html")
    return {file.stem.partition("-")[2]: file.read_text(encoding="utf-8") for file in files}
