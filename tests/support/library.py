"""The scenarios of the library that need no app."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from giftsim.workbench.scenario import find_scenarios
from giftsim.workbench.scenario.library import is_for_an_app

SCENARIOS: Final = [file for file in find_scenarios(Path(__file__).parents[2] / "scenarios") if not is_for_an_app(file)]
