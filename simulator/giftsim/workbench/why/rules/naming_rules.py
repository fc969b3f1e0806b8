"""Why the question asks for something else than there is: another world, account, type or number."""

from __future__ import annotations

from typing import Final

from giftsim.workbench.why.rule import Rule

RULES: Final[tuple[Rule, ...]] = ()
