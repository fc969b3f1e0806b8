"""Test runs of users who have a library or plugin beside giftsim, each in an environment of its own.

`tests/ecosystem/neighbours/NAME/requirements.lock` pins the neighbour and pytest. giftsim comes from this checkout, and
what it needs from `locks/run.lock`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from tests.support.python_tools import clean_environment, installed_tools
from tests.support.served_simulator import ROOT

FOLDER = ROOT / "tests" / "ecosystem" / "neighbours"
TIMEOUT_S = 300
# Hypothesis, which comes with giftsim's own commands, warns of the random streams of trio and pytest-randomly.
IGNORED = ("-W", "ignore:It looks like `register_random`")
COUNT = re.compile(r"(\d+) (passed|failed|error|errors|skipped|rerun|xfailed)\b")
Outcomes = dict[str, int]
Run = Callable[..., tuple[Outcomes, str]]
# What every suite below begins with.
HEAD = """
import pytest

VENDOR = "https://gifts.vendor.example"
URL = VENDOR + "/api/external/team-orders"
ORDER = {"idempotency_key": "k", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
"""


def python_beside(name: str) -> Path:
    """The interpreter that has a neighbour and giftsim."""
    locks = FOLDER / name / "requirements.lock", ROOT / "locks" / "run.lock"
    bin_, base = map(installed_tools, locks)
    [own], [needed] = (each.parent.glob("lib/python*/site-packages") for each in (bin_, base))
    content = f"{needed}\n{ROOT / 'simulator'}\n"
    path = own / "giftsim.pth"
    if not path.exists() or path.read_text() != content:
        path.write_text(content)
    return bin_ / "python"


def run_beside(name: str, folder: Path, suite: str, *options: str) -> tuple[Outcomes, str]:
    """Run a suite, whose warnings are errors; the number of tests of each outcome, and what pytest printed."""
    python = python_beside(name)
    (folder / "test_suite.py").write_text(HEAD + dedent(suite))
    plugins = ("-p", "giftsim_pytest.entry", "-p", "no:cacheprovider")
    command = [str(python), "-m", "pytest", *plugins, "-W", "error", *IGNORED]
    done = subprocess.run(
        [*command, *options], cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=TIMEOUT_S,
        check=False,
    )  # fmt: skip
    printed = done.stdout + done.stderr
    last = printed.strip().rpartition("\n")[2]
    return {word.removesuffix("s"): int(count) for count, word in COUNT.findall(last)}, printed
