"""A rule: what finds the verdicts of one kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from giftsim.workbench.why.facts import Facts
from giftsim.workbench.why.verdict import Verdict


class Rule(NamedTuple):
    """What finds the verdicts of one kind. `find` returns one only if its marks prove the sentence."""

    kind: str
    find: Callable[[Facts], Verdict | None]
