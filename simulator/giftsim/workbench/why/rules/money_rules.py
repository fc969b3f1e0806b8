"""Why money did not move as expected: what was not paid, and what was paid twice."""

from __future__ import annotations

from typing import Final

from giftsim.workbench.why.rule import Rule

RULES: Final[tuple[Rule, ...]] = ()
