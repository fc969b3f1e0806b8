"""The simulation for a thousand seeds, and with each of the planted faults, which it has to find."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.planted import Fault, faults

ROOT = Path(__file__).parents[2]
SEEDS = 1_000
ENOUGH = 2_000  # in which each planted fault is found


def simulate(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the simulation as `python -m tools simulate` does."""
    environment = {**os.environ, "PYTHONPATH": "simulator:."}
    command = [sys.executable, "-m", "tests.simulation", *options]
    return subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True, check=False)


def test_a_thousand_seeds_find_nothing() -> None:
    done = simulate("--first", "0", "--count", str(SEEDS))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{SEEDS} seeds in ")


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.breaks.replace(" ", "_"))
def test_a_planted_fault_is_found_by_its_seed_and_by_a_search(fault: Fault) -> None:
    again = simulate("--plant", fault.breaks, "--seed", str(fault.seed))
    assert again.returncode == 1, again.stdout + again.stderr
    assert simulate("--seed", str(fault.seed)).returncode == 0
    search = simulate("--plant", fault.breaks, "--first", "0", "--count", str(ENOUGH))
    assert search.returncode == 1, search.stdout + search.stderr
    assert "repeat it: python -m tools simulate --seed " in search.stdout


def test_the_planted_faults_are_ten() -> None:
    assert len({fault.breaks for fault in faults()}) == 10
