"""Why a fault is behind it: what it held, changed or never met, and clocks that stood still."""

from __future__ import annotations

from typing import Final

from giftsim.workbench.why.rule import Rule

RULES: Final[tuple[Rule, ...]] = ()
