"""The scenarios of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from giftsim.workbench.scenario import find_scenarios

SCENARIOS: Final = find_scenarios(Path(__file__).parents[2] / "scenarios")
